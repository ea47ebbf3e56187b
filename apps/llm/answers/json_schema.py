"""JSON schemas of answers, and the form of them that strict servers require."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from apps.kernel.language import ENGLISH, noted, phrase, use_language
from apps.llm.port import JsonSchema

Bounds = Mapping[str, tuple[int, int]]
"""The least and the greatest length or number, by field."""

ANSWER = "answer"
"""The field that has an answer of variants: strict servers know alternatives in fields only."""

ONE_OF_THESE = noted("one of these")
_EXAMPLE = re.compile(r',? such as "[^"]*"')
DESCRIPTION, PATTERN = "description", "pattern"
_OMITTED = frozenset({"default", "title"})


@lru_cache(maxsize=256)
def schema_of(answer_type: type[BaseModel]) -> JsonSchema:
    """Return the JSON schema of an answer type."""
    return answer_type.model_json_schema()


def strict_schema(schema: Mapping[str, object]) -> dict[str, Any]:
    """Return the schema with every property required and nothing else allowed.

    Strict servers refuse defaults, and keywords beside a reference. Titles and the docstrings
    of classes are left out, since they cost tokens; the descriptions of fields are enough.
    """
    strict = _strict(_undescribed(schema))
    assert isinstance(strict, dict), "a schema is an object"
    return strict


def _undescribed(schema: Mapping[str, object]) -> dict[str, object]:
    """Return the schema of an answer without the docstrings of its classes."""
    plain = {key: value for key, value in schema.items() if key != DESCRIPTION}
    parts = schema.get("$defs")
    if isinstance(parts, Mapping):
        plain["$defs"] = {name: _undescribed(part) for name, part in parts.items()}
    return plain


def _strict(schema: object) -> object:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    strict: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs") and isinstance(value, Mapping):
            # The keys are names of fields, which may be "title".
            strict[key] = {name: _strict(part) for name, part in value.items()}
        elif key not in _OMITTED:
            strict[key] = _strict(value)
    if isinstance(strict.get("properties"), dict):
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def described_in(language: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with its descriptions in the language, from the catalogue."""
    if language == ENGLISH:
        return dict(schema)
    with use_language(language):
        described = _described(schema)
    assert isinstance(described, dict), "a schema is an object"
    return described


def descriptions_of(schema: object) -> Iterator[str]:
    """Yield all descriptions of the schema, which the catalogues translate."""
    if isinstance(schema, list):
        for part in schema:
            yield from descriptions_of(part)
    elif isinstance(schema, Mapping):
        for name, part in schema.items():
            if name == DESCRIPTION and isinstance(part, str):
                yield part
            else:
                yield from descriptions_of(part)


