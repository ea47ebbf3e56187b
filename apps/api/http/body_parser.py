"""The parser of bodies: JSON within bounds, of text that can be stored."""

import json
import re
from collections.abc import Iterator, Mapping
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
)

DEPTH_MAX = 16
# A client that is still sending reads the response only after its body was received.
_READ_ON_BYTES_MAX = 64_000_000
_CHUNK_BYTES = 65_536
# Text is stored without control characters; rejecting them loses nothing silently.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class BoundedJSONParser(BaseParser):
    """Parses JSON by RFC 8259: UTF-8, no NaN; control characters are rejected."""

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
        :raises InvalidRequest: if it is nested too deeply or holds text that cannot be kept.
        """
        body = _read(stream, int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0))
        try:
            document = json.loads(body.decode(), parse_constant=_refuse_constant)
        except RecursionError:
            raise _too_deep("") from None
        except ValueError as error:
            raise MalformedBody(f"the body is not JSON in UTF-8: {error}") from None
        _refuse_unusable(document)
        return document


def require_content_length(request: Request) -> None:
    """Reject a chunked body, whose length is unknown until it has been read.

    :raises LengthRequired: if there is one.
    """
    if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
        raise LengthRequired("say the body's length in the header Content-Length")


def _read(stream: IO[Any], bytes_max: int) -> bytes:
    body: bytes = stream.read(bytes_max + 1)
    if len(body) <= bytes_max:
        return body
    read = len(body)
    while read < _READ_ON_BYTES_MAX and (chunk := stream.read(_CHUNK_BYTES)):
        read += len(chunk)
    raise BodyTooLarge(f"the body is longer than {bytes_max:,} bytes; send less")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _refuse_unusable(document: object) -> None:
    """Walk through the document without recursion, since its depth is the sender's choice."""
    waiting: list[tuple[object, str, int]] = [(document, "", 0)]
    while waiting:
        value, pointer, depth = waiting.pop()
        if depth > DEPTH_MAX:
            raise _too_deep(pointer)
        if isinstance(value, str):
            _refuse_unusable_text(value, pointer)
        waiting.extend((below, f"{pointer}/{name}", depth + 1) for name, below in _parts(value))


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, below in value.items():
            _refuse_unusable_text(name, "")
            yield name.replace("~", "~0").replace("/", "~1"), below
    elif isinstance(value, list):
        yield from ((str(index), below) for index, below in enumerate(value))


def _refuse_unusable_text(text: str, pointer: str) -> None:
    control = _CONTROL.search(text)
    if control is not None:
        named = f"U+{ord(control[0]):04X}"
        raise _unusable_text(
            pointer, f"the control character {named} says nothing; leave it out"
        )
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise _unusable_text(pointer, "half of a surrogate pair is no character; leave it out")


def _unusable_text(pointer: str, detail: str) -> InvalidRequest:
    return InvalidRequest([FieldError(pointer=pointer, code="unusable-text", detail=detail)])


def _too_deep(pointer: str) -> InvalidRequest:
    detail = f"the body is nested more than {DEPTH_MAX} levels deep; make it flatter"
    return InvalidRequest(
        [FieldError(pointer=pointer, code="too-deeply-nested", detail=detail)]
    )
