"""Cursors of lists: the keys of a page's last row, signed, as an opaque text."""

import json
from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from apps.api.http.request_errors import FieldError, InvalidRequest

UNUSABLE_CURSOR = "no page ends here; follow the address in `next` as it stands"


def encode_cursor(*keys: object) -> str:
    """Return a cursor that holds the keys; those that JSON does not know become texts."""
    plain = json.dumps(keys, separators=(",", ":"), ensure_ascii=False, default=str)
    return urlsafe_base64_encode(_signer().sign(plain).encode())


def decode_cursor(cursor: str) -> list[Any]:
    """Return the keys in a cursor.

    :raises InvalidRequest: if the service has not made it.
    """
    try:
        keys = json.loads(_signer().unsign(urlsafe_base64_decode(cursor).decode()))
    except (ValueError, BadSignature):
        raise cursor_error("unusable-cursor", UNUSABLE_CURSOR) from None
    return list(keys)


def cursor_error(code: str, detail: str) -> InvalidRequest:
    """Return an error of the parameter `cursor`."""
    return InvalidRequest([FieldError(parameter="cursor", code=code, detail=detail)])


def _signer() -> Signer:
    return Signer(salt="smallville.cursor")
