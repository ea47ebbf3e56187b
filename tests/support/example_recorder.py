"""Records the examples of the OpenAPI document from what tests send and what they get.

Of all responses with one component the example is the one with the most members that are
filled, then the shortest. The bodies of an operation are the shortest, and those with the most
members that none before has. Ids, the clock of the machine and the address of the service are
replaced, so that a second run records the same.
"""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

from apps.api.openapi.hook import (
    FOLDER,
    JSON_TYPE,
    REQUEST_EXAMPLES,
    component_of,
    file_of,
)
from apps.api.operations.documentation import schema_document
from tests.support.openapi_faults import closed_document, misfits, operations_of

ITEMS_MAX, CHARACTERS_MAX = 2, 300
BODIES_MAX, BODY_CHARACTERS_MAX = 4, 1_500
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MACHINE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_MODEL_OF_TESTS = re.compile(r'"model": "(own|test)"')
_TIME_SHOWN = "2026-11-02T09:30:00Z"
_SEED = 7


class ExampleRecorder:
    """Keeps the best response of each component, and the bodies of each operation."""

    def __init__(self) -> None:
        self._best: dict[str, tuple[tuple[int, int, str], Any]] = {}
        self._bodies: defaultdict[str, dict[str, Any]] = defaultdict(dict)

    def note(self, operation: dict[str, Any], body: object, response: Any) -> None:
        """Take a request and its response into account if it is a successful one."""
        is_packed = "Content-Encoding" in response.headers
        if response.status_code < 300 and not is_packed:
            self._note_body(operation, body)
            self._note_response(operation, response)

    def _note_body(self, operation: dict[str, Any], body: object) -> None:
        content = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE)
        if content is None or body is None:
            return
        sent = json.loads(_fixed_body(json.dumps(body, ensure_ascii=False)))
        text = json.dumps(sent, ensure_ascii=False)
        known = self._bodies[operation["operationId"]]
        is_new = text not in known and len(text) <= BODY_CHARACTERS_MAX
        if is_new and not any(misfits(_document(), content["schema"], sent)):
            known[text] = sent

    def _note_response(self, operation: dict[str, Any], response: Any) -> None:
        content = operation["responses"].get(str(response.status_code), {}).get("content", {})
        schema = content.get(JSON_TYPE, {}).get("schema", {})
        component = component_of(schema)
        is_json = str(response.headers.get("Content-Type", "")).startswith(JSON_TYPE)
        if component is None or not is_json:
            return
        document, value = _document(), response.json()
        name = file_of(document, component)
        if name != component:
            schema, value = {"$ref": f"#/components/schemas/{name}"}, _first(value["results"])
        if value is None:
            return
        shown = json.loads(_fixed(json.dumps(_shortened(value), ensure_ascii=False)))
        text = json.dumps(shown, ensure_ascii=False)
        rank = (-len(set(_filled(shown))), len(text), text)
        is_best = name not in self._best or rank < self._best[name][0]
        if is_best and not any(misfits(document, schema, shown)):
            self._best[name] = (rank, shown)

    def write(self) -> None:
        """Write the examples, each into its file."""
        for name, (_, shown) in self._best.items():
            text = json.dumps(shown, ensure_ascii=False, indent=2)
            (FOLDER / f"{name}.json").write_text(f"{text}\n", "utf-8")
        known = {operation["operationId"] for *_, operation in operations_of(schema_document())}
        kept = json.loads(REQUEST_EXAMPLES.read_text("utf-8"))
        bodies = {name: shown for name, shown in kept.items() if name in known} | {
            name: dict(_chosen([*found.values()]))
            for name, found in self._bodies.items()
            if found
        }
        text = json.dumps(bodies, ensure_ascii=False, indent=2, sort_keys=True)
        REQUEST_EXAMPLES.write_text(f"{text}\n", "utf-8")


@cache
def _document() -> dict[str, Any]:
    return closed_document(schema_document())


def _chosen(bodies: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield examples by name: the shortest body, then those with members that none before has.

    A reader begins with the shortest. It has no moments or names that few towns have.
    """
    bodies = [one for one in bodies if {*_filled(one)}] or bodies[:1]
    shown: set[str] = set()
    names: Counter[str] = Counter()
    for _ in range(BODIES_MAX):
        ranks = [
            (-len({*_filled(one)} - shown) if shown else 0, len(str(one)), json.dumps(one), one)
            for one in bodies
        ]
        *_, body = min(ranks, key=lambda rank: rank[:3])
        if names and not {*_filled(body)} - shown:
            return
        shown |= {*_filled(body)}
        words = ", ".join(body) or "no members"
        names[words] += 1
        number = f" {names[words]}" if names[words] > 1 else ""
        summary = f"{words}{number}"
        key = "".join(one.capitalize() for one in re.findall(r"[a-z0-9]+", summary))
        yield key, {"summary": summary, "value": body}


def _first(results: list[Any]) -> Any:
    return results[0] if results else None


def _shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [_shortened(one) for one in value[:ITEMS_MAX]]
    if isinstance(value, dict):
        return {name: _shortened(one) for name, one in value.items()}
    if isinstance(value, str) and len(value) > CHARACTERS_MAX:
        return f"{value[:CHARACTERS_MAX]}…"
    return value


def _fixed(text: str) -> str:
    """Return the JSON with ids in a fixed order, one time, and one address."""
    chosen = random.Random(_SEED)
    ids = {found: str(UUID(int=chosen.getrandbits(128), version=4)) for found in _ids_in(text)}
    text = _ID.sub(lambda found: ids[found[0]], text)
    text = _MACHINE_TIME.sub(_TIME_SHOWN, text)
    return text.replace("http://testserver/", "https://smallville.example/")


def _fixed_body(text: str) -> str:
    """Return the JSON of a body with a model that every service has."""
    return _MODEL_OF_TESTS.sub('"model": "offline"', _fixed(text))


def _ids_in(text: str) -> list[str]:
    return list(dict.fromkeys(_ID.findall(text)))


def _filled(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the members that are not empty."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _filled(one, f"{path}/{name}")
    elif isinstance(value, list):
        for one in value:
            yield from _filled(one, path)
    elif value not in {None, ""}:
        yield path
