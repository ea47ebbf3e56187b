"""A session stands for its user for just as long as the admin would let them in with it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from apps.access.queries import is_session_of

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.django_db


@pytest.fixture
def isabella() -> User:
    return User.objects.create_user("isabella", password=PASSWORD)


def key_of(user: User) -> str:
    """Return the key of a new session of the user's."""
    browser = Client()
    assert browser.login(username=user.username, password=PASSWORD)
    return str(browser.session.session_key)


class TestSession:
    def test_is_its_users_alone(self, isabella: User) -> None:
        klaus = User.objects.create_user("klaus", password=PASSWORD)
        key = key_of(isabella)
        assert is_session_of(isabella, key)
        assert not is_session_of(klaus, key)
        assert not is_session_of(isabella, "no-such-session")

    def test_ends_with_the_password_that_it_was_opened_by(self, isabella: User) -> None:
        key = key_of(isabella)
        isabella.set_password("another one, longer")
        isabella.save()
        assert not is_session_of(isabella, key)

    def test_ends_with_its_time(self, isabella: User) -> None:
        key = key_of(isabella)
        past = timezone.now() - timedelta(seconds=1)
        Session.objects.filter(pk=key).update(expire_date=past)
        assert not is_session_of(isabella, key)

    def test_ends_with_the_logout(self, isabella: User) -> None:
        key = key_of(isabella)
        Session.objects.filter(pk=key).delete()
        assert not is_session_of(isabella, key)
