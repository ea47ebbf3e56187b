"""The Python client has every operation of the OpenAPI document, with all its parameters."""

import inspect
from typing import Any

import pytest

from apps.api.operations.documentation import schema_document
from smallville.exchange import Rows
from smallville.flows import Plan
from smallville.operations import Operations
from tests.support.openapi_faults import operations_of
from tools.python_client import FOLDER, render

OPERATIONS = [operation for _, _, operation in operations_of(schema_document())]
# The pages and files of a list are those of `Rows`; `limit` is an argument of it.
OF_ROWS = {"cursor", "format"}


def method_of(operation: dict[str, Any]) -> Any:
    """Return the method that has the letters of the operation's id."""
    letters = operation["operationId"].lower()
    [method] = [
        getattr(Operations, name)
        for name in dir(Operations)
        if name[0] != "_" and name.replace("_", "") == letters
    ]
    return method


def test_is_made_from_the_document() -> None:
    for name, text in render(schema_document()).items():
        assert (FOLDER / name).read_text("utf-8") == text, f"run `make client`: {name} is old"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: str(one["operationId"]))
def test_has_the_operation(operation: dict[str, Any]) -> None:
    signature = inspect.signature(method_of(operation))
    taken = {name.rstrip("_") for name in signature.parameters}
    described = {
        one["name"] for one in operation.get("parameters", []) if one["in"] in {"path", "query"}
    }
    is_list = "cursor" in described
    assert described - taken - (OF_ROWS if is_list else {"format"}) == set()
    assert is_list == ("Rows" in str(signature.return_annotation))
    bodies = operation.get("requestBody", {}).get("content", {})
    assert ("application/json" in bodies) == ("body" in taken)
    assert ("application/octet-stream" in bodies) == ("archive" in taken)


def test_lists_are_requested_with_what_is_given() -> None:
    rows = Operations(Plan()).list_events("a/b", agent="mei-lin", from_=3, limit=7)
    assert isinstance(rows, Rows)
    request = next(rows.give()).request  # type: ignore[union-attr]
    assert request.path == "/api/v1/simulations/a%2Fb/events"
    assert request.query == {"agent": "mei-lin", "from": 3, "limit": 7}
