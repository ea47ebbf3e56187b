"""The OpenAPI document, its page, and the example front end."""

import base64
import hashlib
import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Strict
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.operation import operation
from apps.api.http.views import OpenView
from apps.api.openapi.auto_schema import EXAMPLE_KEY
from apps.api.openapi.document import schema_document

# Scripts and style sheets are files of this service, or inline ones by their hashes.
# Swagger UI draws its icons from data: addresses.
_POLICY = (
    "default-src 'none'; script-src 'self'{script}; style-src 'self'{style}; img-src 'self' "
    "data:{images}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
_INLINE = re.compile(rb"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


class SchemaParameters(Strict):
    """The format of the document; there is one."""

    format = Choice(choices=["json"], required=False, help_text="JSON, whatever is accepted.")


class Schema(OpenView):
    """The OpenAPI document; it needs no account."""

    query = SchemaParameters

    @operation("getSchema", "operation", OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Show this interface as an OpenAPI 3.1 document."""
        return Response(schema_document(), content_type="application/json")


class Docs(OpenView):
    """The page of the interface; it needs no account."""

    @operation("getDocs", "operation", {(200, "text/html"): str})
    def get(self, request: Request) -> HttpResponse:
        """Show this interface as a page, on which requests can be tried.

        The page needs scripts. A token behind the `#`, as in `/api/v1/docs#token=…`,
        authorizes the requests that are tried.
        """
        page = render(request, "api/docs.html", {"example_key": EXAMPLE_KEY})
        page.headers[CONTENT_SECURITY_POLICY] = _POLICY.format(script="", style="", images="")
        return page


@require_safe
def front_end(request: HttpRequest) -> HttpResponse:
    """Return the example front end; all data that it requests need a token."""
    del request
    html = settings.FRONTEND_PAGE.read_bytes()
    return HttpResponse(
        html,
        content_type="text/html; charset=utf-8",
        headers={CONTENT_SECURITY_POLICY: policy_of(html)},
    )


def policy_of(html: bytes) -> str:
    """Return the policy of a page: its own scripts and styles, by their hashes."""
    hashes = {b"script": "", b"style": ""}
    for kind, text in _INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        hashes[kind] += f" 'sha256-{digest}'"
    return _POLICY.format(script=hashes[b"script"], style=hashes[b"style"], images=" blob:")
