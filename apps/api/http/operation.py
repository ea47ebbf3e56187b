"""The declaration of an operation: what the OpenAPI document says about a method of a view."""

from collections.abc import Callable, Mapping, Sequence
from inspect import getdoc
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema

Method = TypeVar("Method", bound=Callable[..., Any])


def operation(  # noqa: PLR0913 (the parts of an operation in OpenAPI)
    operation_id: str,
    route: str,
    tag: str,
    responses: object = None,
    *,
    request: object = None,
    examples: Mapping[str, object] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    errors: tuple[type[Exception], ...] = (),
) -> Callable[[Method], Method]:
    """Declare a method of a view as an operation.

    The first line of its docstring is the summary, the rest the description; without a rest,
    the description is the docstring of the view.

    :param route: the rest of its path behind the `address` of its view, as
        "/conversations/{tick}/{opener}"; all operations of a view have the same. A link to the
        view names its first operation.
    :param responses: the serializer of the response 200, or serializers by status.
    :param request: the serializer of the body.
    :param examples: bodies by a short description.
    :param errors: the errors that the method raises on purpose, besides those of its view.
    """

    def declare(method: Method) -> Method:
        summary, _, description = (getdoc(method) or "").partition("\n")
        method.__dict__.update(operation_id=operation_id, route=route, errors=errors)
        declared: Method = extend_schema(
            operation_id=operation_id,
            summary=summary.removesuffix("."),
            description=" ".join(description.split()) or None,
            tags=[tag],
            request=request,
            responses=responses,
            parameters=[*parameters],
            examples=[
                OpenApiExample(name, value, request_only=True)
                for name, value in (examples or {}).items()
            ],
        )(method)
        return declared

    return declare


def header(
    name: str, description: str, *, response: Sequence[int] | None = None
) -> OpenApiParameter:
    """Return the description of a header of requests, or of responses of these statuses."""
    return OpenApiParameter(
        name,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        response=False if response is None else [*response],
        description=description,
    )
