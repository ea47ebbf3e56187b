"""What the fields of an answer may hold: keys of the options of one call, and clock times.

A text field of an answer type is marked with `OneOf("places")`, and its task offers the keys
of that set with each call (L2, W2). The schema of the call lists them as an enumeration.
Nothing is matched by similar spelling: an answer in another form is read as a key only where
it can mean no other key.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import GetJsonSchemaHandler
from pydantic.config import JsonDict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from apps.kernel.text import one_line
from apps.llm.port import JsonSchema

Options = Mapping[str, Sequence[str]]

NO_OPTIONS: Options = {}
# Marks of a schema: the name of the option set; the form of a text; what a field without a
# decision has in place of what cannot be used.
OPTION_SET, FORM, INSTEAD = "x-option-set", "x-form", "x-instead"
CLOCK = "clock"
# The patterns of texts with a fixed form, for servers that hold an answer to its schema; the
# program reads other forms as well. They use only syntax that all dialects have.
_CLOCK_PATTERN = "([01][0-9]|2[0-3]):[0-5][0-9]"
_DATE_PATTERN = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
DATE_FORM: JsonDict = {"pattern": f"^{_DATE_PATTERN}$"}
DATE_OR_TIME_FORM: JsonDict = {"pattern": f"^({_DATE_PATTERN}([ T]{_CLOCK_PATTERN})?)?$"}
EMOJI_FORM: JsonDict = {"pattern": "^[\u2600-\u27bf\U0001f300-\U0001faff]{1,2}$"}

_ENDS = " \t\n.;,\"'`\u2018\u2019\u201c\u201d<>()[]*"
_LIST_NUMBER = re.compile(r"#?(\d{1,3})(?:[.):]\s*|\s+-\s+|$)")


@dataclass(frozen=True, slots=True)
class OneOf:
    """Marks a text field of an answer type: its value is one of the keys of the option set."""

    option_set: str

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the field with the mark."""
        return {**handler(core_schema), OPTION_SET: self.option_set}


@dataclass(frozen=True, slots=True)
class ClockTime:
    """Marks a text field of an answer type: its value is a time of day such as "17:05"."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the field with the mark."""
        return {**handler(core_schema), FORM: CLOCK, "pattern": f"^{_CLOCK_PATTERN}$"}


@dataclass(frozen=True, slots=True)
class Incidental:
    """Marks a text or a whole number that decides nothing, such as an emoji.

    What cannot be used of it is replaced on record, and costs no second answer: by the nearest
    number within the bounds, else by `instead`.
    """

    instead: str | int

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the field with the mark."""
        return {**handler(core_schema), INSTEAD: self.instead}


def call_schema(schema: JsonSchema, options: Options) -> dict[str, Any]:
    """Return the schema of one call: without marks, and with an enumeration for each set.

    It has the fields that apply only (`applying`).

    :raises AssertionError: if a field that is required has no option.
    """
    enumerated = _enumerated(applying(schema, options), options)
    assert isinstance(enumerated, dict), "a schema is an object"
    return enumerated


def applying(schema: JsonSchema, options: Options) -> dict[str, Any]:
    """Return the schema without the optional fields whose option set has no key here."""
    parts = schema.get("$defs", {})
    assert isinstance(parts, Mapping), "definitions are an object"

    def applies(part: Mapping[str, Any]) -> bool:
        if OPTION_SET in part:
            return bool(options[part[OPTION_SET]])
        if "$ref" in part:
            inner = parts[part["$ref"].rpartition("/")[2]]
            required = inner.get("required", ())
            return all(applies(inner["properties"][name]) for name in required)
        return applies(part["items"]) if "items" in part else True

    def fields_of(part: Mapping[str, Any]) -> dict[str, Any]:
        if "properties" not in part:
            return dict(part)
        kept = {
            name: field
            for name, field in part["properties"].items()
            if "default" not in field or applies(field)
        }
        return {**part, "properties": kept}

    whole = fields_of(schema)
    if parts:
        known = {name: fields_of(part) for name, part in parts.items()}
        whole["$defs"] = {name: known[name] for name in known if name in _named(whole, known)}
    return whole


def _named(part: object, known: Mapping[str, Any]) -> set[str]:
    """Return the names of the definitions that a part of a schema needs."""
    if isinstance(part, list):
        return {name for inner in part for name in _named(inner, known)}
    if not isinstance(part, Mapping):
        return set()
    named = {
        name for key, inner in part.items() if key != "$defs" for name in _named(inner, known)
    }
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        named |= {name, *_named(known[name], known)}
    return named


def key_meant(answered: str, keys: Sequence[str]) -> str | None:
    """Return the only key that the text can mean, None without one or with several.

    Accepted are another case, quotation marks or a full stop around the key, its number in the
    list (from 1) with or without the key, and a path without its beginning or with the town
    before it.
    """
    text = one_line(answered).strip(_ENDS).casefold()
    numbered = _LIST_NUMBER.match(text)
    by_number: str | None = None
    if numbered is not None and 1 <= int(numbered[1]) <= len(keys):
        by_number = keys[int(numbered[1]) - 1]
        rest = text[numbered.end() :].strip(_ENDS)
        if not rest:
            return by_number
        text = rest
    for form in (_is_same, _is_part):
        found = [key for key in keys if form(text, key.casefold())]
        if found:
            only = found[0] if len(set(found)) == 1 else None
            return only if by_number in (None, only) else None
    return None


def _is_same(text: str, key: str) -> bool:
    return text == key.strip(_ENDS)


def _is_part(text: str, key: str) -> bool:
    return bool(text) and (key.endswith(f": {text}") or text.endswith(f": {key}"))


def _enumerated(schema: object, options: Options) -> object:
    if isinstance(schema, list):
        return [_enumerated(part, options) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    parts: dict[str, Any] = dict(_enumerated_parts(schema, options))
    for mark in (FORM, INSTEAD):
        parts.pop(mark, None)
    if (option_set := parts.pop(OPTION_SET, None)) is not None:
        assert options.get(option_set), f"the task offers no keys of the set {option_set!r}"
        parts["enum"] = list(dict.fromkeys(options[option_set]))
    return parts


def _enumerated_parts(
    schema: Mapping[str, object], options: Options
) -> Iterator[tuple[str, object]]:
    for name, part in schema.items():
        yield name, _enumerated(part, options)
