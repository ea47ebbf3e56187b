"""Who sends a request, by a token in the header, and how often it may."""

import hashlib
import re
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.checks import CheckMessage, Error, register
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle, UserRateThrottle

from apps.access.commands import USE_NOTED_EVERY, count_request, note_use
from apps.access.models import ApiToken
from apps.access.queries import token_row
from apps.api.http.asgi import CHALLENGE, SCHEME

if TYPE_CHECKING:
    # The framework imports these classes while its views are being imported.
    from rest_framework.views import APIView

_RATE = re.compile(r"([1-9][0-9]{0,8})/([smhd])[a-z]*")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def parse_rate(text: str) -> tuple[int, int]:
    """Return the number of requests that may pass in a number of seconds, from "200/s".

    :raises ValueError: if it is no rate.
    """
    found = _RATE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no rate; write 200/s, 60/m, 100/h or 1000/d")
    return int(found[1]), _SECONDS[found[2]]


class RequestRateLimit(UserRateThrottle):
    """settings.REQUEST_RATE_MAX for each user and process, "200/s"; empty for no limit.

    Counted in the process, so that a request that only reads writes no row.
    """

    def get_rate(self) -> str | None:
        """Return the configured rate."""
        return settings.REQUEST_RATE_MAX or None


class OperationRateLimit(BaseThrottle):
    """The rates of settings.COSTLY_RATES_MAX for each user, over all processes together.

    `rate_limits` of a view names the rate of a method.
    """

    _wait: float | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request if its method has a rate; return whether it may pass."""
        kind = getattr(view, "rate_limits", {}).get(request.method)
        rate = settings.COSTLY_RATES_MAX[kind] if kind else ""
        if not rate:
            return True
        requests_max, seconds = parse_rate(rate)
        self._wait = count_request(
            f"{kind} of {request.user.pk}", requests_max=requests_max, seconds=seconds
        )
        return self._wait is None

    def wait(self) -> float | None:
        """Return after how many seconds the next request may pass."""
        return self._wait


class AddressRateLimit(SimpleRateThrottle):
    """A rate for each address and process; a setting names it, empty for no limit."""

    def __init__(self, setting: str) -> None:
        self.scope = setting
        super().__init__()

    def get_rate(self) -> str | None:
        """Return the configured rate."""
        return getattr(settings, str(self.scope)) or None

    def allows(self, request: Any) -> bool:
        """Count the request of an address, and return whether it may pass."""
        return bool(self.allow_request(request, None))  # type: ignore[arg-type]  # no view

    def get_cache_key(self, request: Any, view: "APIView | None") -> str:  # noqa: ARG002
        """Return the key of the count of an address."""
        # Over a Unix socket all clients share one count: there is no address.
        address = hashlib.sha256(str(self.get_ident(request)).encode()).hexdigest()
        return f"throttle-{self.scope}-{address}"


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


@register
def rates_can_be_read(**_ignored: Any) -> list[CheckMessage]:
    """Return an error for each rate that cannot be parsed."""
    rates = {
        "REQUEST_RATE_MAX": settings.REQUEST_RATE_MAX,
        "FOUNDING_RATE_MAX": settings.COSTLY_RATES_MAX["founding"],
        "THINKING_RATE_MAX": settings.COSTLY_RATES_MAX["thinking"],
        "WRONG_TOKEN_RATE_MAX": settings.WRONG_TOKEN_RATE_MAX,
        "LOGIN_RATE_MAX": settings.LOGIN_RATE_MAX,
    }
    errors: list[CheckMessage] = []
    for name, rate in rates.items():
        try:
            parse_rate(rate or "1/s")  # an empty rate is no limit
        except ValueError as error:
            errors.append(Error(f"{name}: {error}", id="smallville.E001"))
    return errors
