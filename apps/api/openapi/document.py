"""The OpenAPI document, generated once per process."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from apps.api.openapi import extensions  # noqa: F401 (drf-spectacular registers them)


@cache
def schema_document() -> dict[str, Any]:
    """Return the interface as an OpenAPI document; made once a process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return document
