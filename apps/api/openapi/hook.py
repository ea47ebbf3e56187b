"""The last step of generating the document: texts, headers, examples and links."""

from itertools import chain
from typing import Any

from apps.api.http.middleware import HEADER as REQUEST_ID
from apps.api.http.problems import PROBLEM_JSON
from apps.api.openapi.errors import problem_examples
from apps.api.openapi.links import link_operations
from apps.api.openapi.response_examples import add_examples
from apps.api.openapi.tags import SERVERS, TAGS, info_members


def _header(description: str, example: object, kind: str = "string", **schema: Any) -> Any:
    return {"description": description, "schema": {"type": kind, **schema}, "example": example}


HEADERS: dict[str, dict[str, Any]] = {
    REQUEST_ID: _header(
        "The request's name in the service's log: yours, or a new one.",
        "0f8fad5bd9cb469fa16570867728950e",
    ),
    "Retry-After": _header("Seconds to wait before the next try.", 5, "integer", minimum=1),
    "WWW-Authenticate": _header("How to authenticate.", 'Bearer realm="smallville"'),
    "Location": _header(
        "The address of the status of what was accepted.",
        "https://smallville.example/api/v1/simulations/5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11",
        format="uri",
    ),
}
_OF_STATUS = {
    "202": "Location",
    "401": "WWW-Authenticate",
    "429": "Retry-After",
    "503": "Retry-After",
}


def complete_document(
    result: dict[str, Any],
    generator: object,  # noqa: ARG001 (the framework's signature)
    request: object,  # noqa: ARG001
    public: bool,  # noqa: ARG001
) -> dict[str, Any]:
    """Add tags, headers, examples and links to the generated document."""
    result["info"] |= info_members()
    result["servers"] = SERVERS
    result["tags"] = [{"name": name, "description": words} for name, words in TAGS.items()]
    components = result["components"]
    components["headers"] = HEADERS
    codes: set[str] = set()
    for operation in chain.from_iterable(path.values() for path in result["paths"].values()):
        # Programs look for the description of a parameter beside its schema.
        for parameter in operation.get("parameters", ()):
            if description := parameter["schema"].get("description"):
                parameter.setdefault("description", description)
        add_examples(result, operation)
        for status, response in operation["responses"].items():
            response["description"] = str(response["description"])  # some are translated late
            _name_headers(status, response)
            codes |= set(response.get("content", {}).get(PROBLEM_JSON, {}).get("examples", ()))
    link_operations(result)
    components["examples"] = problem_examples(codes) | components.get("examples", {})
    return result


def _name_headers(status: str, response: dict[str, Any]) -> None:
    """Add to a response the headers that every such response has."""
    is_good = status.startswith("2")
    names = [REQUEST_ID]
    if status in _OF_STATUS and (is_good or PROBLEM_JSON in response.get("content", {})):
        names.append(_OF_STATUS[status])
    headers = response.setdefault("headers", {})
    for name in names:
        headers.setdefault(name, {"$ref": f"#/components/headers/{name}"})
