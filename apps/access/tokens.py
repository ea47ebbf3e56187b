"""What a token looks like, and what is kept of it."""

import hashlib
import secrets

PREFIX = "sv_"
"""So that a token is recognised where it should not be, as in a commit."""
RANDOM_BYTES = 32
CHARACTERS_MAX = 200


def make_token() -> str:
    """Return a new token, "sv_…"."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def digest_of(token: str) -> str:
    """Return what is kept of a token: its SHA-256 in hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
