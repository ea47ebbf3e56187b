"""Checks that Django runs at its start: the syntax of rates in the settings."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from apps.api.http.authentication import parse_rate


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
