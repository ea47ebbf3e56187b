"""Comparisons of two simulations: their first difference, its consequences, their measures."""

from django.contrib.auth.models import User
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
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.simulation_views import SimulationView, committed
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.comparisons import agent_states, history_comparison
from apps.comparisons.agent_states import AgentState
from apps.comparisons.history_comparison import (
    HistoryComparison,
    Knowing,
    Link,
    Measures,
    PairDifference,
    compare,
)
from apps.eventlog.queries import EventDifference, Version
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


ComparedDifference = serializer_of(
    EventDifference,
    "ComparedDifference",
    event=serializers.CharField(help_text="Its id in both."),
    clock=Clock(source="event.tick"),
)
CausalLink = serializer_of(
    Link,
    "CausalLink",
    without=("difference",),
    event=serializers.CharField(source="difference.event", help_text="Its id in both."),
    clock=Clock(source="difference.event.tick"),
    one=ComparedEvent(source="difference.one", allow_null=True),
    other=ComparedEvent(source="difference.other", allow_null=True),
    named=TextOrNull(allow_null=True),
)
ComparedAgent = serializer_of(
    AgentState,
    "ComparedAgent",
    doing=TextOrNull(allow_null=True, help_text="Null if it is not there."),
    area=TextOrNull(allow_null=True, help_text="Null outdoors, and if it is not there."),
)


class ComparedHour(Serializer):
    """A planned hour."""

    clock = Clock(source="from_tick", help_text="Its begin.")
    description = serializers.CharField()
    place = serializers.CharField()


OnlyThere = serializer_of(agent_states.OnlyThere, hours=ComparedHour(many=True))


AgentDifference = serializer_of(
    history_comparison.AgentDifference,
    without=("states",),
    one=ComparedAgent(source="states.one"),
    other=ComparedAgent(source="states.other"),
    only_one=OnlyThere(source="states.only_one"),
    only_other=OnlyThere(source="states.only_other"),
)
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

    one = HistoryMeasures(source="measures_of_one")
    other = HistoryMeasures(source="measures_of_other")


Comparison = serializer_of(
    HistoryComparison,
    "Comparison",
    without=("measures_of_one", "measures_of_other"),
    until=Clock(source="until_tick"),
    common_until=Clock(
        allow_null=True, help_text="The last tick at which both are the same; null without one."
    ),
    measures=MeasuresSideBySide(source="*"),
)


def load_other(user: User, simulation: str) -> SimulationContext:
    """Return the simulation to compare with.

    :raises OtherUnknown: if there is none of that id, or the user has no role in it.
    """
    try:
        return load_context(user, simulation)
    except SimulationUnknown as unknown:
        raise OtherUnknown(unknown.message) from unknown


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
        one, another = self.context, load_other(self.user, other)
        come_to = min(one.as_of_tick, another.as_of_tick)
        until = self.parameters.get("until", come_to)
        committed(until, come_to, one.calendar, parameter="until")
        about = self.parameters.get("about", "")
        found = compare(one.id, another.id, until_tick=until, about=about)
        return Response(self.represent(Comparison, found))
