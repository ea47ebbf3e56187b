"""Admission to the metrics without an account: for this machine and the scraper's token."""

import hmac
import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings

_SCHEME = "bearer"
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_VIA")


def is_admitted(environ: Mapping[str, Any]) -> bool:
    """Return whether a request with these CGI variables may read the metrics."""
    return is_from_this_machine(environ) or is_from_scraper(environ)


def is_from_this_machine(environ: Mapping[str, Any]) -> bool:
    """Return whether a process of this machine that is no proxy sent the request."""
    if any(name in environ for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(environ["REMOTE_ADDR"]).is_loopback
    except (KeyError, ValueError):
        return False


def is_from_scraper(environ: Mapping[str, Any]) -> bool:
    """Return whether the request shows METRICS_TOKEN; never if the setting is empty."""
    scheme, _, shown = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
    token: str = settings.METRICS_TOKEN
    if not token or scheme.lower() != _SCHEME:
        return False
    return hmac.compare_digest(shown.strip().encode(), token.encode())
