"""Commands of counterfactuals: request one, take its next step, delete it (V4).

A counterfactual advances by short steps. The runs are those of the simulations themselves:
schedulers and workers carry them out, and users may pause and continue them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps import history
from apps.comparisons.history_comparison import AgentDifference, compare
from apps.counterfactuals.models import CounterfactualRow
from apps.django_support.background_work import BackgroundWork, Wait
from apps.history import SimulationRow, Status
from apps.kernel.errors import DomainError
from apps.simulation.commands.branch_interventions import (
    BranchIntervention,
    request_interventions,
)
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import CannotRun, request_run
from apps.simulation.engine.running_limit import TooManyRunning, ensure_may_run
from apps.simulation.ports import Ports

_State = CounterfactualRow.State


class CounterfactualNotPaused(DomainError):
    """Only a counterfactual that is paused can be resumed."""

    code: ClassVar[str] = "counterfactual-not-paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class _CounterfactualWork(BackgroundWork[CounterfactualRow]):
    """Counterfactuals, whose steps record what they wait for."""

    def wait_of(self, row: CounterfactualRow) -> Wait | None:
        """Return what the last step has found, or what all work waits for."""
        if row.state in self.open_states and row.waits_since is not None:
            return Wait(row.waits_for, row.waits_since)
        return BackgroundWork.wait_of(self, row)


COUNTERFACTUALS = _CounterfactualWork(
    model=CounterfactualRow,
    noun="counterfactual",
    open_states=(_State.WAITING, _State.RUNNING),
    in_steps=True,
    not_paused=CounterfactualNotPaused,
)


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
            interventions=[asdict(one) for one in spec.interventions],
            by=by,
            reason=reason,
        )


def waiting_counterfactuals() -> list[UUID]:
    """Return the counterfactuals that are not over and have no process at a step."""
    return COUNTERFACTUALS.ids()


def advance_counterfactual(counterfactual_id: UUID, *, running_max: int = 0) -> None:
    """Take the next step: request the runs, or compare once both have come to the end.

    Does nothing if the counterfactual is over, was deleted, or is taken by another process. A
    step whose process was lost is taken again.

    :param running_max: how many simulations of an owner may run at once; 0 for no limit.
    :raises Exception: if it cannot be run or compared; the row has the reason.
    """
    row = COUNTERFACTUALS.take(counterfactual_id)
    if row is None:
        return
    with COUNTERFACTUALS.carried_out(counterfactual_id):
        _record(row, **_next_step(row, running_max))


def resume_counterfactual(row: CounterfactualRow) -> CounterfactualRow:
    """Let a paused counterfactual take the step again that an error has stopped.

    :raises CounterfactualNotPaused: if it is not paused.
    """
    return COUNTERFACTUALS.resume(row.pk)


def missing_runs(row: CounterfactualRow) -> list[SimulationRow]:
    """Return the parent and the branch, as far as they have not come to the end."""
    both = SimulationRow.with_deleted.filter(pk__in=[row.simulation_id, row.branch_id])
    return [one for one in both if one.settled_tick < row.until_tick]


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
        _record(row, are_runs_requested=True, **_waiting_for_runs(row))


def delete_counterfactual(row: CounterfactualRow) -> None:
    """Delete the counterfactual; its branch stays."""
    row.delete()


def _next_step(row: CounterfactualRow, running_max: int) -> dict[str, Any]:
    """Take the next step, and return the values that it gives the row."""
    missing = missing_runs(row)
    if not missing:
        return _compared(row)
    if not row.are_runs_requested:
        try:
            request_runs(row, running_max=running_max)
        except TooManyRunning as error:
            return _waiting(row, _State.WAITING, error.message)
        return {}
    paused = [one for one in missing if one.status == Status.PAUSED]
    waits_for = "; ".join(
        f"{one.name!r} ({one.pk}) was paused at tick {one.settled_tick}: {one.reason}"
        for one in paused
    )
    return _waiting(row, _State.WAITING, waits_for) if paused else _waiting_for_runs(row)


def _waiting_for_runs(row: CounterfactualRow) -> dict[str, Any]:
    return _waiting(row, _State.RUNNING, f"its simulations to come to tick {row.until_tick}")


def _waiting(row: CounterfactualRow, state: str, waits_for: str) -> dict[str, Any]:
    """Return the values of a row that waits; with the same reason `waits_since` stays."""
    since = row.waits_since if row.waits_for == waits_for else timezone.now()
    return {"state": state, "waits_for": waits_for, "waits_since": since}


def _compared(row: CounterfactualRow) -> dict[str, Any]:
    found = compare(row.simulation_id, row.branch_id, until_tick=row.until_tick)
    first = found.first_difference
    return {
        "state": _State.COMPARED,
        "waits_for": "",
        "waits_since": None,
        "first_difference": "" if first is None else str(first.event),
        "same_calls": history.same_requests(
            row.branch_id, row.simulation_id, until_tick=row.until_tick
        ),
        "differences": [_difference_json(one) for one in found.agents],
        "finished_at": timezone.now(),
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
    return row.status == Status.RUNNING and is_far_enough


def _record(row: CounterfactualRow, **values: Any) -> None:
    CounterfactualRow.objects.filter(pk=row.pk).update(**values)
