"""What every view has: strict parameters and bodies, its simulation, the right it needs."""

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any, ClassVar

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.access.idempotency import Keyed, parse_key
from apps.access.models import ApiToken
from apps.access.rights import Right, refuse_unless_allowed, refuse_unless_reading
from apps.agents.models import AgentRow
from apps.agents.naming import AgentUnknown
from apps.api.http import deprecation
from apps.api.http import idempotency_keys as idempotency
from apps.api.http.body_parser import refuse_unknown_length
from apps.api.http.deprecation import uses_old_name
from apps.api.http.fields import Strict
from apps.api.http.problems import as_parameters, field_errors, problem_of
from apps.api.http.request_errors import InvalidRequest
from apps.api.http.simulation_context import Reading, open_reading
from apps.kernel.game_time import GameCalendar
from apps.simulation.engine.lifecycle import refuse_deleted
from apps.simulation.queries import SimulationUnknown

logger = structlog.get_logger(__name__)

SAFE = frozenset({"GET", "HEAD"})


class ApiView(APIView):
    """A view that takes nothing it does not know.

    `query` says which parameters a GET takes; their values are in `asked` when it begins.

    A view that declares nothing is safe: who may only look, may only GET. `rights` says by
    method where that is not so, as of a POST that only reads or a DELETE for owners.
    `errors` declares by method, "*" for all of them, the errors that are raised on purpose,
    besides those of its bases; the OpenAPI document lists them.
    `costly` names by method a rate of settings.COSTLY_RATES_MAX. A view that `thinks` waits
    for a model, so that no transaction is held around it.
    """

    http_method_names = [  # noqa: RUF012 (Django's own)
        "get",
        "head",
        "post",
        "put",
        "patch",
        "delete",
    ]
    metadata_class = None
    query: ClassVar[type[Strict]] = Strict
    rights: ClassVar[Mapping[str, Right]] = {}
    errors: ClassVar[Mapping[str, tuple[type[Exception], ...]]] = {}
    costly: ClassVar[Mapping[str, str]] = {}
    thinks: ClassVar[bool] = False
    asked: dict[str, Any]
    calendar: GameCalendar | None = None
    keyed: Keyed | None = None
    uses_old_name = False

    def dispatch(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        """Answer: at the door, then once for each key, whatever goes wrong as a problem."""
        self.args, self.kwargs = args, names
        asked = self.initialize_request(request, *args, **names)
        self.request, self.headers = asked, self.default_response_headers
        try:
            self.initial(asked, *args, **names)
            if self.keyed is None:
                response = self._called()
            else:
                response = idempotency.once(self.keyed, self._finished, thinks=self.thinks)
        except Exception as error:
            response = self.handle_exception(error)
        return self._finalized(response)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at who asks, for what, and whether it can be read.

        What has a key may have been done already, and what it was about be gone: it is
        looked at only once that is known.
        """
        super().initial(request, *args, **kwargs)
        method = str(request.method)
        if not hasattr(self, method.lower()):
            raise MethodNotAllowed(method)
        refuse_unknown_length(request)
        self.keyed = self._under_its_key()
        if self.keyed is None:
            self._look()

    @classmethod
    def right_of(cls, method: str) -> Right:
        """Return the right that a method of this view needs."""
        usual = Right.READ if method in SAFE else Right.COMMAND
        return cls.rights.get("GET" if method == "HEAD" else method, usual)

    @classmethod
    def declared_errors(cls, method: str) -> Iterator[type[Exception]]:
        """Yield the errors that this view and its bases declare for a method, in capitals."""
        for base in reversed(cls.__mro__):
            declared = vars(base).get("errors", {})
            yield from (*declared.get("*", ()), *declared.get(method, ()))

    def require(self, right: Right) -> None:
        """Refuse whoever has not the right.

        :raises NotAllowed: if their token only reads, and more is asked for.
        """
        token = self.request.auth
        if isinstance(token, ApiToken) and token.reads_only:
            refuse_unless_reading(right)

    @property
    def user(self) -> User:
        """Who asks."""
        user = self.request.user
        assert isinstance(user, User), "permissions let nobody else through"
        return user

    def find(self, **names: str) -> None:
        """Find what the address names; `initial` calls it once it is known who asks."""

    def body(self, kind: type[Strict]) -> dict[str, Any]:
        """Return the values of the body.

        :raises ValidationError: if one is unknown or cannot be used.
        """
        sent = kind(data=self.request.data, context={"calendar": self.calendar})
        sent.is_valid(raise_exception=True)
        self.uses_old_name |= uses_old_name(sent.fields, self.request.data)
        return dict(sent.validated_data)

    def said(self) -> bytes:
        """Return the body in one form, so that a repeated request is known again."""
        return json.dumps(self.request.data, sort_keys=True).encode()

    def _under_its_key(self) -> Keyed | None:
        """Return the request under its Idempotency-Key, if it has one and may do something."""
        given = self.request.headers.get(idempotency.HEADER)
        if (
            given is None
            or self.request.method in SAFE
            or not self.request.user.is_authenticated
        ):
            return None
        return Keyed(
            user_id=self.user.pk,
            key=parse_key(given),
            request=f"{self.request.method} {self.request.get_full_path()}",
            said=self.said(),
        )

    def _look(self) -> None:
        """Find what the address names, see to the right to it, and read the query."""
        method = str(self.request.method)
        self.find(**self.kwargs)
        self.require(self.right_of(method))
        self.asked = self._parameters(self.query if method in SAFE else Strict)

    def _called(self) -> HttpResponseBase:
        method = getattr(self, str(self.request.method).lower())
        response: HttpResponseBase = method(self.request, *self.args, **self.kwargs)
        return response

    def _finished(self) -> HttpResponseBase:
        """Return the answer as it is sent; what a refused request did is undone."""
        try:
            with nullcontext() if self.thinks else transaction.atomic():
                self._look()
                response = self._called()
        except Exception as error:
            response = self.handle_exception(error)
        response = self._finalized(response)
        return response.render() if isinstance(response, Response) else response

    def _finalized(self, response: HttpResponseBase) -> HttpResponseBase:
        if self.uses_old_name:
            for name, value in deprecation.HEADERS.items():
                response.headers[name] = value
        # Any response of Django's will do: the stubs know the framework's own only.
        return self.finalize_response(self.request, response, *self.args, **self.kwargs)  # type: ignore[arg-type]

    def _parameters(self, kind: type[Strict]) -> dict[str, Any]:
        fields = kind().fields
        values = {
            name: given if isinstance(fields.get(name), serializers.ListField) else given[-1]
            for name, given in self.request.query_params.lists()
        }
        asked = kind(data=values, context={"calendar": self.calendar})
        if not asked.is_valid():
            raise InvalidRequest(as_parameters(field_errors(asked.errors)))
        return dict(asked.validated_data)


class SimulationView(ApiView):
    """A view below a simulation; `reading` is the simulation that the user may see."""

    errors: ClassVar = {"*": (SimulationUnknown,)}
    reading: Reading

    def find(self, **names: str) -> None:
        """Find the simulation, or answer that there is none; then see to the right to it.

        What a view below finds further is not told to whoever may not do what they ask for.
        """
        self.reading = open_reading(self.user, names["simulation"])
        self.calendar = self.reading.calendar
        self.require(self.right_of(str(self.request.method)))

    def handle_exception(self, exc: Exception) -> Any:
        """Answer 404 where the simulation was deleted while the request was answered.

        A request reads row after row, so that any of them may be gone by then.
        """
        if problem_of(exc) is None and hasattr(self, "reading"):
            try:
                refuse_deleted(self.reading.id)
            except SimulationUnknown as deleted:
                logger.info("simulation deleted during a request", error=repr(exc))
                return super().handle_exception(deleted)
        return super().handle_exception(exc)

    def _called(self) -> HttpResponseBase:
        """Answer; what a model was waited for may be about a simulation that is gone."""
        response = super()._called()
        if self.thinks:
            refuse_deleted(self.reading.id)
        return response

    def require(self, right: Right) -> None:
        """Refuse whoever has not the right in this simulation.

        :raises NotAllowed: if their role, or their token, does not give it.
        """
        refuse_unless_allowed(self.reading.role, right)
        super().require(right)


class AgentView(SimulationView):
    """A view below a person of a simulation."""

    errors: ClassVar = {"*": (AgentUnknown,)}
    person: AgentRow

    def find(self, **names: str) -> None:
        """Find the person, or answer that there is nobody of that slug."""
        super().find(**names)
        self.person = self.reading.person(names["agent"])
