"""The attendance of a gathering: who knew of it, who agreed to come, and who came."""

from typing import Annotated, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Clock
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import SimulationView, committed
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.social import (
    SEARCH_ERRORS,
    NewsWord,
    WordsOrSearch,
    follow_news,
    requested_news,
)
from apps.api.resources.surveys import AGENTS_MAX
from apps.evaluation.social.guest_list import Guest, GuestList, guest_list
from apps.kernel.request_models import Listed
from apps.kernel.requested_values import LastTickUntil, Slug
from apps.simulation.queries import WorldChanged

_COUNTED = (
    "place", "from_tick", "to_tick", "hosts", "knew", "accepted", "came", "came_knowing",
    "guests",
)  # fmt: skip


class Gathering(WordsOrSearch):
    """A gathering: the news of it, its place and its time."""

    place: NewsWord
    """A place or an area: `Hobbs Cafe`."""
    from_: LastTickUntil = Field(alias="from")
    """Its beginning, a committed moment."""
    to: LastTickUntil
    """Its end, a committed moment."""
    hosts: Annotated[Listed[Slug], Field(max_length=AGENTS_MAX)] | None = None
    """The agents that give it, which are no guests; by default those with which the news began.
    With `[]` nobody is left out."""


GatheringGuest = serializer_of(
    Guest,
    "GatheringGuest",
    also=("knew",),
    knew_from=Clock(source="knew_tick", allow_null=True, help_text="The time of this memory."),
    came=Clock(
        source="came_tick",
        allow_null=True,
        help_text="The beginning of the gathering, if it was there before.",
    ),
    came_knowing=serializers.BooleanField(help_text="Whether it knew when it came."),
)
AttendanceReport = serializer_of(
    GuestList,
    "AttendanceReport",
    also=("knew", "accepted", "came"),
    from_=Clock(source="from_tick"),
    to=Clock(source="to_tick"),
    came_knowing=serializers.IntegerField(
        min_value=0, help_text="Those that knew when they came, as the paper counts."
    ),
    unverified=serializers.ListField(
        child=serializers.CharField(),
        help_text="Agents of which the news search has no valid answer to some question: they "
        "may have known of it, or earlier than shown.",
    ),
)


class GatheringAttendance(SimulationView):
    """The attendance of a gathering."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "measureAttendance",
        "/attendance",
        "evaluation",
        AttendanceReport,
        request=Gathering,
        errors=(WorldChanged, AgentUnknown, *SEARCH_ERRORS),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Find who knew of a gathering, who had agreed to come, and who came for how long.

        Its hosts are no guests. An agent came knowing if it knew of it when it came.
        """
        requested = self.body(Gathering)
        committed_tick = self.context.row.committed_tick
        first = committed(
            requested.from_, committed_tick, self.context.calendar, pointer="/from"
        )
        last = committed(requested.to, committed_tick, self.context.calendar, pointer="/to")
        if last <= first:
            detail = "the gathering must end after its beginning"
            raise InvalidRequest([FieldError(pointer="/to", code="before-from", detail=detail)])
        world = self.context.constants().world
        if not any(node.path == requested.place for node in world.tree.nodes):
            detail = f"{self.context.founded.world} has no such place or area"
            raise InvalidRequest([FieldError(pointer="/place", code="unknown", detail=detail)])
        for host in requested.hosts or ():
            self.context.get_agent(host)
        agents = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=last)
        told = requested_news(self.context, requested, agents, until_tick=last)
        found = guest_list(
            self.context.id,
            world=world,
            calendar=self.context.calendar,
            place=requested.place,
            ticks=range(first, last),
            news=follow_news(self.context.id, told, agents, as_of_tick=last),
            hosts=requested.hosts,
        )
        shown = {name: getattr(found, name) for name in _COUNTED}
        unverified = sorted(told.unverified.intersection(agents))
        return Response(self.represent(AttendanceReport, shown | {"unverified": unverified}))
