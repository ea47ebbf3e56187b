"""The interface described: OpenAPI 3.1 for programs, one page for people."""

from collections import defaultdict
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import ApiView
from apps.api.fields import Choice, Strict
from apps.api.views.page import policy_of

_SCHEMA_TYPE = "application/json"


class SchemaForm(Strict):
    """In which form; there is one."""

    format = Choice(choices=["json"], required=False, help_text="JSON, whatever is accepted.")


class Schema(ApiView):
    """The interface for programs; open to everybody."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()
    query = SchemaForm

    @extend_schema(
        operation_id="getSchema",
        summary="This interface as an OpenAPI 3.1 document",
        tags=["operation"],
        parameters=[SchemaForm],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, _request: Request) -> Response:
        """Return the document."""
        return Response(schema_document(), content_type=_SCHEMA_TYPE)


class Docs(ApiView):
    """The interface for people; open to everybody."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    @extend_schema(
        operation_id="getDocs",
        summary="This interface as a page",
        tags=["operation"],
        responses={(200, "text/html"): str},
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the page."""
        document = schema_document()
        page = {"info": document["info"], "groups": _groups(document)}
        answer = render(request, "api/docs.html", page)
        answer.headers["Content-Security-Policy"] = policy_of(answer.content)
        return answer


@cache
def schema_document() -> dict[str, Any]:
    """Return the interface as an OpenAPI document; made once a process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return document


def _groups(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the operations by their tag, each with what the page says of it."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            shown = {
                "method": method.upper(),
                "path": path,
                "summary": operation["summary"],
                "id": operation["operationId"],
                "parameters": [_parameter(found) for found in operation.get("parameters", ())],
                "body": _members(document, _content(operation.get("requestBody"))),
                "answers": [
                    {"status": status, "words": answer.get("description", "")}
                    for status, answer in operation["responses"].items()
                ],
            }
            groups[operation["tags"][0]].append(shown)
    return dict(groups)


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter["name"],
        "place": parameter["in"],
        "required": parameter.get("required", False),
        "kind": _kind(parameter["schema"]),
        "words": parameter.get("description") or parameter["schema"].get("description", ""),
    }


def _content(body: dict[str, Any] | None) -> dict[str, Any]:
    if body is None:
        return {}
    schema: dict[str, Any] = body["content"]["application/json"]["schema"]
    return schema


def _members(document: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    whole = _resolved(document, schema)
    required = whole.get("required", ())
    return [
        {
            "name": name,
            "required": name in required,
            "kind": _kind(_resolved(document, member)),
            "words": member.get("description", ""),
        }
        for name, member in whole.get("properties", {}).items()
    ]


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: dict[str, Any] = document["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _kind(schema: dict[str, Any]) -> str:
    if "oneOf" in schema:
        return " or ".join(_kind(choice) for choice in schema["oneOf"])
    kind = schema.get("type", "value")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
