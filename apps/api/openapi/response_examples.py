"""Examples of responses: real ones, shortened, in a file named for the component.

A file is named for the schema's component (`Simulation.json`: for every operation that answers
with one, and for lists of them), or for the operation's id where the answer has none. A stream
of events is text: `followEvents.txt`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "examples"
JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"
_COMPONENT = "#/components/schemas/"


def show_answers(document: dict[str, Any], operation: dict[str, Any]) -> None:
    """Give the answers of an operation that went well the examples that there are of them."""
    for status, response in operation["responses"].items():
        stream = response.get("content", {}).get(STREAM_TYPE)
        if stream is not None:
            text = (FOLDER / f"{operation['operationId']}.txt").read_text("utf-8")
            stream.setdefault("example", f"{text}\n")  # a block ends with an empty line
        content = response.get("content", {}).get(JSON_TYPE)
        if content is None or not status.startswith("2") or _has_own(content):
            continue
        name = component_of(content["schema"]) or operation["operationId"]
        shown = example_of(document, name)
        if shown is not None:
            document["components"].setdefault("examples", {})[name] = {"value": shown}
            content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


def component_of(schema: dict[str, Any]) -> str | None:
    """Return the name of the component that a schema is a reference to."""
    reference: str = schema.get("$ref", "")
    return reference.removeprefix(_COMPONENT) or None


def example_of(document: dict[str, Any], name: str) -> Any:
    """Return the example of that name, a list's made of its item's; None if there is none."""
    kept = kept_example(file_of(document, name))
    if kept is None or file_of(document, name) == name:
        return kept
    return {"results": [kept], "next": None}


def file_of(document: dict[str, Any], name: str) -> str:
    """Return the name of the file with the example of that name: the item's, for a list."""
    members = document["components"]["schemas"].get(name, {}).get("properties", {})
    if set(members) != {"results", "next"}:
        return name
    return component_of(members["results"].get("items", {})) or name


@cache
def kept_example(name: str) -> Any:
    """Return what the file of that name holds; None if there is none."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else None


def _has_own(content: dict[str, Any]) -> bool:
    return "example" in content or "examples" in content
