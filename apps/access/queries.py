"""Questions about tokens: whose one is, which a user has."""

from django.contrib.auth.models import User

from apps.access.models import ApiToken
from apps.access.tokens import CHARACTERS_MAX, PREFIX, digest_of


def token_row(token: str) -> ApiToken | None:
    """Return the row of a token that is valid, with its user; None for any other text."""
    if not token.startswith(PREFIX) or len(token) > CHARACTERS_MAX:
        return None
    valid = ApiToken.objects.filter(
        sha256=digest_of(token), revoked_at=None, user__is_active=True
    )
    return valid.select_related("user").first()


def user_of(token: str) -> User | None:
    """Return the user that a token stands for; None if it is unknown, revoked or malformed."""
    row = token_row(token)
    return row.user if row else None


def list_tokens(user: User) -> list[ApiToken]:
    """Return a user's tokens, the latest first, revoked ones too."""
    return list(ApiToken.objects.filter(user=user).order_by("-created_at", "-pk"))
