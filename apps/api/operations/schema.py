"""GET /api/v1/schema: the interface as an OpenAPI 3.1 document."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Strict
from apps.api.http.operation import operation
from apps.api.http.views import OpenView
from apps.api.openapi.document import schema_document

_SCHEMA_TYPE = "application/json"


class SchemaParameters(Strict):
    """In which form; there is one."""

    format = Choice(choices=["json"], required=False, help_text="JSON, whatever is accepted.")


class Schema(OpenView):
    """The interface as a document; it needs no account."""

    query = SchemaParameters

    @operation("getSchema", "operation", OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Show this interface as an OpenAPI 3.1 document."""
        return Response(schema_document(), content_type=_SCHEMA_TYPE)
