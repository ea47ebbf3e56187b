"""What the tests of a web process under stress have in common."""

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token


@pytest.fixture
def token(db: None) -> str:
    """Give a token of the only user."""
    return issue_token(User.objects.create_user("isabella"), "a test")
