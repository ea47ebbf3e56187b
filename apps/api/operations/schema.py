"""GET /api/v1/schema: the interface as an OpenAPI 3.1 document."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Strict
from apps.api.http.views import OpenView
from apps.api.openapi.document import schema_document

_SCHEMA_TYPE = "application/json"


class SchemaParameters(Strict):
    """In which form; there is one."""

    format = Choice(choices=["json"], required=False, help_text="JSON, whatever is accepted.")


class Schema(OpenView):
    """The interface as a document; it needs no account."""

    query = SchemaParameters

    @extend_schema(
        operation_id="getSchema",
        summary="This interface as an OpenAPI 3.1 document",
        tags=["operation"],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, _request: Request) -> Response:
        """Return the document."""
        return Response(schema_document(), content_type=_SCHEMA_TYPE)
