"""Headers of responses that no single view sends."""

from typing import Any

from apps.api.http import deprecation
from apps.api.http.middleware import HEADER as REQUEST_ID
from apps.api.http.problems import PROBLEM_JSON

HEADERS: dict[str, dict[str, Any]] = {
    REQUEST_ID: {
        "description": "The request's name in the service's log: yours, or a new one.",
        "schema": {"type": "string"},
        "example": "0f8fad5bd9cb469fa16570867728950e",
    },
    "Retry-After": {
        "description": "Seconds to wait before the next try.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 5,
    },
    "WWW-Authenticate": {
        "description": "How to say who you are.",
        "schema": {"type": "string"},
        "example": 'Bearer realm="smallville"',
    },
    "Location": {
        "description": "Where to look what becomes of what was accepted.",
        "schema": {"type": "string", "format": "uri"},
        "example": "https://smallville.example/api/v1/simulations/"
        "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11",
    },
    "Deprecation": {
        "description": "That the request used an old name (RFC 9745): the day on which it was "
        "deprecated, in seconds after 1970. Old names are marked as deprecated here.",
        "schema": {"type": "string"},
        "example": deprecation.HEADERS["Deprecation"],
    },
    "Link": {
        "description": "Where old names are listed, with those that replace them.",
        "schema": {"type": "string"},
        "example": deprecation.HEADERS["Link"],
    },
}
_OF_STATUS = {
    "202": "Location",
    "401": "WWW-Authenticate",
    "429": "Retry-After",
    "503": "Retry-After",
}


def name_headers(
    status: str, response: dict[str, Any], *, takes_old_names: bool = False
) -> None:
    """Add to an answer the headers that every such answer has."""
    headers = response.setdefault("headers", {})
    names = [REQUEST_ID]
    if status in _OF_STATUS and (
        status.startswith("2") or PROBLEM_JSON in response.get("content", {})
    ):
        names.append(_OF_STATUS[status])
    if status.startswith("2") and takes_old_names:
        names += deprecation.HEADERS
    for name in names:
        headers.setdefault(name, {"$ref": f"#/components/headers/{name}"})
