"""The parsers of bodies: JSON within bounds in composed letters, and archives."""

import json
from collections.abc import Iterable, Mapping
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from apps.api.http.request_errors import (
    BodyTooLarge,
    FieldError,
    InvalidRequest,
    LengthRequired,
    MalformedBody,
    json_pointer,
)
from apps.kernel.text import compose

DEPTH_MAX = 16
# A client that is still sending reads the response only after its body was received.
_READ_ON_BYTES_MAX = 64_000_000
_CHUNK_BYTES = 65_536


class BoundedJSONParser(BaseParser):
    """Parses JSON by RFC 8259: UTF-8, no NaN, within a depth."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:  # a JSON document
        """Return the document.

        :raises BodyTooLarge: if it is longer than settings.DATA_UPLOAD_MAX_MEMORY_SIZE.
        :raises MalformedBody: if it is not JSON.
        :raises InvalidRequest: if it is nested too deeply.
        """
        body = _read(stream, int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0))
        try:
            document = json.loads(body.decode(), parse_constant=_reject_constant)
        except RecursionError:
            raise _too_deep("") from None
        except ValueError as error:
            raise MalformedBody(f"the body is not JSON in UTF-8: {error}") from None
        _require_flat(document, "", 0)
        return compose(document)


def require_content_length(request: Request) -> None:
    """Reject a chunked body, whose length is unknown until it has been read.

    :raises LengthRequired: if there is one.
    """
    if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
        raise LengthRequired("send the body's length in the header Content-Length")


def _read(stream: IO[Any], bytes_max: int) -> bytes:
    body: bytes = stream.read(bytes_max + 1)
    if len(body) <= bytes_max:
        return body
    read = len(body)
    while read < _READ_ON_BYTES_MAX and (chunk := stream.read(_CHUNK_BYTES)):
        read += len(chunk)
    raise BodyTooLarge(f"the body is longer than {bytes_max:,} bytes; send less")


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _require_flat(value: object, pointer: str, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise _too_deep(pointer)
    below: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        below = value.items()
    elif isinstance(value, list):
        below = enumerate(value)
    for name, one in below:
        _require_flat(one, json_pointer(pointer, name), depth + 1)


def _too_deep(pointer: str) -> InvalidRequest:
    detail = f"the body is nested more than {DEPTH_MAX} levels deep; make it flatter"
    return InvalidRequest(
        [FieldError(pointer=pointer, code="too-deeply-nested", detail=detail)]
    )


# Generators of clients know no type application/zip.
ARCHIVE_TYPE = "application/octet-stream"
_IN_MEMORY_BYTES_MAX = 1_000_000


class ArchiveParser(BaseParser):
    """Reads a body of bytes to a file that can be sought in."""

    media_type = ARCHIVE_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:  # a file
        """Return the file.

        :raises BodyTooLarge: if it is longer than settings.IMPORT_BYTES_MAX.
        """
        file = SpooledTemporaryFile(_IN_MEMORY_BYTES_MAX)  # noqa: SIM115 (the view reads it)
        size = 0
        while chunk := stream.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > settings.IMPORT_BYTES_MAX:
                file.close()
                raise BodyTooLarge(
                    f"an archive has at most {settings.IMPORT_BYTES_MAX:,} bytes here; import "
                    "a larger one with `manage.py import`"
                )
            file.write(chunk)
        file.seek(0)
        return file


class ZipParser(ArchiveParser):
    """The same for a body that is declared as a ZIP file."""

    media_type = "application/zip"
