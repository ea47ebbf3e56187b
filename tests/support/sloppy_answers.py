"""Sloppy forms of good answers, as careless and small models give them, by the schema alone.

A case changes the form of an answer, not its meaning. It must be read as the same answer, as
given ("kept") or with recorded differences ("repaired"), or be refused and asked again.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from apps.llm.answers.answer_options import (
    CLOCK,
    FORM,
    INSTEAD,
    OPTION_SET,
    Options,
    applying,
)
from apps.llm.answers.json_schema import schema_of

JsonObject = dict[str, Any]
HOURS_PER_DAY = 24


class Reading(StrEnum):
    """What comes of a sloppy answer."""

    KEPT = "kept"
    REPAIRED = "repaired"
    ASKED_AGAIN = "asked again"


# The kind of a change, the changed value, and what it must come to.
Change = tuple[str, Any, Reading]


@dataclass(frozen=True, slots=True, kw_only=True)
class SloppyAnswer:
    """A raw text, the kind of its sloppiness, and what it may come to."""

    kind: str
    where: str
    text: str
    reading: Reading
    means: JsonObject


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value in an answer: its path of keys and positions, its schema, and the value."""

    path: tuple[str | int, ...]
    schema: Mapping[str, Any]
    value: Any

    @property
    def where(self) -> str:
        """The path as text."""
        return ".".join(map(str, self.path))


def sloppy_answers(answer: BaseModel, options: Options) -> Iterator[SloppyAnswer]:
    """Yield sloppy forms of the answer, each kind where the answer has a place for it."""
    schema = applying(schema_of(type(answer)), options)
    given = answer.model_dump(mode="json", include=set(schema["properties"]))
    yield from _whole(given, schema)
    seen: set[tuple[str, tuple[str | int, ...]]] = set()
    for leaf in _leaves(schema, given, schema, ()):
        for kind, changed, reading in _changes(leaf, options):
            # One case for each field of a list's items is enough.
            key = (kind, tuple(part for part in leaf.path if isinstance(part, str)))
            if key in seen:
                continue
            seen.add(key)
            yield _case(kind, leaf, given, changed, reading)


def _case(
    kind: str, leaf: Leaf, given: JsonObject, changed: Any, reading: Reading
) -> SloppyAnswer:
    sloppy = deepcopy(given)
    _set(sloppy, leaf.path, changed)
    return SloppyAnswer(
        kind=kind,
        where=leaf.where,
        text=json.dumps(sloppy, ensure_ascii=False),
        reading=reading,
        means=given,
    )


KEPT = frozenset({Reading.KEPT})
REPAIRED = frozenset({Reading.REPAIRED})
ASKED_AGAIN = frozenset({Reading.ASKED_AGAIN})


