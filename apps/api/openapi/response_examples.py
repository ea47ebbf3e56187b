"""Examples of responses: real ones, shortened, each in a file that `make examples` records.

A file is named for the component of the response (`Simulation.json`, which serves lists of
them, too), or for the operation's id where the response has none. A stream of events is text:
`followEvents.txt`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "examples"
JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"
_COMPONENT = "#/components/schemas/"


def add_examples(document: dict[str, Any], operation: dict[str, Any]) -> None:
    """Add the examples to the successful responses of an operation."""
    for status, response in operation["responses"].items():
        contents = response.get("content", {})
        if STREAM_TYPE in contents:
            text = (FOLDER / f"{operation['operationId']}.txt").read_text("utf-8")
            # A block ends with an empty line.
            contents[STREAM_TYPE].setdefault("example", f"{text}\n")
        content = contents.get(JSON_TYPE)
        if (
            content is None
            or not status.startswith("2")
            or {"example", "examples"} & {*content}
        ):
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
    file = file_of(document, name)
    example = _read_example(file)
    return example if example is None or file == name else {"results": [example], "next": None}


def file_of(document: dict[str, Any], name: str) -> str:
    """Return the name of the file with the example of that name: the item's, for a list."""
    members = document["components"]["schemas"].get(name, {}).get("properties", {})
    if set(members) != {"results", "next"}:
        return name
    return component_of(members["results"].get("items", {})) or name


@cache
def _read_example(name: str) -> Any:
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else None