def _described(schema: object) -> object:
    if isinstance(schema, list):
        return [_described(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    # A field may be called "description"; its schema is no text.
    return {
        name: phrase(part)
        if name == DESCRIPTION and isinstance(part, str)
        else _described(part)
        for name, part in schema.items()
    }


def with_bounds(
    schema: Mapping[str, Any], *, lengths: Bounds, numbers: Bounds
) -> dict[str, Any]:
    """Return the schema with bounds of the lists and of the whole numbers of these fields.

    The fields are those of the answer and of all its parts. The bounds of a number hold for
    each one of a field that is a list.
    """
    bounded = dict(schema)
    for inner in ("$defs", "properties"):
        if inner in bounded:
            bounded[inner] = {
                name: with_bounds(part, lengths=lengths, numbers=numbers)
                for name, part in bounded[inner].items()
            }
    for name, part in list(bounded.get("properties", {}).items()):
        if name in lengths:
            part["minItems"], part["maxItems"] = lengths[name]
        if name in numbers:
            bounded["properties"][name] = _numbers_within(part, numbers[name])
    return bounded


def _numbers_within(schema: Mapping[str, Any], bounds: tuple[int, int]) -> dict[str, Any]:
    """Return the schema of a number, of a list of numbers or of either of several."""
    bounded = dict(schema)
    if "anyOf" in bounded:
        bounded["anyOf"] = [_numbers_within(one, bounds) for one in bounded["anyOf"]]
    elif bounded.get("type") == "array":
        bounded["items"] = _numbers_within(bounded["items"], bounds)
    elif bounded.get("type") == "integer":
        bounded["minimum"], bounded["maximum"] = bounds
    return bounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What an answer has if its first field has this value, which means `meaning`.

    `numbers` are the only ones that a field of a whole number may have.
    """

    value: str
    meaning: str
    fields: tuple[str, ...] = ()
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)


def with_variants(schema: Mapping[str, Any], variants: Sequence[Variant]) -> dict[str, Any]:
    """Return the schema of an object whose field ANSWER is one of the variants.

    The first field decides, so that a model decides before it writes anything else, and
    writes nothing that does not apply. A field is described where it first stands.
    """
    properties, described = schema["properties"], set[str]()
    first = next(iter(properties))
    forms = []
    for variant in variants:
        decided = {"description": phrase(variant.meaning), "enum": [variant.value]}
        parts: dict[str, dict[str, Any]] = {first: {"type": "string", **decided}}
        for name in variant.fields:
            parts[name] = dict(properties[name])
            if name in variant.numbers:
                parts[name] = {"enum": list(variant.numbers[name]), **parts[name]}
            if name in described:
                parts[name].pop(DESCRIPTION, None)
            described.add(name)
        forms.append({"type": "object", "properties": parts, "required": list(parts)})
    whole = {name: part for name, part in schema.items() if name == "$defs"}
    return {
        "type": "object",
        "properties": {ANSWER: {"anyOf": forms}},
        "required": [ANSWER],
        **whole,
    }


def as_asked(schema: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an answer that the schema of its call asks for, in its form."""
    properties = schema["properties"]
    forms = properties.get(ANSWER, {}).get("anyOf")
    if forms is None or ANSWER in answer:
        return {name: answer[name] for name in answer if name in properties}
    for form in forms:
        first, decided = next(iter(form["properties"].items()))
        if answer[first] in decided["enum"]:
            return {ANSWER: {name: answer[name] for name in form["properties"]}}
    raise AssertionError("a rule decides what is offered")


def fields_in_words(schema: Mapping[str, Any]) -> str:
    """Return the fields of an answer with their descriptions, one on a line, parts indented.

    A model behind a server that only enforces the schema sees nothing else of it. A description
    is given once, and without its example, which a small model gives as the answer.
    """
    return "\n".join(_lines_of(schema, schema.get("$defs", {}), "", set()))


def _lines_of(
    schema: Mapping[str, Any], parts: Mapping[str, Any], indent: str, given: set[str]
) -> Iterator[str]:
    for name, part in schema.get("properties", {}).items():
        forms = [one for one in part.get("anyOf", [part]) if one.get("type") != "null"]
        if len(forms) > 1:
            yield from _lines_of_forms(name, forms, parts, indent, given)
            continue
        [inner] = forms
        if is_list := inner.get("type") == "array":
            inner = inner["items"]
        values = ()
        if "$ref" in inner:
            inner = parts[inner["$ref"].rpartition("/")[2]]
            values = inner.get("enum", ())
        told = [_EXAMPLE.sub("", part[DESCRIPTION])] if DESCRIPTION in part else []
        if given.issuperset(told):
            told = [phrase("as above")] if told else []
        given.update(told)
        told += [phrase("one of {values}", values=", ".join(values))] if values else []
        told += [phrase("a list")] if is_list else []
        yield f"{indent}- {name}: {'; '.join(told)}".rstrip(": ")
        yield from _lines_of(inner, parts, f"{indent}  ", given)


def _lines_of_forms(
    name: str,
    forms: Sequence[Mapping[str, Any]],
    parts: Mapping[str, Any],
    indent: str,
    given: set[str],
) -> Iterator[str]:
    """Yield the forms of a field as JSON, then what their fields mean."""
    yield f"{indent}- {name}: {phrase(ONE_OF_THESE)}"
    fields: dict[str, Any] = {}
    for form in forms:
        (first, decided), *others = form["properties"].items()
        fields |= {other: part for other, part in others if other not in fields}
        shown = [
            f'"{first}": "{decided["enum"][0]}"',
            *(f'"{other}": …' for other, _ in others),
        ]
        yield f"{indent}  - {decided[DESCRIPTION]}: {{{', '.join(shown)}}}"
    yield from _lines_of({"properties": fields}, parts, f"{indent}  ", given)


def without_patterns(schema: object) -> Any:
    """Return the schema without the patterns of texts, which some servers refuse."""
    if isinstance(schema, list):
        return [without_patterns(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    is_text = schema.get("type") == "string"
    return {
        name: without_patterns(part)
        for name, part in schema.items()
        if not (is_text and name == PATTERN)
    }
