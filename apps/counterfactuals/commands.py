"""Counterfactuals: the request of one, and its next step (V4).

A counterfactual advances by short steps. The runs are those of the simulations themselves:
schedulers and workers carry them out, and users may pause and continue them.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps import history
from apps.comparisons.history_comparison import AgentDifference, compare
from apps.counterfactuals.models import CounterfactualRow
from apps.history import SimulationRow
from apps.simulation.commands.branch_interventions import (
    BranchIntervention,
    request_interventions,
)
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import (
    CannotRun,
    TooManyRunning,
    ensure_may_run,
    request_pause,
    request_run,
)
from apps.simulation.ports import Ports
from apps.work.kinds import TakenWork, Wait, WorkKind, WorkProgress
from apps.work.rows import OPEN, WorkState


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualSpec:
    """The branch to create, what users do at its first tick, and the last compared tick."""

    fork: ForkSpec
    until_tick: int
    interventions: Sequence[BranchIntervention] = ()


def request_counterfactual(
    ports: Ports,
    parent_id: UUID,
    spec: CounterfactualSpec,
    *,
    by: str,
    reason: str = "",
    owner_id: int | None = None,
) -> CounterfactualRow:
    """Create the branch with its interventions, and record the request.

    :raises CannotRun: if the end is not after the fork.
    :raises DomainError: if the branch cannot be created, or begin so.
    """
    if spec.until_tick <= spec.fork.at_tick:
        calendar = history.calendar_of(parent_id)
        raise CannotRun(
            f"{calendar.moment(spec.until_tick)} is not after the fork at "
            f"{calendar.moment(spec.fork.at_tick)}"
        )
    with transaction.atomic():
        branch = fork_simulation(ports, parent_id, spec.fork, owner_id=owner_id)
        request_interventions(ports, branch.pk, spec.interventions, by=by)
        return CounterfactualRow.objects.create(
            simulation_id=parent_id,
            branch=branch,
            at_tick=spec.fork.at_tick,
            until_tick=spec.until_tick,
            interventions=[one.to_json() for one in spec.interventions],
            by=by,
            reason=reason,
        )


def _take_step(taken: TakenWork[CounterfactualRow]) -> None:
    """Request the runs, or compare once both have come to the end."""
    row = taken.row
    if not missing_runs(row):
        COUNTERFACTUALS.end(row.pk, WorkState.DONE, **_compared(row))
    elif not row.are_runs_requested:
        with suppress(TooManyRunning):  # a later step tries again
            request_runs(row, running_max=taken.running_max)


class _CounterfactualKind(WorkKind[CounterfactualRow]):
    """Counterfactuals, which wait for the runs of simulations."""

    @property
    def rows(self) -> QuerySet[CounterfactualRow]:
        """All counterfactuals with their simulations and branches."""
        return super().rows.select_related("simulation", "branch")

    def pause_all(self, work_ids: Collection[UUID], code: str, problem: str) -> None:
        """Pause counterfactuals with their branches; the parents run on."""
        super().pause_all(work_ids, code, problem)
        self._pause_branches(work_ids, "its counterfactual was paused")

    def cancel(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """End a counterfactual and pause its branch, which stays."""
        super().cancel(work_id, by=by, reason=reason)
        self._pause_branches([work_id], "its counterfactual was cancelled")

    def resume(self, work_id: UUID, *, by: str, **changes: Any) -> None:
        """Let a counterfactual request the runs again that have not come to the end."""
        super().resume(work_id, by=by, are_runs_requested=False, **changes)

    def wait_of(self, row: CounterfactualRow) -> Wait | None:
        """Return the runs that it waits for, or what all work waits for."""
        if row.state not in OPEN or not row.are_runs_requested:
            return super().wait_of(row)
        return Wait(_awaited(row), row.taken_at or row.requested_at)

    def progress_of(self, rows: Sequence[CounterfactualRow]) -> Mapping[UUID, WorkProgress]:
        """Return the ticks that the branches have lived since the forks."""
        return {
            row.pk: WorkProgress(
                done=min(row.branch.committed_tick, row.until_tick) - row.at_tick,
                total=row.until_tick - row.at_tick,
            )
            for row in rows
        }

    def _pause_branches(self, work_ids: Collection[UUID], reason: str) -> None:
        branches = SimulationRow.objects.filter(
            counterfactuals_of_branch__in=work_ids, status=SimulationRow.Status.RUNNING
        )
        for branch in branches:
            request_pause(branch.pk, reason=reason)


COUNTERFACTUALS = _CounterfactualKind(
    name="counterfactual",
    model=CounterfactualRow,
    parts="ticks",
    step=_take_step,
    in_steps=True,
    awaits="fewer simulations of its owner to run",
)


def missing_runs(row: CounterfactualRow) -> list[SimulationRow]:
    """Return the parent and the branch, as far as they have not come to the end."""
    both = SimulationRow.with_deleted.filter(pk__in=[row.simulation_id, row.branch_id])
    return [one for one in both if one.committed_tick < row.until_tick]


def request_runs(row: CounterfactualRow, *, running_max: int, holder: str = "") -> None:
    """Request the missing runs, all or none, and never again after that.

    :param holder: the process that will schedule them.
    :raises TooManyRunning: if as many simulations of an owner run as may run.
    :raises DomainError: if one cannot be run.
    """
    with transaction.atomic():
        for one in missing_runs(row):
            if not _runs_to(one, row.until_tick):
                ensure_may_run(one.pk, running_max=running_max)
                request_run(one.pk, until_tick=row.until_tick, keeps_pace=True, holder=holder)
        COUNTERFACTUALS.record(row.pk, are_runs_requested=True)


def _awaited(row: CounterfactualRow) -> str:
    """Return what a counterfactual waits for whose runs were requested."""
    calendar = history.calendar_of(row.simulation_id)
    paused = "; ".join(
        f"{one.name!r} ({one.pk}) was paused at {calendar.moment(one.committed_tick)}: "
        f"{one.reason}"
        for one in (row.simulation, row.branch)
        if one.status == SimulationRow.Status.PAUSED and one.committed_tick < row.until_tick
    )
    return paused or f"its simulations to come to {calendar.moment(row.until_tick)}"


def _compared(row: CounterfactualRow) -> dict[str, Any]:
    found = compare(row.simulation_id, row.branch_id, until_tick=row.until_tick)
    first = found.first_difference
    return {
        "first_difference": "" if first is None else str(first.event),
        "same_calls": history.same_requests(
            row.branch_id, row.simulation_id, until_tick=row.until_tick
        ),
        "differences": [_difference_json(one) for one in found.agents],
    }


def _difference_json(one: AgentDifference) -> dict[str, Any]:
    events = [link.difference.event for link in one.chain]
    return {
        "agent": one.agent,
        "event": str(events[0]),
        "tick": events[0].tick,
        "through": [event.stream for event in events[1:]],
    }


def _runs_to(row: SimulationRow, tick: int) -> bool:
    """Return whether the simulation runs, and at least to the tick."""
    is_far_enough = row.until_tick is None or row.until_tick >= tick
    return row.status == SimulationRow.Status.RUNNING and is_far_enough
