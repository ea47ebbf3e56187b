"""Counterfactuals: a branch with interventions, run on and compared, in one request."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from apps import wiring
from apps.access.rights import Right, require_right_of_role
from apps.api.http.fields import Choice, Clock, ResourceURL, Serializer, TextOrNull, address_of
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import list_visible_simulations, load_context
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import FOUNDING, ApiView
from apps.api.resources.costs import Estimated
from apps.api.resources.forks import BRANCH_ERRORS, ForkRequest
from apps.api.resources.work import (
    OfKind,
    SimulationWorkView,
    Work,
    WorkRequests,
    views_of_requests,
    views_of_work,
)
from apps.counterfactuals import call_estimates
from apps.counterfactuals.call_estimates import CallEstimate, estimate_calls
from apps.counterfactuals.commands import (
    COUNTERFACTUALS,
    CounterfactualSpec,
    request_counterfactual,
)
from apps.counterfactuals.models import CounterfactualRow
from apps.kernel.requested_values import FirstTickFrom, Name, Reason
from apps.llm.calls.queries import reused_calls, spent_by_simulation
from apps.simulation.models import Status
from apps.work.rows import WorkState


class CounterfactualRequest(ForkRequest):
    """The branch, and the moment up to which it is run and compared."""

    until: FirstTickFrom
    """The last compared moment; the simulation runs on if it has to."""
    reason: Reason = ""
    """The reason; it is stored with the counterfactual."""


class CounterfactualToEstimate(CounterfactualRequest):
    """The counterfactual to estimate."""

    name: Name = "an estimate"
    """As in the request of the counterfactual; it has no effect here."""


ReachedAgent = serializer_of(
    call_estimates.ReachedAgent,
    clock=Clock(source="tick", help_text="The first turn that can differ."),
)
CounterfactualEstimate = serializer_of(
    call_estimates.CallEstimate,
    "CounterfactualEstimate",
    log_until=Clock(source="log_tick", help_text="The end of the log that it rests on."),
    new=Estimated(help_text="Of the branch: calls of agents since they are reached."),
    reused=Estimated(
        help_text="Of the branch: calls that the simulation has made with the same request. A "
        "remote model is not asked again."
    ),
    later=Estimated(
        help_text="Beyond the log: calls of the branch, and as many of the simulation."
    ),
)


class RunOfOne(Serializer):
    """The progress of one of the two simulations."""

    id = serializers.UUIDField(source="pk")
    url = ResourceURL("getSimulation", simulation="pk")
    clock = Clock(source="committed_tick", help_text="The committed tick.")
    status = Choice(choices=Status)
    status_reason = serializers.CharField(
        source="reason", help_text="The reason of a pause; empty while it runs."
    )


class CallsOfBranch(Serializer):
    """The model calls of the branch after the fork."""

    paid = serializers.IntegerField(min_value=0)
    reused = serializers.IntegerField(
        min_value=0, help_text="Answered at no cost by the same call of the simulation."
    )
    same = serializers.IntegerField(
        min_value=0,
        allow_null=True,
        help_text="Those that the simulation has made with the same request; null before the "
        "comparison. A remote model is not asked again, so that they are `reused`; the "
        "rule-based model answers again, at no cost.",
    )
    tokens = serializers.IntegerField(min_value=0, help_text="Of the paid calls.")
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


class DifferingAgent(Serializer):
    """An agent whose history differs."""

    agent = serializers.CharField(help_text="A slug.")
    event = serializers.CharField(help_text="The id of the first event that differs.")
    clock = Clock(source="tick")
    through = serializers.ListField(
        child=serializers.CharField(),
        help_text="The streams of the causal chain back to the first difference of all.",
    )


class RequestedIntervention(Serializer):
    """What users do at the first tick of the branch."""

    kind = serializers.CharField()
    agent = TextOrNull(allow_null=True)
    object_ = TextOrNull(allow_null=True)
    text = TextOrNull(allow_null=True)


class Counterfactual(Work):
    """A counterfactual: its progress, its cost, and what differs."""

    id = serializers.UUIDField()
    status_url = ResourceURL(
        "getCounterfactual", simulation="simulation_id", counterfactual="id"
    )
    name = serializers.CharField(help_text="Of the branch.")
    forked_at = Clock(source="at_tick", help_text="The last moment of the shared past.")
    until = Clock(source="until_tick", help_text="The last compared moment.")
    interventions = RequestedIntervention(many=True)
    simulation = RunOfOne()
    branch = RunOfOne()
    calls = CallsOfBranch()
    comparison_url = serializers.URLField(
        allow_null=True, help_text="The whole comparison; null before."
    )
    first_difference = TextOrNull(
        allow_null=True, help_text="The id of an event; null before, and without a difference."
    )
    agents = DifferingAgent(
        many=True, source="differences", help_text="In the order of their first differences."
    )


class _CounterfactualView(OfKind, SimulationView):
    kind = COUNTERFACTUALS
    shown_as = Counterfactual

    def require_right_to_run(self, until_tick: int) -> None:
        """Check the right to command the simulation if it has to run on.

        :raises NotAllowed: without that right.
        """
        if until_tick > self.context.row.committed_tick:
            require_right_of_role(self.context.role, Right.COMMAND)

    def values_of(self, rows: Sequence[CounterfactualRow]) -> list[dict[str, Any]]:
        """Return the values of `Counterfactual`."""
        branches = [row.branch_id for row in rows]
        spent, reused = spent_by_simulation(branches), reused_calls(branches)
        return [
            values
            | {
                "name": row.branch.name,
                "simulation": row.simulation,
                "branch": row.branch,
                "calls": {
                    "paid": (used := spent[row.branch_id]).calls - reused.get(row.branch_id, 0),
                    "reused": reused.get(row.branch_id, 0),
                    "same": row.same_calls,
                    "tokens": used.tokens,
                    "cost": used.cost,
                },
                "comparison_url": self._comparison_url(row),
            }
            for values, row in zip(super().values_of(rows), rows, strict=True)
        ]

    def _comparison_url(self, row: CounterfactualRow) -> str | None:
        if row.state != WorkState.DONE:
            return None
        ids = {"simulation": row.simulation_id, "other": row.branch_id}
        return f"{address_of(self.request, 'compareSimulations', **ids)}?until={row.until_tick}"


class CounterfactualRequests(WorkRequests, _CounterfactualView):
    """The counterfactuals of a simulation whose branches the user has a role in."""

    rights: ClassVar = {"POST": Right.READ}
    body_model = CounterfactualRequest
    estimated_model = CounterfactualToEstimate
    estimated_as = CounterfactualEstimate

    def rows(self) -> QuerySet[CounterfactualRow]:
        """Return the counterfactuals of the simulation that the user may see."""
        visible = list_visible_simulations(self.user).values("pk")
        return COUNTERFACTUALS.rows.filter(simulation_id=self.context.id, branch__in=visible)

    def spec_of(self, requested: CounterfactualRequest) -> CounterfactualSpec:
        """Return the requested counterfactual.

        :raises InvalidRequest: if its end is not after the fork.
        """
        at_tick, until_tick = self.moment(requested.at), requested.until
        if until_tick <= at_tick:
            calendar = self.context.calendar
            detail = (
                f"{calendar.moment(until_tick)} is not after the fork at "
                f"{calendar.moment(at_tick)}"
            )
            error = FieldError(pointer="/until", code="before-at", detail=detail)
            raise InvalidRequest([error])
        return CounterfactualSpec(
            fork=requested.spec(at_tick),
            until_tick=until_tick,
            interventions=requested.interventions,
        )

    def ensure_may_request(self) -> None:
        """Check that the token may write: the role may be that of a reader, not the token.

        :raises NotAllowed: if it may not.
        """
        ApiView.require_right(self, Right.COMMAND)

    def record(self, requested: CounterfactualRequest) -> CounterfactualRow:
        """Fork a simulation with interventions, run the branch, and compare the two.

        The branch runs to `until`. The simulation runs on too if it has not come there, which
        needs the right to command it; else the right to read it suffices. You own the branch.
        `POST …/counterfactuals/estimate` estimates the cost before.
        """
        spec = self.spec_of(requested)
        self.require_right_to_run(spec.until_tick)
        return request_counterfactual(
            wiring.ports(),
            self.context.id,
            spec,
            by=self.user.get_username(),
            reason=requested.reason,
            owner_id=self.user.pk,
        )

    def estimate(self, requested: CounterfactualRequest) -> CallEstimate:
        """Return the model calls: new ones, and answers used again."""
        spec = self.spec_of(requested)
        return estimate_calls(wiring.ports(), self.context.row, spec, wiring.LLM_TASK_NAMES)


class CounterfactualView(_CounterfactualView, SimulationWorkView):
    """A view of a counterfactual whose branch the user has a role in."""

    rights: ClassVar = {"POST": Right.READ}
    address: ClassVar[str] = f"{SimulationView.address}/counterfactuals/{{counterfactual}}"
    parameter = "counterfactual"

    def found_by(self, **names: str) -> dict[str, Any]:
        """Return the simulation, and the branches that the user may see."""
        return super().found_by(**names) | {"branch__in": list_visible_simulations(self.user)}

    def ensure_may_change(self) -> None:
        """Check the right to command the branch, and the simulation if it has to run on.

        :raises NotAllowed: without one of them.
        """
        ApiView.require_right(self, Right.COMMAND)
        branch = load_context(self.user, str(self.work_row.branch_id))
        require_right_of_role(branch.role, Right.COMMAND)
        self.require_right_to_run(self.work_row.until_tick)


VIEWS = views_of_work(CounterfactualView, tag="simulations") + views_of_requests(
    CounterfactualRequests,
    tag="simulations",
    route="/counterfactuals",
    request_id="createCounterfactual",
    rate=FOUNDING,
    errors=BRANCH_ERRORS,
)
