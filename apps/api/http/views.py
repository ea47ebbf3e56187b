"""Base classes of views and their operations: strict parameters, bodies, rights, keys."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from http import HTTPStatus
from inspect import getdoc
from typing import Any, ClassVar, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.access.idempotency import IdempotentRequest, parse_key
from apps.access.models import ApiToken
from apps.access.rights import NotAllowed, Right
from apps.api.http import idempotency_keys
from apps.api.http.fields import Strict
from apps.api.http.parsers import require_content_length
from apps.api.http.request_errors import InvalidRequest, error_of_fault, parameter_errors
from apps.kernel.request_models import Model, UnusableValues, read_values
from apps.kernel.text import compose

Method = TypeVar("Method", bound=Callable[..., Any])


def operation(
    operation_id: str,
    route: str,
    tag: str,
    responses: object = None,
    *,
    request: object = None,
    parameters: Sequence[OpenApiParameter] = (),
    errors: tuple[type[Exception], ...] = (),
) -> Callable[[Method], Method]:
    """Declare a method of a view as an operation.

    The first line of its docstring is the summary, the rest the description; without a rest,
    the description is the docstring of the view.

    :param route: the rest of its path behind the `address` of its view, as
        "/conversations/{tick}/{opener}"; all operations of a view have the same. A link to the
        view names its first operation.
    :param responses: the serializer of the response 200, or serializers by status; one of 201
        has the address of what was created.
    :param request: the model of the body; its examples are recorded from tests, in
        `apps/api/openapi/request_examples.json`.
    :param errors: the errors that the method raises on purpose, besides those of its view.
    """
    is_created = isinstance(responses, Mapping) and HTTPStatus.CREATED in responses
    address = header("Location", "The address of what was created.", response=[201])
    located = [address] if is_created else []

    def declare(method: Method) -> Method:
        summary, _, description = (getdoc(method) or "").partition("\n")
        method.__dict__.update(
            operation_id=operation_id, route=route, errors=errors, request_model=request
        )
        declared: Method = extend_schema(
            operation_id=operation_id,
            summary=summary.removesuffix("."),
            description=" ".join(description.split()) or None,
            tags=[tag],
            request=request,
            responses=responses,
            parameters=[*parameters, *located],
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


SAFE = frozenset({"GET", "HEAD"})
Errors = tuple[type[Exception], ...]
FOUNDING, THINKING = "founding", "thinking"
"""Rates of settings.COSTLY_RATES_MAX."""


class ApiView(APIView):
    """A view that accepts declared parameters and members of bodies only.

    `address` is what the routes of its operations are below.
    `query` declares the parameters of a GET; their values are in `parameters`. `queries`
    declares those of other methods, by method.
    `rights` declares by method the required right, where it is not the default: reading for a
    GET, commanding for every other method.
    `errors` declares the errors that all methods raise on purpose, in addition to those of the
    base classes; `operation` declares those of one method.
    `rate_limits` names by method a rate of settings.COSTLY_RATES_MAX.
    `waits_for_llm` is set where the view waits for an LLM: no transaction is held meanwhile.
    """

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]  # noqa: RUF012 (Django's)
    metadata_class = None
    address: ClassVar[str] = "/api/v1"
    query: ClassVar[type[Strict]] = Strict
    queries: ClassVar[Mapping[str, type[Strict]]] = {}
    rights: ClassVar[Mapping[str, Right]] = {}
    errors: ClassVar[Errors] = ()
    rate_limits: ClassVar[Mapping[str, str]] = {}
    waits_for_llm: ClassVar[bool] = False
    parameters: dict[str, Any]
    idempotent_request: IdempotentRequest | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        """Authenticate, throttle, execute once per key, and answer errors as problems."""
        self.args, self.kwargs = args, names
        wrapped = self.initialize_request(request, *args, **names)
        self.request, self.headers = wrapped, self.default_response_headers
        try:
            self.initial(wrapped, *args, **names)
            if self.idempotent_request is None:
                response = self._call_method()
            else:
                response = idempotency_keys.respond_once(
                    self.idempotent_request, self._respond, waits_for_llm=self.waits_for_llm
                )
        except Exception as error:
            response = self.handle_exception(error)
        return self._finalize(response)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, throttle, check the method and the length, and read the key.

        A request with an Idempotency-Key may have been executed already and its resource may
        be gone, so that its path and parameters are read only if there is no response yet.
        """
        super().initial(request, *args, **kwargs)
        method = str(request.method)
        if not hasattr(self, method.lower()):
            raise MethodNotAllowed(method)
        require_content_length(request)
        self.idempotent_request = self._idempotent_request()
        if self.idempotent_request is None:
            self._prepare()

    @classmethod
    def right_of(cls, method: str) -> Right:
        """Return the right that a method of this view needs."""
        usual = Right.READ if method in SAFE else Right.COMMAND
        return cls.rights.get("GET" if method == "HEAD" else method, usual)

    @classmethod
    def query_of(cls, method: str) -> type[Strict]:
        """Return the parameters of a method of this view."""
        return cls.query if method in SAFE else cls.queries.get(method, Strict)

    @classmethod
    def operation_ids(cls) -> list[str]:
        """Return the ids of the operations, in the order of `http_method_names`."""
        return [method.operation_id for method in cls._operations()]

    @classmethod
    def route(cls) -> str:
        """Return the path of the operations, as "/api/v1/simulations/{simulation}/run"."""
        [route] = {method.route for method in cls._operations()}
        return f"{cls.address}{route}"

    @classmethod
    def _operations(cls) -> list[Any]:
        methods = (getattr(cls, name, None) for name in cls.http_method_names)
        return [method for method in methods if hasattr(method, "operation_id")]

    @classmethod
    def declared_errors(cls, method: str) -> Iterator[type[Exception]]:
        """Yield the errors that this view, its bases and a method, in capitals, declare."""
        for base in reversed(cls.__mro__):
            yield from vars(base).get("errors", ())
        yield from getattr(getattr(cls, method.lower(), None), "errors", ())

    def require_right(self, right: Right) -> None:
        """Check that the token allows it.

        :raises NotAllowed: if the token only reads, and the right is a greater one.
        """
        token = self.request.auth
        if isinstance(token, ApiToken) and token.reads_only and right > Right.READ:
            raise NotAllowed(
                "this token can only read; use one that was issued without that limit"
            )

    @property
    def user(self) -> User:
        """The authenticated user."""
        user = self.request.user
        assert isinstance(user, User), "permissions admit authenticated users only"
        return user

    def load_resources(self, **names: str) -> None:
        """Load the resources that the path names, after authentication."""

    @property
    def serializer_context(self) -> dict[str, Any]:
        """The context of all serializers of the request."""
        return {"request": self.request}

    def represent(
        self, serializer: type[serializers.BaseSerializer[Any]], value: Any, **options: Any
    ) -> Any:
        """Return the representation of a value."""
        return serializer(value, context=self.serializer_context, **options).data

    def body(self, model: type[Model]) -> Model:
        """Return the body as a pydantic model.

        :raises InvalidRequest: for an unknown member or an invalid value.
        """
        try:
            return read_values(model, self.request.data, context=self.serializer_context)
        except UnusableValues as error:
            raise InvalidRequest([error_of_fault(one) for one in error.faults]) from None

    def canonical_body(self) -> bytes:
        """Return the body in canonical form, by which repeated requests are recognised."""
        return json.dumps(self.request.data, sort_keys=True).encode()

    def _idempotent_request(self) -> IdempotentRequest | None:
        """Return the request with its Idempotency-Key; None without one or if it is safe."""
        key = self.request.headers.get(idempotency_keys.HEADER)
        if key is None or self.request.method in SAFE or not self.request.user.is_authenticated:
            return None
        return IdempotentRequest(
            user_id=self.user.pk,
            key=parse_key(key),
            request=f"{self.request.method} {self.request.get_full_path()}",
            canonical_body=self.canonical_body(),
        )

    def _prepare(self) -> None:
        """Load the resources, check the right, and validate the parameters."""
        method = str(self.request.method)
        self.load_resources(**self.kwargs)
        self.require_right(self.right_of(method))
        self.parameters = self._parameters(self.query_of(method))

    def _call_method(self) -> HttpResponseBase:
        method = getattr(self, str(self.request.method).lower())
        response: HttpResponseBase = method(self.request, *self.args, **self.kwargs)
        return response

    def _respond(self) -> HttpResponseBase:
        """Return the rendered response; an error rolls back what the request did."""
        try:
            with nullcontext() if self.waits_for_llm else transaction.atomic():
                self._prepare()
                response = self._call_method()
        except Exception as error:
            response = self.handle_exception(error)
        response = self._finalize(response)
        return response.render() if isinstance(response, Response) else response

    def _finalize(self, response: HttpResponseBase) -> HttpResponseBase:
        # The stubs accept responses of the framework only; any of Django's works.
        return self.finalize_response(self.request, response, *self.args, **self.kwargs)  # type: ignore[arg-type]

    def _parameters(self, serializer: type[Strict]) -> dict[str, Any]:
        fields = serializer(context=self.serializer_context).fields
        return self.validated(
            serializer,
            {
                name: compose(
                    values
                    if isinstance(fields.get(name), serializers.ListField)
                    else values[-1]
                )
                for name, values in self.request.query_params.lists()
            },
        )

    def validated(self, serializer: type[Strict], parameters: Any) -> dict[str, Any]:
        """Return validated parameters of the query.

        :raises InvalidRequest: for an unknown parameter or an invalid value.
        """
        query = serializer(data=parameters, context=self.serializer_context)
        if not query.is_valid():
            raise InvalidRequest([*parameter_errors(query.errors)])
        return dict(query.validated_data)


class OpenView(ApiView):
    """A view that answers requests without an account, as often as they come."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()
