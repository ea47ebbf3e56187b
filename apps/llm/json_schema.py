"""JSON schemas of answers, and the form of them that strict servers require."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from apps.llm.port import JsonSchema

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


def with_lengths(schema: Mapping[str, Any], lengths: Mapping[str, int]) -> dict[str, Any]:
    """Return the schema whose lists of these fields have exactly these lengths."""
    fields = schema["properties"]
    assert isinstance(fields, Mapping), "properties are an object"
    properties = dict(fields)
    for field, length in lengths.items():
        properties[field] = {**properties[field], "minItems": length, "maxItems": length}
    return {**schema, "properties": properties}
