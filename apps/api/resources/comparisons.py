"""Comparisons of two simulations: their first difference, its consequences, their measures."""

from dataclasses import asdict, fields
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import (
    Choice,
    Clock,
    PastMomentParameter,
    Serializer,
    Strict,
    TextOrNull,
)
from apps.api.http.moments import committed
from apps.api.http.operation import operation
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.comparisons import agent_states
from apps.comparisons.agent_states import AgentState, HourOfPlan
from apps.comparisons.chains import Link
from apps.comparisons.history_comparison import (
    HistoryComparison,
    Knowing,
    PairDifference,
    compare,
)
from apps.comparisons.measures import Measures
from apps.eventlog.event_differences import EventDifference, Version
from apps.kernel.errors import NotFound
from apps.simulation.queries import SimulationUnknown

ACQUAINTANCES = ["remembered", "sighted", "met", "talked", "related"]
ABOUT_CHARACTERS_MAX = 200


class OtherUnknown(NotFound):
    """There is no simulation of that id to compare with, or the user has no role in it."""


ComparedEvent = serializer_of(
    Version,
    "ComparedEvent",
    data=serializers.DictField(),
    cause=TextOrNull(allow_null=True, help_text="The event or command that caused it."),
)


class ComparedDifference(Serializer):
    """An event that is not the same in both simulations."""

    event = serializers.CharField(help_text="Its id in both.")
    clock = Clock()
    one = ComparedEvent(allow_null=True, help_text="Null where there is no such event.")
    other = ComparedEvent(allow_null=True, help_text="Null where there is no such event.")


class CausalLink(ComparedDifference):
    """The first difference of a stream on the way back to the first difference of all."""

    named = TextOrNull(
        allow_null=True,
        help_text="The text by which the turn names the next stream of the chain: the id of an "
        "event, a slug, an object. Null at the end of the chain.",
    )


ComparedAgent = serializer_of(
    AgentState,
    "ComparedAgent",
    doing=TextOrNull(allow_null=True, help_text="Null if it is not there."),
    area=TextOrNull(allow_null=True, help_text="Null outdoors, and if it is not there."),
)
ComparedHour = serializer_of(
    HourOfPlan, "ComparedHour", clock=Clock(source="from_tick", help_text="Its begin.")
)
OnlyThere = serializer_of(agent_states.OnlyThere)


class AgentDifference(Serializer):
    """An agent whose history differs: why, and what differs at the end."""

    agent = serializers.CharField(help_text="A slug.")
    chain = CausalLink(many=True, help_text="From the agent's first difference back.")
    one = ComparedAgent()
    other = ComparedAgent()
    only_one = OnlyThere()
    only_other = OnlyThere()


RelationshipDifference = serializer_of(
    PairDifference,
    "RelationshipDifference",
    kind=Choice(
        choices=ACQUAINTANCES,
        help_text="Has memories about the other, has seen it, has met it or talked with it, or "
        "has a relationship with it as a lasting fact.",
    ),
)
KnowingAgents = serializer_of(Knowing, "KnowingAgents")
HistoryMeasures = serializer_of(Measures, "HistoryMeasures")


class MeasuresSideBySide(Serializer):
    """The measures of both simulations."""

    one = HistoryMeasures()
    other = HistoryMeasures()


class Comparison(Serializer):
    """A comparison of the simulation in the path, `one`, with another."""

    one = serializers.UUIDField()
    other = serializers.UUIDField()
    until = Clock(help_text="The tick up to which both are compared.")
    has_common_past = serializers.BooleanField(
        help_text="Whether both begin alike; if not, only their measures are compared."
    )
    common_until = Clock(
        allow_null=True, help_text="The last tick at which both are the same; null without one."
    )
    first_difference = ComparedDifference(
        allow_null=True, help_text="In canonical order; null if there is none."
    )
    agents = AgentDifference(many=True, help_text="By the tick of the first difference.")
    relationships = RelationshipDifference(
        many=True, help_text="By kind; kinds that are equal in both are left out."
    )
    knowing = KnowingAgents(allow_null=True, help_text="Null without the parameter `about`.")
    measures = MeasuresSideBySide()


class ComparisonParameters(Strict):
    """The end of the compared histories."""

    until = PastMomentParameter(
        required=False,
        help_text="The moment up to which both are compared: a game time without a zone, or a "
        "tick; the committed tick of the simulation that has come less far, if left out.",
    )
    about = serializers.CharField(
        required=False,
        max_length=ABOUT_CHARACTERS_MAX,
        help_text="Words, such as `party`: compares which agents remember them.",
    )


class Comparisons(SimulationView):
    """The comparison of a simulation with another."""

    query = ComparisonParameters

    @operation(
        "compareSimulations", "/comparisons/{other}", "log", Comparison, errors=(OtherUnknown,)
    )
    def get(self, request: Request, other: str, **_names: str) -> Response:
        """Compare two histories: the first event that differs, and what follows from it."""
        one, another = self.context, self._load_other(other)
        come_to = min(one.as_of_tick, another.as_of_tick)
        until = self.parameters.get("until", come_to)
        committed(until, come_to, one.calendar, parameter="until")
        about = self.parameters.get("about", "")
        found = compare(one.id, another.id, until_tick=until, about=about)
        return Response(self.represent(Comparison, comparison_values(found)))

    def _load_other(self, simulation: str) -> SimulationContext:
        """Return the simulation to compare with.

        :raises OtherUnknown: if there is none of that id, or the user has no role in it.
        """
        try:
            return load_context(self.user, simulation)
        except SimulationUnknown as unknown:
            raise OtherUnknown(unknown.message) from unknown


def comparison_values(found: HistoryComparison) -> dict[str, Any]:
    """Return the values of `Comparison`."""
    first = found.first_difference
    return {
        "one": found.one,
        "other": found.other,
        "until": found.until_tick,
        "has_common_past": found.has_common_past,
        "common_until": found.common_until,
        "first_difference": None if first is None else _values(first),
        "agents": [
            {"agent": one.agent, "chain": [_link(link) for link in one.chain]}
            | {field.name: getattr(one.states, field.name) for field in fields(one.states)}
            for one in found.agents
        ],
        "relationships": found.relationships,
        "knowing": found.knowing,
        "measures": {"one": found.measures_of_one, "other": found.measures_of_other},
    }


def _link(link: Link) -> dict[str, Any]:
    return _values(link.difference) | {"named": link.named}


def _values(difference: EventDifference) -> dict[str, Any]:
    values = asdict(difference)
    return values | {"event": str(difference.event), "clock": difference.event.tick}
