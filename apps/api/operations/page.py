"""The example front-end, served as it lies in frontend_stub/."""

import base64
import hashlib
import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.api.http.middleware import CONTENT_SECURITY_POLICY

_INLINE = re.compile(rb"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the page; all data that it requests need a token."""
    del request
    html = settings.FRONTEND_PAGE.read_bytes()
    return HttpResponse(
        html,
        content_type="text/html; charset=utf-8",
        headers={CONTENT_SECURITY_POLICY: policy_of(html)},
    )


def policy_of(html: bytes) -> str:
    """Return the policy of the page: its own script, and requests to this service.

    An injected script is not among those whose hashes are listed.
    """
    hashes = {b"script": "", b"style": ""}
    for kind, text in _INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        hashes[kind] += f" 'sha256-{digest}'"
    return (
        f"default-src 'none'; script-src 'self'{hashes[b'script']}; "
        f"style-src 'self'{hashes[b'style']}; img-src 'self' data: blob:; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
