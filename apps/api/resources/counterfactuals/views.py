"""The views of counterfactuals: requested, estimated, listed, shown, deleted."""

from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right, require_right_of_role
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Strict, address_of
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import FOUNDING
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import (
    list_visible_simulations,
    load_context,
    parse_resource_id,
)
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView, Errors
from apps.api.http.worker_tasks import send_after_commit
from apps.api.resources.branch_requests import (
    BRANCH_ERRORS,
    fork_spec_of,
    interventions_of,
)
from apps.api.resources.commands import PLACE_ERRORS, accepted_response
from apps.api.resources.counterfactuals.serializers import (
    Counterfactual,
    CounterfactualEstimate,
    CounterfactualRequest,
    CounterfactualToEstimate,
)
from apps.api.resources.requested_work import Resumption, values_of_work
from apps.counterfactuals.call_estimates import estimate_calls
from apps.counterfactuals.commands import (
    COUNTERFACTUALS,
    CounterfactualNotPaused,
    CounterfactualSpec,
    delete_counterfactual,
    request_counterfactual,
    resume_counterfactual,
)
from apps.counterfactuals.models import CounterfactualRow
from apps.counterfactuals.queries import (
    CounterfactualUnknown,
    get_counterfactual,
    list_counterfactuals,
)
from apps.llm.calls.queries import reused_calls, spent_by_simulation

ADVANCE_COUNTERFACTUAL = "smallville.advance_counterfactual"
_PARTY = {
    "at": "2023-02-13T08:00:00",
    "until": "2023-02-14T20:00:00",
    "interventions": [
        {
            "kind": "inner-voice",
            "agent": "isabella-rodriguez",
            "text": "You are too tired to give a party this year",
        }
    ],
}


class _CounterfactualView(SimulationView):
    def spec_of(self, requested: dict[str, Any]) -> CounterfactualSpec:
        """Return the requested counterfactual.

        :raises InvalidRequest: if its end is not after the fork.
        """
        at_tick, until_tick = self.moment(requested), requested["until"]
        if until_tick <= at_tick:
            calendar = self.context.calendar
            detail = (
                f"{calendar.moment(until_tick)} is not after the fork at "
                f"{calendar.moment(at_tick)}"
            )
            error = FieldError(pointer="/until", code="before-at", detail=detail)
            raise InvalidRequest([error])
        return CounterfactualSpec(
            fork=fork_spec_of(requested, at_tick),
            until_tick=until_tick,
            interventions=interventions_of(requested),
        )

    def require_right_to_run(self, until_tick: int) -> None:
        """Check the right to command the simulation if it has to run on.

        :raises NotAllowed: without that right.
        """
        if until_tick > self.context.row.settled_tick:
            require_right_of_role(self.context.role, Right.COMMAND)

    def values_of(self, rows: list[CounterfactualRow]) -> list[dict[str, Any]]:
        """Return the values of `Counterfactual`."""
        branches = [row.branch_id for row in rows]
        spent, reused = spent_by_simulation(branches), reused_calls(branches)
        return [
            values_of_work(COUNTERFACTUALS, row)
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
            for row in rows
        ]

    def _comparison_url(self, row: CounterfactualRow) -> str | None:
        if row.state != CounterfactualRow.State.COMPARED:
            return None
        ids = {"simulation": row.simulation_id, "other": row.branch_id}
        return f"{address_of(self.request, 'compareSimulations', **ids)}?until={row.until_tick}"


