"""The options of an answer: the keys that one of its fields may have in one call (L2, W2).

A text field of an answer type is marked with `OneOf("places")`, and its task offers the keys
of that set with each call. The schema of the call lists them as an enumeration. Nothing is
matched by similar spelling: an answer in another form is read as a key only where it can mean
no other key, and the difference is recorded; every other answer is invalid.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from apps.kernel.text import one_line
from apps.llm.answer_text import InvalidAnswer
from apps.llm.differences import Difference
from apps.llm.port import JsonSchema

Options = Mapping[str, Sequence[str]]

NO_OPTIONS: Options = {}
KEYS_SHOWN_MAX = 60
OTHER_FORM = "the option in another form"

_MARK = "x-option-set"
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
        return {**handler(core_schema), _MARK: self.option_set}


def call_schema(schema: JsonSchema, options: Options) -> dict[str, Any]:
    """Return the schema of one call: an enumeration in place of each mark.

    :raises AssertionError: if an option set that the answer type names is not offered.
    """
    enumerated = _enumerated(schema, options)
    assert isinstance(enumerated, dict), "a schema is an object"
    return enumerated


def read_options(
    schema: JsonSchema, options: Options, answer: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[Difference, ...]]:
    """Return the answer with keys of the options in all marked fields, and the differences.

    :param schema: of the answer type, with the marks.
    :raises InvalidAnswer: if a field names no option; the message lists them.
    """
    differences: list[Difference] = []
    reader = _Reader(schema, options, differences)
    read = reader.read(schema, answer, "")
    assert isinstance(read, dict), "an answer is an object"
    return read, tuple(differences)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks an answer along the schema of its type."""

    root: JsonSchema
    options: Options
    differences: list[Difference]

    def read(self, schema: Any, value: Any, path: str) -> Any:
        schema = self._resolved(schema)
        for branch in schema.get("anyOf", ()):
            value = self.read(branch, value, path)
        if isinstance(value, str) and _MARK in schema:
            return self._key(value, schema[_MARK], path)
        if isinstance(value, dict):
            properties = schema.get("properties", {})
            return {
                name: self.read(properties.get(name, {}), part, _joined(path, name))
                for name, part in value.items()
            }
        if isinstance(value, list):
            return [
                self.read(schema.get("items", {}), part, _joined(path, str(number)))
                for number, part in enumerate(value, start=1)
            ]
        return value

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        reference = schema.get("$ref")
        if reference is None:
            return dict(schema)
        definitions = self.root["$defs"]
        assert isinstance(definitions, dict), "definitions are an object"
        return dict(definitions[reference.rpartition("/")[2]])

    def _key(self, answered: str, option_set: str, path: str) -> str:
        keys = self.options[option_set]
        if answered in keys:
            return answered
        key = key_meant(answered, keys)
        if key is None:
            shown = ", ".join(f'"{key}"' for key in keys[:KEYS_SHOWN_MAX])
            raise InvalidAnswer(
                f'"{path}" is {answered[:80]!r}, which is not one of the options: give one of '
                f"{shown}"
            )
        self.differences.append(
            Difference(field=path, answered=answered, used=key, reason=OTHER_FORM)
        )
        return key


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


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _enumerated(schema: object, options: Options) -> object:
    if isinstance(schema, list):
        return [_enumerated(part, options) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    parts: dict[str, Any] = dict(_enumerated_parts(schema, options))
    if (option_set := parts.pop(_MARK, None)) is not None:
        assert options.get(option_set), f"the task offers no keys of the set {option_set!r}"
        parts["enum"] = list(dict.fromkeys(options[option_set]))
    return parts


def _enumerated_parts(
    schema: Mapping[str, object], options: Options
) -> Iterator[tuple[str, object]]:
    for name, part in schema.items():
        yield name, _enumerated(part, options)
