"""Where agents spend their days, also against another simulation."""

from dataclasses import asdict
from statistics import mean
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Clock, Serializer
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.comparisons import OtherUnknown, load_other
from apps.evaluation.social.social_measures import Routine, days_until, routines
from apps.evaluation.statistics.bootstrap import jensen_shannon_divergence
from apps.simulation.queries import WorldChanged

DAYS_MAX = 31


class RoutineParameters(AsOf):
    """The stretch of time, and the simulation to compare with."""

    days = serializers.IntegerField(
        required=False,
        default=1,
        min_value=1,
        max_value=DAYS_MAX,
        help_text="So many days before the moment are read.",
    )
    other = serializers.UUIDField(
        required=False,
        help_text="A simulation to compare with in the same days, which it has committed.",
    )


AgentRoutine = serializer_of(
    Routine,
    "AgentRoutine",
    divergence=serializers.FloatField(
        min_value=0,
        max_value=1,
        allow_null=True,
        help_text="The Jensen-Shannon divergence, in bits, of the shares from those of the "
        "same agent in the other simulation; null without one.",
    ),
)


class RoutineReport(Serializer):
    """The routines of the agents of a simulation."""

    from_ = Clock(source="from_tick")
    as_of = Clock(source="as_of_tick")
    other = serializers.UUIDField(allow_null=True)
    mean_divergence = serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, help_text="Of the agents that are in both."
    )
    agents = AgentRoutine(many=True)


class Routines(SimulationView):
    """The routines of the agents."""

    query = RoutineParameters

    @operation(
        "getRoutines",
        "/routines",
        "evaluation",
        RoutineReport,
        errors=(OtherUnknown, WorldChanged),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show where agents spend their time, and how far that differs from another run."""
        ticks = days_until(
            self.context.calendar, self.context.as_of_tick, self.parameters["days"]
        )
        own = _routines_in(self.context, ticks)
        others: dict[str, Routine] = {}
        if "other" in self.parameters:
            others = _routines_in(self._load_other(), ticks)
        divergences = {
            agent: jensen_shannon_divergence(own[agent].shares, others[agent].shares)
            for agent in own.keys() & others.keys()
        }
        shown: dict[str, Any] = {
            "from_tick": ticks.start,
            "as_of_tick": self.context.as_of_tick,
            "other": self.parameters.get("other"),
            "mean_divergence": mean(divergences.values()) if divergences else None,
            "agents": [
                asdict(found) | {"divergence": divergences.get(agent)}
                for agent, found in own.items()
            ],
        }
        return Response(self.represent(RoutineReport, shown))

    def _load_other(self) -> SimulationContext:
        """Return the simulation to compare with.

        :raises OtherUnknown: if there is none of that id, the user has no role in it, or it has
            not committed the moment.
        """
        found = load_other(self.user, str(self.parameters["other"]))
        if found.as_of_tick < self.context.as_of_tick:
            raise OtherUnknown(
                f"simulation {found.id} has come to {found.calendar.moment(found.as_of_tick)}; "
                "name a moment that both have"
            )
        return found


def _routines_in(context: SimulationContext, ticks: range) -> dict[str, Routine]:
    return routines(
        context.id, world=context.constants().world, calendar=context.calendar, ticks=ticks
    )