class Counterfactuals(ListView, _CounterfactualView):
    """The counterfactuals of a simulation."""

    query = list_parameters("by, reason", "recorded_at", default="-recorded_at")
    rights: ClassVar = {"POST": Right.READ}
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation(
        "listCounterfactuals", "/counterfactuals", "simulations", page_of_items(Counterfactual)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the counterfactuals whose branches you have a role in, the latest first."""
        visible = list_visible_simulations(self.user).values("pk")
        rows = [
            row
            for row in list_counterfactuals(self.context.id).filter(branch__in=visible)
            if self.contains_search(row.by, row.reason)
        ]
        return self.page(
            rows, Counterfactual, prepare=self.values_of, recorded_at=("requested_at", "pk")
        )

    @operation(
        "createCounterfactual",
        "/counterfactuals",
        "simulations",
        {202: Counterfactual},
        request=CounterfactualRequest,
        examples={
            "What if Isabella gave up the party?": {**_PARTY, "name": "Without a party"},
            "What if Klaus had left?": {
                "at": "2023-02-13T08:00:00",
                "until": "2023-02-13T20:00:00",
                "name": "Without Klaus",
                "interventions": [{"kind": "send-away", "agent": "klaus-mueller"}],
            },
        },
        errors=BRANCH_ERRORS,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Fork a simulation with interventions, run the branch, and compare the two.

        The branch runs to `until`. The simulation runs on too if it has not come there, which
        needs the right to command it; else the right to read it suffices. You own the branch.
        `POST …/counterfactuals/estimate` estimates the cost before.
        """
        # The role in the simulation may be that of a reader, but the branch is written.
        ApiView.require_right(self, Right.COMMAND)
        requested = self.body(CounterfactualRequest)
        spec = self.spec_of(requested)
        self.require_right_to_run(spec.until_tick)
        row = request_counterfactual(
            wiring.ports(),
            self.context.id,
            spec,
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
            owner_id=self.user.pk,
        )
        send_after_commit(ADVANCE_COUNTERFACTUAL, counterfactual_id=str(row.pk))
        return accepted_response(self.represent(Counterfactual, self.values_of([row])[0]))


class CounterfactualEstimates(_CounterfactualView):
    """The estimate of a counterfactual, which is not created."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateCounterfactual",
        "/counterfactuals/estimate",
        "simulations",
        CounterfactualEstimate,
        request=CounterfactualToEstimate,
        examples={"What if Isabella gave up the party?": _PARTY},
        errors=(AgentUnknown, *PLACE_ERRORS),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Estimate the model calls of a counterfactual: new ones, and answers used again."""
        spec = self.spec_of(self.body(CounterfactualToEstimate))
        tasks = [task.name for task in wiring.LLM_TASKS]
        found = estimate_calls(wiring.ports(), self.context.row, spec, tasks)
        return Response(self.represent(CounterfactualEstimate, found))


class CounterfactualView(_CounterfactualView):
    """A view of a counterfactual, which is in `counterfactual_row`."""

    query = Strict
    errors: ClassVar[Errors] = (CounterfactualUnknown,)
    counterfactual_row: CounterfactualRow

    def load_resources(self, **names: str) -> None:
        """Load the counterfactual.

        :raises CounterfactualUnknown: if there is none of that id, or the user has no role in
            its branch.
        """
        super().load_resources(**names)
        given = names["counterfactual"]
        counterfactual_id = parse_resource_id(
            given, CounterfactualUnknown, "there is no counterfactual"
        )
        row = get_counterfactual(self.context.id, counterfactual_id)
        if not list_visible_simulations(self.user).filter(pk=row.branch_id).exists():
            raise CounterfactualUnknown(f"there is no counterfactual {given}")
        self.counterfactual_row = row


class OneCounterfactual(CounterfactualView):
    """A counterfactual."""

    @operation(
        "getCounterfactual", "/counterfactuals/{counterfactual}", "simulations", Counterfactual
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show a counterfactual: its progress, its calls, and the agents that differ."""
        [values] = self.values_of([self.counterfactual_row])
        return Response(self.represent(Counterfactual, values))

    @operation(
        "deleteCounterfactual", "/counterfactuals/{counterfactual}", "simulations", {204: None}
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete a counterfactual; its branch stays, and is deleted like any simulation."""
        delete_counterfactual(self.counterfactual_row)
        return Response(status=HTTPStatus.NO_CONTENT)


class ResumedCounterfactual(CounterfactualView):
    """The continuation of a counterfactual that an error has stopped."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "resumeCounterfactual",
        "/counterfactuals/{counterfactual}/resume",
        "simulations",
        {202: Counterfactual},
        request=Resumption,
        examples={"As it was requested": {}},
        errors=(CounterfactualNotPaused,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Let a paused counterfactual take the step again that an error has stopped."""
        self.body(Resumption)
        ApiView.require_right(self, Right.COMMAND)
        row = self.counterfactual_row
        branch = load_context(self.user, str(row.branch_id))
        require_right_of_role(branch.role, Right.COMMAND)
        self.require_right_to_run(row.until_tick)
        resume_counterfactual(row)
        send_after_commit(ADVANCE_COUNTERFACTUAL, counterfactual_id=str(row.pk))
        row.refresh_from_db()
        return accepted_response(self.represent(Counterfactual, self.values_of([row])[0]))
