"""Headers of answers that no single view sends."""

from typing import Any

from apps.api.errors import PROBLEM_JSON
from apps.api.middleware import HEADER as REQUEST_ID

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
}
_OF_STATUS = {"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"}


def name_headers(status: str, response: dict[str, Any]) -> None:
    """Add to an answer the headers that every such answer has."""
    headers = response.setdefault("headers", {})
    names = [REQUEST_ID]
    if status in _OF_STATUS and PROBLEM_JSON in response.get("content", {}):
        names.append(_OF_STATUS[status])
    for name in names:
        headers.setdefault(name, {"$ref": f"#/components/headers/{name}"})
