"""Authentication by a token in the header; sessions of the admin are Django's."""

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from apps.access.commands import USE_NOTED_EVERY, note_use
from apps.access.models import ApiToken
from apps.access.queries import token_row
from apps.api.http.body_limit import CHALLENGE, SCHEME
from apps.api.http.rate_limits import AddressRateLimit


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer <token>`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token and its user; None for a request without a token.

        :raises AuthenticationFailed: if the token is not valid.
        :raises Throttled: if the address has shown too many such tokens recently.
        """
        scheme, _, shown = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME:
            return None
        token = token_row(shown.strip())
        if token is None:
            rate = AddressRateLimit("WRONG_TOKEN_RATE_MAX")
            if not rate.allows(request):
                raise Throttled(rate.wait())
            raise AuthenticationFailed(
                "the token is unknown, has ended or was revoked; `manage.py issue_token` or "
                "the admin makes one"
            )
        # Most requests write nothing.
        used = token.last_used_at
        if used is None or timezone.now() - used > USE_NOTED_EVERY:
            note_use(token.pk)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 (the framework's)
        """Return the challenge of a response 401."""
        return CHALLENGE
