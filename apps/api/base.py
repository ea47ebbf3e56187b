"""What every view here has: strict parameters and bodies, and the simulation it is about."""

from typing import Any, ClassVar

from django.contrib.auth.models import User
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.agents.models import AgentRow
from apps.api.errors import InvalidRequest, as_parameters, field_errors
from apps.api.fields import Strict
from apps.api.parsing import refuse_unknown_length
from apps.api.reading import Reading, open_reading
from apps.kernel.game_time import GameCalendar


class ApiView(APIView):
    """A view that takes nothing it does not know.

    `query` says which parameters a GET takes; their values are in `asked` when it begins.
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
    asked: dict[str, Any]
    calendar: GameCalendar | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at who asks, for what, and whether it can be read."""
        super().initial(request, *args, **kwargs)
        method = str(request.method)
        if not hasattr(self, method.lower()):
            raise MethodNotAllowed(method)
        refuse_unknown_length(request)
        self.find(**kwargs)
        is_read = method in {"GET", "HEAD"}
        self.asked = self._parameters(self.query if is_read else Strict)

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
        return dict(sent.validated_data)

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

    reading: Reading

    def find(self, **names: str) -> None:
        """Find the simulation, or answer that there is none."""
        self.reading = open_reading(self.user, names["simulation"])
        self.calendar = self.reading.calendar


class AgentView(SimulationView):
    """A view below a person of a simulation."""

    person: AgentRow

    def find(self, **names: str) -> None:
        """Find the person, or answer that there is nobody of that slug."""
        super().find(**names)
        self.person = self.reading.person(names["agent"])
