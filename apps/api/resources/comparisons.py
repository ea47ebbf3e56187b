"""Comparisons of two simulations: their first difference, its consequences, their measures."""

from dataclasses import asdict, fields
from typing import Any, ClassVar

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
from apps.comparisons.agent_states import HOURS_SHOWN, MEMORIES_SHOWN
from apps.comparisons.chains import Link
from apps.comparisons.history_comparison import HistoryComparison, compare
from apps.history import EventDifference
from apps.kernel.errors import NotFound
from apps.simulation.queries import SimulationUnknown

ACQUAINTANCES = ["remembered", "sighted", "met", "talked", "related"]
ABOUT_CHARACTERS_MAX = 200


class OtherUnknown(NotFound):
    """There is no simulation of that id to compare with, or the user has no role in it."""

    code: ClassVar[str] = "other-unknown"


class ComparedEvent(Serializer):
    """An event of one of the simulations."""

    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    cause = TextOrNull(allow_null=True, help_text="The event or command that caused it.")


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


class ComparedAgent(Serializer):
    """An agent at the end of one history."""

    doing = TextOrNull(allow_null=True, help_text="Null if it is not there.")
    area = TextOrNull(allow_null=True, help_text="Null outdoors, and if it is not there.")
    known_places = serializers.IntegerField(min_value=0)
    memories = serializers.IntegerField(
        min_value=0, help_text="Formed since the last common tick."
    )
    conversations = serializers.IntegerField(
        min_value=0, help_text="Since the last common tick."
    )
    talked_with = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of agents, since the last common tick."
    )


class ComparedHour(Serializer):
    """A planned hour."""

    clock = Clock(source="from_tick", help_text="Its begin.")
    description = serializers.CharField()
    place = serializers.CharField()


class OnlyThere(Serializer):
    """What an agent has in one of the histories only."""

    memories = serializers.ListField(
        child=serializers.CharField(),
        help_text=f"The {MEMORIES_SHOWN} most important ones, in their words.",
    )
    hours = ComparedHour(
        many=True,
        help_text=f"The first {HOURS_SHOWN} planned hours with another begin or activity.",
    )


class AgentDifference(Serializer):
    """An agent whose history differs: why, and what differs at the end."""

    agent = serializers.CharField(help_text="A slug.")
    chain = CausalLink(many=True, help_text="From the agent's first difference back.")
    one = ComparedAgent()
    other = ComparedAgent()
    only_one = OnlyThere()
    only_other = OnlyThere()


class RelationshipDifference(Serializer):
    """The pairs [agent, other] with an acquaintance in one of the histories only."""

    kind = Choice(
        choices=ACQUAINTANCES,
        help_text="Has memories about the other, has seen it, has met it or talked with it, or "
        "has a relationship with it as a lasting fact.",
    )
    only_one = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    only_other = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField())
    )


class KnowingAgents(Serializer):
    """The agents that have a memory whose words contain a text."""

    about = serializers.CharField()
    one = serializers.ListField(child=serializers.CharField(), help_text="Slugs.")
    other = serializers.ListField(child=serializers.CharField(), help_text="Slugs.")


class HistoryMeasures(Serializer):
    """Measures of a history; densities are shares of all pairs of agents."""

    agents = serializers.IntegerField(min_value=0)
    events = serializers.IntegerField(min_value=0)
    conversations = serializers.IntegerField(min_value=0)
    utterances = serializers.IntegerField(min_value=0)
    memories = serializers.IntegerField(min_value=0)
    planned_hours = serializers.IntegerField(min_value=0)
    known_places = serializers.IntegerField(min_value=0, help_text="Of all agents together.")
    remembered_density = serializers.FloatField(min_value=0, max_value=1)
    sighted_density = serializers.FloatField(min_value=0, max_value=1)
    met_density = serializers.FloatField(min_value=0, max_value=1)
    talked_density = serializers.FloatField(min_value=0, max_value=1)
    related_density = serializers.FloatField(min_value=0, max_value=1)
    model_calls = serializers.IntegerField(
        min_value=0, help_text="Of a branch, its own calls after the fork."
    )
    reused_calls = serializers.IntegerField(
        min_value=0, help_text="Those answered at no cost by the same call of the family."
    )
    tokens = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


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
