"""ETags: conditional reads and changes of a resource, and reads as of a past moment."""

import hashlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.request_errors import VersionPassed
from apps.api.http.views import header

UNCHANGING = "private, max-age=31536000, immutable"
"""The Cache-Control of committed history: a client need not ask again within a year."""
_ETAG_CHARACTERS = 32
_KEPT = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")
ETAG = header(
    "ETag",
    "The version; send it back in If-Match or If-None-Match.",
    response=[HTTPStatus.OK],
)
IF_MATCH = header(
    "If-Match", "The ETag that was read: if it has changed since, the response is 412."
)
IF_NONE_MATCH = header(
    "If-None-Match", "The ETag that was read: as long as it is the same, the response is 304."
)


def etag_of(shown: dict[str, Any]) -> str:
    """Return the ETag of a representation."""
    return f'"{hashlib.sha256(JSONRenderer().render(shown)).hexdigest()[:_ETAG_CHARACTERS]}"'


def versioned_response(request: Request, shown: dict[str, Any]) -> Response:
    """Return the resource with its ETag; 304 to a GET of the version that the client has."""
    etag = etag_of(shown)
    if request.method in {"GET", "HEAD"} and client_has(request, etag):
        return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    return Response(shown, headers={"ETag": etag})


def client_has(request: Request, etag: str) -> bool:
    """Return whether the header If-None-Match names the version."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return bool({etag, "*"} & {tag.removeprefix("W/") for tag in known})


def require_current_version(request: Request, show: Callable[[], dict[str, Any]]) -> None:
    """Check that the resource has not changed since it was read.

    Call it while the resource is locked, or two requests could pass it at once.

    :param show: returns the representation; it is called if the request names a version.
    :raises VersionPassed: if the header If-Match names another version.
    """
    expected = request.headers.get("If-Match")
    if expected is not None and not {etag_of(show()), "*"} & {*parse_etags(expected)}:
        raise VersionPassed(
            "this has changed since the version in If-Match; read it again, and send its ETag"
        )


def validate_response(request: Request, response: Response, *, is_unchanging: bool) -> None:
    """Give a response its ETag when it is rendered, and answer 304 if the client has it.

    :param is_unchanging: whether no later request can get another response.
    """
    if is_unchanging:
        response.headers["Cache-Control"] = UNCHANGING
        # A cache of a browser is shared by the users that log in one after the other.
        patch_vary_headers(response, ("Authorization", "Cookie"))

    def validated(rendered: Any) -> HttpResponseNotModified | None:
        digest = hashlib.sha256(rendered.content).hexdigest()[:_ETAG_CHARACTERS]
        rendered.headers["ETag"] = etag = f'"{digest}"'
        if not client_has(request, etag):
            return None
        kept = {name: rendered.headers[name] for name in _KEPT if name in rendered.headers}
        return HttpResponseNotModified(headers=kept)

    response.add_post_render_callback(validated)
