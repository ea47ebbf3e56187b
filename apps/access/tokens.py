"""The form of a token, and the hash that is stored of it."""

import hashlib
import re
import secrets

PREFIX = "sv_"
"""Scanners of commits recognise a token by it."""
RANDOM_BYTES = 32
CHARACTERS_MAX = 200
# Of `token_urlsafe`: four characters for three bytes, without padding.
_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{{-(-RANDOM_BYTES * 4 // 3)}}}")


def make_token() -> str:
    """Return a new token, "sv_…"."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def has_token_shape(text: str) -> bool:
    """Return whether a text can be a token; whether it is valid only the database knows."""
    return _SHAPE.fullmatch(text) is not None


def digest_of(token: str) -> str:
    """Return the SHA-256 of a token in hex, which is stored in its place."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
