"""Compression of responses with gzip, by their media type and size."""

import zlib
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from apps.api.http.middleware import Middleware

BYTES_MIN = 1_000
"""A smaller body fits one packet either way."""
PADDING_BYTES_MAX = 100
"""As in Django, after the paper "Heal the BREACH" (2022)."""
_MEDIA_TYPES = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/problem+json",
        "application/x-ndjson",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/plain",
        "application/openmetrics-text",
    }
)
_ADMIN = "/admin/"
_WHOLE = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.NOT_MODIFIED})
_GZIP = zlib.MAX_WBITS | 16


class Compression(Middleware):
    """Compresses what is text and worth it, for clients that accept gzip.

    Not compressed:

    - Server-Sent Events, which are no listed media type: a block must not wait for others.
    - A response with a strong ETag. The ETag stands for exactly these bytes, and If-Match takes
      no weak one; such resources are small.
    - Pages of the admin: they hold secrets of a session beside text of a request, which is what
      the attack BREACH needs. All others get padding of random length.

    Django's GZipMiddleware would do none of this, and holds streamed parts back.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, compressed if it can be."""
        response = self._get_response(request)
        if not _is_compressible(request, response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if accepts_gzip(request.headers.get("Accept-Encoding", "")):
            _compress(response)
        return response


def accepts_gzip(header: str) -> bool:
    """Return whether a header Accept-Encoding names gzip with a weight above zero."""
    for coding in header.split(","):
        name, _, parameters = coding.partition(";")
        if name.strip().lower() == "gzip":
            weight = parameters.replace(" ", "").lower().removeprefix("q=")
            return weight.strip("0.") != "" or not weight
    return False


def _is_compressible(request: HttpRequest, response: HttpResponseBase) -> bool:
    if request.path_info.startswith(_ADMIN) or response.status_code in _WHOLE:
        return False
    if response.has_header("Content-Encoding"):
        return False
    media_type = response.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type not in _MEDIA_TYPES:
        return False
    if isinstance(response, HttpResponse):
        has_strong_etag = response.get("ETag", "").startswith('"')
        return len(response.content) >= BYTES_MIN and not has_strong_etag
    # Of a file the length is known; of what is made as it is sent, it is not.
    return int(response.get("Content-Length", str(BYTES_MIN))) >= BYTES_MIN


def _compress(response: HttpResponseBase) -> None:
    if isinstance(response, HttpResponse):
        content = compress_string(response.content, max_random_bytes=PADDING_BYTES_MAX)
        if len(content) >= len(response.content):
            return
        response.content = content
        response.headers["Content-Length"] = str(len(content))
    elif isinstance(response, StreamingHttpResponse):
        parts = response.streaming_content
        response.streaming_content = (
            _compressed_async(parts) if isinstance(parts, AsyncIterator) else _compressed(parts)
        )
        # A file keeps Last-Modified, by which it can be revalidated as well.
        for name in ("Content-Length", "ETag", "Accept-Ranges"):
            response.headers.pop(name, None)
    response.headers["Content-Encoding"] = "gzip"


def _compressed(parts: Iterator[bytes]) -> Iterator[bytes]:
    compressor = zlib.compressobj(wbits=_GZIP)
    for part in parts:
        yield _flushed(compressor, part)
    yield compressor.flush()


async def _compressed_async(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    compressor = zlib.compressobj(wbits=_GZIP)
    async for part in parts:
        yield _flushed(compressor, part)
    yield compressor.flush()


def _flushed(compressor: "zlib._Compress", part: bytes) -> bytes:
    """Return the part compressed, such that the client can read all of it at once."""
    return compressor.compress(part) + compressor.flush(zlib.Z_SYNC_FLUSH)
