"""JSON schemas of answers, and the form of them that strict servers require."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from apps.kernel.language import ENGLISH, phrase, use_language
from apps.llm.port import JsonSchema

DESCRIPTION = "description"
_OMITTED = frozenset({"default", "title"})


@lru_cache(maxsize=256)
def schema_of(answer_type: type[BaseModel]) -> JsonSchema:
    """Return the JSON schema of an answer type."""
    return answer_type.model_json_schema()


def strict_schema(schema: Mapping[str, object]) -> dict[str, Any]:
    """Return the schema with every property required and nothing else allowed.

    Strict servers refuse defaults, and keywords beside a reference; titles only cost tokens.
    """
    strict = _strict(schema)
    assert isinstance(strict, dict), "a schema is an object"
    return strict


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


def with_lengths(schema: Mapping[str, Any], lengths: Mapping[str, int]) -> dict[str, Any]:
    """Return the schema whose lists of these fields have exactly these lengths."""
    fields = schema["properties"]
    assert isinstance(fields, Mapping), "properties are an object"
    properties = dict(fields)
    for field, length in lengths.items():
        properties[field] = {**properties[field], "minItems": length, "maxItems": length}
    return {**schema, "properties": properties}
