"""What every operation has in common is put into the schema here, so that none forgets it."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse

from apps.access.answers import KEY_PATTERN
from apps.api.authentication import SCHEME, BearerToken
from apps.api.errors import PROBLEM_JSON
from apps.api.fields import SLUG_PATTERN, ProblemDocument, Strict
from apps.api.idempotency import HEADER, REPLAYED
from apps.api.moments import TICK_MAX

_EXAMPLE_ID = "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11"
_PROBLEM_REF = {"$ref": "#/components/schemas/ProblemDocument"}
_UNSAFE = frozenset({"post", "put", "patch", "delete"})

PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "simulation": {
        "description": "The simulation's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "agent": {
        "description": "The person's slug.",
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "command": {
        "description": "The command's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "interview": {
        "description": "The interview's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "embodiment": {
        "description": "The embodiment's id: its number in the simulation.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "number": {
        "description": "The memory's id: its number in the person's stream.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 12,
    },
    "tick": {
        "description": "The first part of the id.",
        "schema": {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
        "example": 2490,
    },
    "stream": {
        "description": 'The second part of the id: a slug, "commands" or "simulation".',
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "opener": {
        "description": "The second part of the id: the slug of who opened it.",
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "ordinal": {
        "description": "The third part of the id.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "chain": {
        "description": "The third part of the id.",
        "schema": {"type": "string", "pattern": r"^[a-z0-9_.]{1,80}$"},
        "example": "planning.day_outline",
    },
    "call": {
        "description": "The fourth part of the id.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "username": {
        "description": "The user's name.",
        "schema": {"type": "string", "maxLength": 150},
        "example": "klaus",
    },
    "file": {
        "description": "The name of an image, as the map has it.",
        "schema": {"type": "string"},
        "example": "tileset.png",
    },
}

_WORDS = {
    "400": "The body is not JSON (`malformed-body`), or the request cannot be read.",
    "401": "The token is missing (`token-missing`) or not valid (`token-invalid`).",
    "403": "A session without a CSRF token, or a right that you have not.",
    "404": "There is nothing of that name here, or it is not yours.",
    "409": "The first request with this Idempotency-Key is under way "
    "(`idempotency-in-progress`), or what is asked for cannot be now.",
    "411": "The body's length was not said beforehand (`length-required`).",
    "413": "The body is too large (`body-too-large`).",
    "415": "The body is not of the type application/json (`unsupported-media-type`).",
    "422": "A value cannot be used; `errors` says which (`invalid-request`), or `code` why.",
    "429": "There are too many requests (`throttled`); wait for Retry-After seconds.",
    "503": "The database does not answer (`database-unavailable`).",
}

EXAMPLE_KEY = "8e03978e-40d5-43e8-bc93-6894a57f9324"
_KEY_PARAMETER: dict[str, Any] = {
    "in": "header",
    "name": HEADER,
    "description": "A new name for what is to be done once: a repeat under the same key is "
    "answered as the first was, for a day. Another request under it gets 422 "
    "(`idempotency-key-reused`).",
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "example": EXAMPLE_KEY,
}
_REPLAYED_HEADER = {
    REPLAYED: {
        "description": "That this is the answer of an earlier request with this key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """What the schema says about tokens."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": SCHEME,
            "description": "A token made in the admin, or by `manage.py issue_token`.",
        }


class StrictScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Says in the schema that a body holds nothing unknown."""

    target_class = Strict
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the serializer's schema, closed."""
        schema = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return {**schema, "additionalProperties": False}


class CommandScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Calls a command otherwise than its member `command`, which it would shadow in clients."""

    target_class = "apps.api.commanding.Command"

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:  # noqa: ARG002
        """Return the name of the component."""
        return "CommandStatus"

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the serializer's schema as it is."""
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return schema


def refusal(words: str) -> OpenApiResponse:
    """Return how an operation's own refusal is described; its document is the problem's."""
    return OpenApiResponse(ProblemDocument, description=words)


def problem(status: int) -> tuple[int, str]:
    """Return the key of a refusal among an operation's responses."""
    return (status, PROBLEM_JSON)


NO_SUCH_PERSON: dict[tuple[int, str], Any] = {
    problem(404): refusal("There is no such simulation or person (`agent-unknown`).")
}
"""Among the responses of whatever is asked about somebody by a parameter of the query."""


def complete_operations(
    result: dict[str, Any],
    generator: object,  # noqa: ARG001 (the framework's signature)
    request: object,  # noqa: ARG001
    public: bool,  # noqa: ARG001
) -> dict[str, Any]:
    """Describe path parameters and add the problems that any operation can answer with."""
    for method, operation in _operations(result):
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                parameter.update(PATH_PARAMETERS[parameter["name"]])
        if method in _UNSAFE:
            operation.setdefault("parameters", []).append(_KEY_PARAMETER)
        for status in _common_statuses(method, operation):
            operation["responses"].setdefault(status, _problem_response(_WORDS[status]))
        operation["responses"] = dict(sorted(operation["responses"].items()))
        for status, response in operation["responses"].items():
            response["description"] = response["description"] or HTTPStatus(int(status)).phrase
            if method in _UNSAFE:
                response["headers"] = response.get("headers", {}) | _REPLAYED_HEADER
    result["components"]["schemas"].setdefault("ProblemDocument", {"type": "object"})
    return result


def _operations(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for operations in result["paths"].values():
        yield from operations.items()


def _common_statuses(method: str, operation: dict[str, Any]) -> Iterator[str]:
    parameters = operation.get("parameters", ())
    yield "422"
    is_open = {} in operation.get("security", ())
    if not is_open:
        yield from ("401", "429", "503")
        if method in _UNSAFE:
            yield from ("403", "409")
    if any(parameter["in"] == "path" for parameter in parameters):
        yield "404"
    if method in {"post", "put", "patch"}:
        yield from ("400", "411", "413", "415")


def _problem_response(words: str) -> dict[str, Any]:
    return {"description": words, "content": {PROBLEM_JSON: {"schema": _PROBLEM_REF}}}
