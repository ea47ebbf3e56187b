"""ETags: conditional reads and changes of a resource."""

import hashlib
from http import HTTPStatus
from typing import Any

from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.request_errors import VersionPassed

ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[HTTPStatus.OK],
    description="The version; send it back in If-Match or If-None-Match.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag that was read: if it has changed since, the answer is 412.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag that was read: as long as it is the same, the answer is 304.",
)


def etag_of(shown: dict[str, Any]) -> str:
    """Return the ETag of a representation."""
    return f'"{hashlib.sha256(JSONRenderer().render(shown)).hexdigest()[:32]}"'


def versioned_response(request: Request, shown: dict[str, Any]) -> Response:
    """Return the resource with its ETag; 304 if that is what the client has."""
    etag = etag_of(shown)
    if request.method not in {"GET", "HEAD"}:
        return Response(shown, headers={"ETag": etag})
    known = [tag.removeprefix("W/") for tag in parse_etags(_header(request, "If-None-Match"))]
    if etag in known or "*" in known:
        return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    return Response(shown, headers={"ETag": etag})


def require_current_version(request: Request, shown: dict[str, Any]) -> None:
    """Check that the resource has not changed since it was read.

    Call it while the resource is locked, or two requests could pass it at once.

    :raises VersionPassed: if there is a header If-Match, and it names another version.
    """
    inputs = request.headers.get("If-Match")
    if inputs is None:
        return
    named = parse_etags(inputs)
    if "*" not in named and etag_of(shown) not in named:
        raise VersionPassed(
            "this has changed since the version in If-Match; read it again, and send its ETag"
        )


def _header(request: Request, name: str) -> str:
    inputs: str = request.headers.get(name, "")
    return inputs
