"""What every operation has in common is put into the schema here, so that none forgets it."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from apps.access.idempotency import KEY_PATTERN
from apps.api.http.idempotency_keys import HEADER, REPLAYED
from apps.api.http.problems import PROBLEM_JSON
from apps.api.openapi.path_parameters import PATH_PARAMETERS

_PROBLEM_REF = {"$ref": "#/components/schemas/ProblemDocument"}
_UNSAFE = frozenset({"post", "put", "patch", "delete"})

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
