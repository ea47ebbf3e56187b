"""JSON schemas of answers, and the form of them that strict servers require."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from apps.kernel.language import ENGLISH, phrase, use_language
from apps.llm.port import JsonSchema

Bounds = Mapping[str, tuple[int, int]]
"""The least and the greatest length or number, by field."""

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


def fields_in_words(schema: Mapping[str, Any]) -> str:
    """Return the fields of an answer with their descriptions, one on a line, parts indented.

    A model behind a server that only enforces the schema sees nothing else of it. A description
    is given once, and without its example, which a small model gives as the answer.
    """
    return "\n".join(_lines_of(schema, schema.get("$defs", {}), "", set()))


def _lines_of(
    schema: Mapping[str, Any], parts: Mapping[str, Any], indent: str, given: set[str]
) -> Iterator[str]:
    for name, field in schema.get("properties", {}).items():
        inner = next(one for one in field.get("anyOf", [field]) if one.get("type") != "null")
        if is_list := inner.get("type") == "array":
            inner = inner["items"]
        values = ()
        if "$ref" in inner:
            inner = parts[inner["$ref"].rpartition("/")[2]]
            values = inner.get("enum", ())
        told = [_EXAMPLE.sub("", field[DESCRIPTION])] if DESCRIPTION in field else []
        if given.issuperset(told):
            told = [phrase("as above")] if told else []
        given.update(told)
        told += [phrase("one of {values}", values=", ".join(values))] if values else []
        told += [phrase("a list")] if is_list else []
        yield f"{indent}- {name}: {'; '.join(told)}".rstrip(": ")
        yield from _lines_of(inner, parts, f"{indent}  ", given)


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
