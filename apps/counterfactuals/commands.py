"""Commands of counterfactuals: request one, take its next step, delete it (V4).

A counterfactual advances by short steps. The runs are those of the simulations themselves:
schedulers and workers carry them out, and users may pause and continue them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.comparisons.history_comparison import AgentDifference, compare
from apps.counterfactuals.models import CounterfactualRow
from apps.django_support.waiting_work import WaitingWork
from apps.kernel.errors import SmallvilleError
from apps.llm.queries import same_requests
from apps.simulation.commands.branch_interventions import (
    BranchIntervention,
    request_interventions,
)
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import CannotRun, request_run
from apps.simulation.engine.running_limit import TooManyRunning, ensure_may_run
from apps.simulation.models import SimulationRow, Status
from apps.simulation.ports import Ports

LAPSED = timedelta(minutes=10)
"""A step takes seconds; a process that has been at one for so long is lost."""
_State = CounterfactualRow.State
_WORK = WaitingWork(
    model=CounterfactualRow, open_states=(_State.WAITING, _State.RUNNING), lapse=LAPSED
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
        raise CannotRun(
            f"tick {spec.until_tick} is not after the fork at tick {spec.fork.at_tick}"
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
    return _WORK.ids(ordered_by="requested_at")


def advance_counterfactual(counterfactual_id: UUID, *, running_max: int = 0) -> None:
    """Take the next step: request the runs, or compare once both have come to the end.

    Does nothing if the counterfactual is over, was deleted, or is taken by another process. A
    step whose process was lost is taken again.

    :param running_max: how many simulations of an owner may run at once; 0 for no limit.
    :raises Exception: if it cannot be run or compared; the row has the reason.
    """
    row = _WORK.take(counterfactual_id)
    if row is None:
        return
    try:
        found = _next_step(row, running_max)
    except Exception as error:
        known = error if isinstance(error, SmallvilleError) else None
        _record(
            row,
            state=_State.FAILED,
            problem_code=known.code if known else SmallvilleError.code,
            problem=known.message if known else f"an error of the service: {error!r}",
            finished_at=timezone.now(),
        )
        raise
    _record(row, taken_at=None, **found)


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
        _record(row, are_runs_requested=True, state=_State.RUNNING, waits_for="")


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
            return {"state": _State.WAITING, "waits_for": error.message}
        return {}
    paused = [one for one in missing if one.status == Status.PAUSED]
    waits_for = "; ".join(
        f"{one.name!r} ({one.pk}) was paused at tick {one.settled_tick}: {one.reason}"
        for one in paused
    )
    return {"state": _State.WAITING if paused else _State.RUNNING, "waits_for": waits_for}


def _compared(row: CounterfactualRow) -> dict[str, Any]:
    found = compare(row.simulation_id, row.branch_id, until_tick=row.until_tick)
    first = found.first_difference
    return {
        "state": _State.COMPARED,
        "waits_for": "",
        "first_difference": "" if first is None else str(first.event),
        "same_calls": same_requests(
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
