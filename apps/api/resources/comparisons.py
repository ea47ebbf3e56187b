"""Comparisons of two simulations: their first difference, its consequences, their measures."""

from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Clock, PastMomentParameter, Serializer, Strict, TextOrNull
from apps.api.http.moments import committed
from apps.api.http.operation import operation
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.simulation_views import SimulationView
from apps.comparisons.chains import Link, chain_of
from apps.comparisons.event_differences import EventDifference, first_differences
from apps.comparisons.measures import measures_of
from apps.eventlog.event import COMMANDS_STREAM, SIMULATION_STREAM
from apps.kernel.errors import NotFound
from apps.simulation.queries import SimulationUnknown


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


class AgentDifference(Serializer):
    """An agent whose history differs, and the chain of causes of its first difference."""

    agent = serializers.CharField(help_text="A slug.")
    chain = CausalLink(many=True, help_text="From the agent's first difference back.")


class HistoryMeasures(Serializer):
    """Measures of a history; densities are shares of all pairs of agents."""

    agents = serializers.IntegerField(min_value=0)
    events = serializers.IntegerField(min_value=0)
    conversations = serializers.IntegerField(min_value=0)
    utterances = serializers.IntegerField(min_value=0)
    memories = serializers.IntegerField(min_value=0)
    planned_hours = serializers.IntegerField(min_value=0)
    knowing_density = serializers.FloatField(min_value=0, max_value=1)
    sighted_density = serializers.FloatField(min_value=0, max_value=1)
    met_density = serializers.FloatField(min_value=0, max_value=1)
    talked_density = serializers.FloatField(min_value=0, max_value=1)
    related_density = serializers.FloatField(min_value=0, max_value=1)
    model_calls = serializers.IntegerField(min_value=0)
    tokens = serializers.IntegerField(min_value=0)


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
    measures = MeasuresSideBySide()


class ComparisonParameters(Strict):
    """The end of the compared histories."""

    until = PastMomentParameter(
        required=False,
        help_text="The moment up to which both are compared: a game time without a zone, or a "
        "tick; the committed tick of the simulation that has come less far, if left out.",
    )


class Comparisons(SimulationView):
    """The comparison of a simulation with another."""

    query = ComparisonParameters

    @operation("compareSimulations", "log", Comparison, errors=(OtherUnknown,))
    def get(self, request: Request, other: str, **_names: str) -> Response:
        """Compare two histories: the first event that differs, and what follows from it."""
        one, another = self.context, self._load_other(other)
        come_to = min(one.as_of_tick, another.as_of_tick)
        until = committed(self.parameters.get("until", come_to), come_to, parameter="until")
        differences = first_differences(one.id, another.id, until_tick=until)
        first = next(iter(differences.values()), None)
        has_common_past = first is None or first.event.tick > 0
        shown = {
            "one": one.id,
            "other": another.id,
            "until": until,
            "has_common_past": has_common_past,
            "common_until": _common_until(first, until),
            "first_difference": _values(first) if first and has_common_past else None,
            "agents": _agents(differences, (one.id, another.id)) if has_common_past else [],
            "measures": {
                "one": measures_of(one.id, as_of_tick=until),
                "other": measures_of(another.id, as_of_tick=until),
            },
        }
        return Response(self.represent(Comparison, shown))

    def _load_other(self, simulation: str) -> SimulationContext:
        """Return the simulation to compare with.

        :raises OtherUnknown: if there is none of that id, or the user has no role in it.
        """
        try:
            return load_context(self.user, simulation)
        except SimulationUnknown as unknown:
            raise OtherUnknown(unknown.message) from unknown


def _common_until(first: EventDifference | None, until: int) -> int | None:
    if first is None:
        return until
    return first.event.tick - 1 if first.event.tick else None


def _agents(
    differences: dict[str, EventDifference], simulations: tuple[UUID, UUID]
) -> list[dict[str, Any]]:
    return [
        {
            "agent": stream,
            "chain": [_link(link) for link in chain_of(stream, differences, simulations)],
        }
        for stream in differences
        if stream not in {COMMANDS_STREAM, SIMULATION_STREAM}
    ]


def _link(link: Link) -> dict[str, Any]:
    return _values(link.difference) | {"named": link.named}


def _values(difference: EventDifference) -> dict[str, Any]:
    values = asdict(difference)
    return values | {"event": str(difference.event), "clock": difference.event.tick}
