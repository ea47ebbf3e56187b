"""API tokens: issued once, kept as a hash, revoked for good."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from apps.access import commands, queries
from apps.access.models import ApiToken

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("isabella", password="a password of some length")


class TestIssueToken:
    def test_gives_a_token_that_stands_for_the_user(self, user: User) -> None:
        token = commands.issue_token(user, "laptop")
        assert token.startswith("sv_")
        assert queries.user_of(token) == user

    def test_keeps_nothing_that_the_token_could_be_read_from(self, user: User) -> None:
        token = commands.issue_token(user, "laptop")
        kept = ApiToken.objects.values().get()
        assert token not in str(kept)
        assert token.removeprefix("sv_") not in str(kept)

    def test_gives_another_each_time(self, user: User) -> None:
        assert commands.issue_token(user, "one") != commands.issue_token(user, "two")
        assert [token.name for token in queries.list_tokens(user)] == ["two", "one"]


class TestRevokeToken:
    def test_ends_what_the_token_was_good_for(self, user: User) -> None:
        token = commands.issue_token(user, "laptop")
        commands.revoke_token(ApiToken.objects.get().pk)
        assert queries.user_of(token) is None

    def test_refuses_a_token_that_there_is_not(self) -> None:
        with pytest.raises(commands.TokenUnknown, match="there is no token 7"):
            commands.revoke_token(7)


class TestUserOf:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "sv_",
            "sv_unknown",
            "wrong",
            "sv_" + "x" * 10_000,
            "sv_\x00",
            "sv_\ud800",
            "sv_é",
        ],
        ids=["empty", "prefix", "unknown", "shape", "long", "nul", "surrogate", "accent"],
    )
    def test_knows_nobody_by_another_text(self, text: str) -> None:
        assert queries.user_of(text) is None

    def test_forgets_a_user_who_was_made_inactive(self, user: User) -> None:
        token = commands.issue_token(user, "laptop")
        User.objects.update(is_active=False)
        assert queries.user_of(token) is None


@pytest.mark.parametrize(
    ("note", "column"),
    [(commands.revoke_token, "revoked_at"), (commands.note_use, "last_used_at")],
    ids=["the first revocation", "a use, for a minute"],
)
def test_the_time_is_kept_of(user: User, note: Callable[[int], object], column: str) -> None:
    commands.issue_token(user, "laptop")
    row = ApiToken.objects.get()
    note(row.pk)
    first = getattr(ApiToken.objects.get(), column)
    note(row.pk)
    assert first is not None
    assert getattr(ApiToken.objects.get(), column) == first


class TestEnsureAdministrator:
    def test_leaves_an_administrator_and_their_password_as_they_are(self) -> None:
        first = commands.ensure_administrator("admin", "the first password")
        second = commands.ensure_administrator("admin", "another password")
        assert first == second
        assert second.is_superuser
        assert second.check_password("the first password")
