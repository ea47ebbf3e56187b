"""The OpenAPI document, its page, and the example front end."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http import problems
from apps.api.http.asgi import SCHEME
from apps.api.http.authentication import BearerToken
from apps.api.http.fields import Choice, Strict
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.views import OpenView, operation
from apps.api.openapi.auto_schema import EXAMPLE_KEY


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of tokens."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": SCHEME,
            "description": "A token made in the admin, or by `manage.py issue_token`.",
        }


@cache
def schema_document() -> dict[str, Any]:
    """Return the interface as an OpenAPI document; made once a process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return document


# Scripts and style sheets are files of this service, none is inline.
# Swagger UI draws its icons from data: addresses.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_PAGE = "index.html"
_MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
    }
)


class SchemaParameters(Strict):
    """The format of the document; there is one."""

    format = Choice(choices=["json"], required=False, help_text="JSON, whatever is accepted.")


class Schema(OpenView):
    """The OpenAPI document; it needs no account."""

    query = SchemaParameters

    @operation("getSchema", "/schema", "operation", OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Show this interface as an OpenAPI 3.1 document."""
        return Response(schema_document(), content_type="application/json")


class Docs(OpenView):
    """The page of the interface; it needs no account."""

    @operation("getDocs", "/docs", "operation", {(200, "text/html"): str})
    def get(self, request: Request) -> HttpResponse:
        """Show this interface as a page, on which requests can be tried.

        The page needs scripts. A token behind the `#`, as in `/api/v1/docs#token=…`,
        authorizes the requests that are tried.
        """
        page = render(request, "api/docs.html", {"example_key": EXAMPLE_KEY})
        page.headers[CONTENT_SECURITY_POLICY] = _POLICY
        return page


@require_safe
def front_end(request: HttpRequest, file: str = _PAGE) -> HttpResponseBase:
    """Return the example front end or one of its files; all data that it requests need a token.

    `file` is a path below the folder of the front end; the route admits names of style sheets
    and modules only. Browsers keep the files and ask each time whether they have changed.
    """
    folder: Path = settings.FRONTEND_FOLDER
    path = folder / file
    if not path.is_file():
        return problems.not_found(request)
    content = path.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"Cache-Control": "no-cache", "ETag": etag}
    response = HttpResponse(content, content_type=_MEDIA_TYPES[path.suffix], headers=headers)
    answer = get_conditional_response(request, etag=etag, response=response) or response
    # A browser replaces the headers that it has kept by those of "304 Not Modified".
    answer.headers[CONTENT_SECURITY_POLICY] = _POLICY
    return answer
