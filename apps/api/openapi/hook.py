"""The last step of generating the document: texts, headers, examples and links."""

from collections.abc import Iterator
from typing import Any

from apps.api.http.problems import PROBLEM_JSON
from apps.api.openapi.errors import problem_examples
from apps.api.openapi.headers import HEADERS, name_headers
from apps.api.openapi.links import link_operations
from apps.api.openapi.response_examples import JSON_TYPE, component_of, show_answers
from apps.api.openapi.tags import SERVERS, TAGS, info_members


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
    for operation in _operations(result):
        _describe_parameters(operation)
        show_answers(result, operation)
        takes_old_names = _takes_old_names(result, operation)
        for status, response in operation["responses"].items():
            response["description"] = str(response["description"])  # some are translated late
            name_headers(status, response, takes_old_names=takes_old_names)
            codes |= set(response.get("content", {}).get(PROBLEM_JSON, {}).get("examples", ()))
    link_operations(result)
    components["examples"] = problem_examples(codes) | components.get("examples", {})
    return result


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in result["paths"].values():
        yield from operations.values()


def _takes_old_names(result: dict[str, Any], operation: dict[str, Any]) -> bool:
    """Return whether the body of an operation has a deprecated member."""
    content = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE, {})
    name = component_of(content.get("schema", {}))
    body = result["components"]["schemas"].get(name, {})
    return any(member.get("deprecated") for member in body.get("properties", {}).values())


def _describe_parameters(operation: dict[str, Any]) -> None:
    """Put the words of a parameter's kind where programs look for them."""
    for parameter in operation.get("parameters", ()):
        words = parameter["schema"].get("description")
        if words:
            parameter.setdefault("description", words)