def _whole(given: JsonObject, schema: Mapping[str, Any]) -> Iterator[SloppyAnswer]:
    """Yield forms that change the text around the values."""
    text = json.dumps(given, ensure_ascii=False)
    properties = schema["properties"]
    needed = {name: given[name] for name in given if "default" not in properties[name]}
    renamed = {f"{name}_of_it": value for name, value in needed.items()}
    capital = {name.title(): value for name, value in given.items()}
    forms: list[tuple[str, str, Reading]] = [
        ("words around it", f"Sure! Here is my answer:\n{text}\nAnything else?", Reading.KEPT),
        ("a code fence", f"```json\n{text}\n```", Reading.KEPT),
        ("thinking before it", f"<think>Hm, {{maybe}} [1].</think>\n{text}", Reading.KEPT),
        ("an object around it", json.dumps({"result": given}), Reading.KEPT),
        ("a comma too many", f"{text[:-1]},}}", Reading.REPAIRED),
        ("no last brace", text[:-1], Reading.REPAIRED),
        ("names in capitals", json.dumps(capital), Reading.REPAIRED),
        ("a field too many", json.dumps(given | {"reasoning": "It fits."}), Reading.REPAIRED),
        ("cut off", text[: len(text) * 2 // 3], Reading.ASKED_AGAIN),
        ("nothing", "", Reading.ASKED_AGAIN),
        ("words alone", "I would rather tell you in my own words.", Reading.ASKED_AGAIN),
    ]
    required = [properties[name] for name in needed]
    is_list = len(required) == 1 and required[0].get("type") == "array"
    # The list of an answer that is one list needs no name.
    reading = Reading.REPAIRED if is_list else Reading.ASKED_AGAIN
    forms.append(("other field names", json.dumps(renamed), reading))
    if '\\"' not in text:
        # An apostrophe inside of a text could be its end.
        quoted = Reading.ASKED_AGAIN if "'" in text else Reading.REPAIRED
        forms.append(("single quotes", text.replace('"', "'"), quoted))
    if is_list:
        values = next(iter(needed.values()))
        forms.append(("a list alone", json.dumps(values, ensure_ascii=False), reading))
    for kind, form, reading in forms:
        means = needed if kind in {"other field names", "a list alone"} else given
        yield SloppyAnswer(kind=kind, where="", text=form, reading=reading, means=means)


def _changes(leaf: Leaf, options: Options) -> Iterator[Change]:
    """Yield changes of one value: the kind, the changed value and what it must come to."""
    value, schema = leaf.value, leaf.schema
    if OPTION_SET in schema:
        yield from _of_key(value, [key for key in options[schema[OPTION_SET]] if key])
    elif "enum" in schema:
        yield from _of_literal(value)
    elif schema.get(FORM) == CLOCK:
        yield from _of_clock(value)
    else:
        changes: Mapping[str, Callable[[Any], Iterator[Change]]]
        changes = {"integer": _of_number, "array": _of_list, "string": _of_text}
        for change in changes.get(schema.get("type", ""), _of_nothing)(value):
            # What decides nothing is replaced, and never asked again.
            if INSTEAD not in schema or change[2] is not Reading.ASKED_AGAIN:
                yield change


def _of_nothing(_: Any) -> Iterator[Change]:
    return iter(())


def _of_literal(value: str) -> Iterator[Change]:
    yield "another case", value.upper(), Reading.REPAIRED
    yield "a value that does not exist", f"{value}ish", Reading.ASKED_AGAIN


def _of_clock(value: str) -> Iterator[Change]:
    hour, minute = divmod(_minutes(value), 60)
    if hour < HOURS_PER_DAY:
        clock = f"{hour % 12 or 12}:{minute:02d} {'am' if hour < 12 else 'pm'}"
        yield "a clock of twelve hours", clock, Reading.REPAIRED
    yield "a time in words", "in the evening", Reading.ASKED_AGAIN


def _of_number(value: int) -> Iterator[Change]:
    yield "a number as text", str(value), Reading.REPAIRED
    yield "a number with its unit", f"{value} minutes", Reading.REPAIRED
    yield "a number in words", "half an hour", Reading.ASKED_AGAIN


def _of_text(value: str) -> Iterator[Change]:
    if value == "":
        yield "null for nothing", None, Reading.REPAIRED
    else:
        yield "a list for a text", [value, value], Reading.ASKED_AGAIN


def _of_key(value: str, keys: list[str]) -> Iterator[Change]:
    if not value:
        yield "null for nothing", None, Reading.REPAIRED
        return
    yield "another case", value.swapcase(), Reading.REPAIRED
    yield "quotation marks around it", f'"{value}".', Reading.REPAIRED
    yield "a name that does not exist", f"{value[:-1]}", Reading.ASKED_AGAIN
    tail = value.rpartition(": ")[2]
    if tail != value:
        is_only = sum(key == tail or key.endswith(f": {tail}") for key in keys) == 1
        yield (
            "a name without its path",
            tail,
            Reading.REPAIRED if is_only else Reading.ASKED_AGAIN,
        )


def _of_list(value: list[Any]) -> Iterator[Change]:
    if not value:
        yield "null for nothing", None, Reading.REPAIRED
    if len(value) == 1:
        yield "one value for a list", value[0], Reading.REPAIRED


def _minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)


def _leaves(
    schema: Mapping[str, Any], value: Any, root: Mapping[str, Any], path: tuple[str | int, ...]
) -> Iterator[Leaf]:
    if isinstance(value, dict) and "anyOf" in schema:
        schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if path:
        yield Leaf(path, schema, value)
    if isinstance(value, dict):
        # A field is left out of a schema where there is nothing to choose from.
        for name in (one for one in value if one in schema["properties"]):
            yield from _leaves(schema["properties"][name], value[name], root, (*path, name))
    elif isinstance(value, list) and "items" in schema:
        for number, part in enumerate(value):
            yield from _leaves(schema["items"], part, root, (*path, number))


def _set(whole: Any, path: tuple[str | int, ...], value: Any) -> None:
    for part in path[:-1]:
        whole = whole[part]
    whole[path[-1]] = value
