"""The OpenAPI document, with the scheme of tokens and closed bodies; generated once."""

from functools import cache
from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from apps.api.http.authentication import BearerToken
from apps.api.http.body_limit import SCHEME
from apps.api.http.fields import Strict


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of tokens."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": SCHEME,
            "description": "A token made in the admin, or by `manage.py issue_token`.",
        }


class StrictScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Closes the schemas of strict serializers."""

    target_class = Strict
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the serializer's schema, closed."""
        schema = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return {**schema, "additionalProperties": False}


@cache
def schema_document() -> dict[str, Any]:
    """Return the interface as an OpenAPI document; made once a process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return document
