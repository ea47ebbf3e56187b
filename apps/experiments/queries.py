"""Queries of experiments: by owner, with their progress, results and costs."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, UUIDField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from apps import history
from apps.experiments.design import RowOfCondition
from apps.experiments.models import ExperimentEventRow, ExperimentRow
from apps.experiments.progress import ExperimentProgress, RunStarted
from apps.history import SimulationRow, Usage
from apps.llm.calls.budget import Budget
from apps.work.rows import WorkState


def spent_by_run(progress: ExperimentProgress) -> dict[str, Usage]:
    """Return what each started run has used; of a branch what it has used since the fork."""
    started = {run.key: run.simulation for run in progress.started}
    spent = history.spent_by_simulation([one for one in started.values() if one is not None])
    return {key: spent[one] for key, one in started.items() if one is not None}


def spent_of(progress: ExperimentProgress) -> Usage:
    """Return what all runs have used together, with their surveys."""
    return sum(spent_by_run(progress).values(), Usage())


def budget_problem(progress: ExperimentProgress) -> str:
    """Return the reason that no more may be used; "" if the budget has not come to its end."""
    budget, used = progress.budget, spent_of(progress)
    if budget.tokens is not None and used.tokens >= budget.tokens:
        return (
            f"the budget of {budget.tokens:,} tokens is spent: {used.tokens:,}; resume the "
            "experiment with a higher one"
        )
    if budget.money is not None and used.cost >= budget.money:
        return (
            f"the budget of {budget.money:f} is spent: {used.cost:f}; resume the experiment "
            "with a higher one"
        )
    return ""


def remaining_budget(progress: ExperimentProgress, *, of: UUID | None = None) -> Budget:
    """Return the budget of a simulation, so that it cannot use more than remains to all.

    The budget of a simulation counts what it has used so far: `of` names one that is continued.
    Simulations that run at the same time can exceed what remains together, until the next
    step pauses them.
    """
    budget, used = progress.budget, spent_of(progress)
    own = Usage() if of is None else history.spent_by_simulation([of])[of]
    tokens = money = None
    if budget.tokens is not None:
        tokens = max(0, budget.tokens - used.tokens + own.tokens)
    if budget.money is not None:
        money = max(budget.money - used.cost + own.cost, budget.money * 0)
    return Budget.model_construct(tokens=tokens, money=money)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine(RowOfCondition):
    """A run with what it has come to, its estimate, and what it has used so far.

    `number` is its place in the experiment, from 1. A run that is not `is_measured` is only
    forked. `committed_tick` is None before it is started.
    """

    number: int
    key: str
    """Its levels and its seed."""
    seed: int
    is_measured: bool
    state: WorkState
    simulation: UUID | None
    parent: UUID | None
    """The simulation that it was forked from."""
    fork_tick: int | None
    committed_tick: int | None
    until_tick: int | None
    measured_moments: int
    problem: str
    estimated_calls: int
    estimated_tokens: int
    estimated_cost: Decimal
    calls: int
    tokens: int
    cost: Decimal


def list_experiments(owner_id: int) -> QuerySet[ExperimentRow]:
    """Return the experiments of a user, without an order."""
    return ExperimentRow.objects.filter(owner_id=owner_id)


def list_run_simulations(experiments: QuerySet[ExperimentRow]) -> QuerySet[Any]:
    """Return the ids of the simulations that were started as runs of the experiments."""
    return _starts(experiments).values_list("simulation", flat=True)


def experiments_of(
    simulation_ids: Collection[UUID], owner_id: int
) -> dict[UUID, ExperimentRow]:
    """Return the user's experiment by simulation, for those that are runs of one."""
    starts = _starts(list_experiments(owner_id)).filter(simulation__in=simulation_ids)
    return {row.simulation: row.experiment for row in starts.select_related("experiment")}


def _starts(experiments: QuerySet[ExperimentRow]) -> QuerySet[Any]:
    """Return the starts of runs, each with the id of its simulation as `simulation`."""
    starts = ExperimentEventRow.objects.filter(experiment__in=experiments, type=RunStarted.type)
    return starts.annotate(simulation=Cast(KeyTextTransform("simulation", "data"), UUIDField()))


def list_events(experiment_id: UUID) -> QuerySet[ExperimentEventRow]:
    """Return the events of an experiment, without an order."""
    return ExperimentEventRow.objects.filter(experiment_id=experiment_id)


def lived_ticks(progress: ExperimentProgress) -> int:
    """Return how many ticks all runs have lived, without the pasts that they share."""
    committed_ticks = _committed_ticks(progress)
    return sum(
        committed_ticks.get(run.simulation, 0) - run.fork_tick for run in progress.started
    )


def _committed_ticks(progress: ExperimentProgress) -> dict[UUID | None, int]:
    ids = [run.simulation for run in progress.started if run.simulation is not None]
    rows = SimulationRow.with_deleted.filter(pk__in=ids)
    return dict(rows.values_list("pk", "committed_tick"))


def run_lines(progress: ExperimentProgress) -> list[RunLine]:
    """Return all runs in their order, with the costs estimated and used."""
    spent = spent_by_run(progress)
    committed_ticks = _committed_ticks(progress)
    found = []
    for number, run in enumerate(progress.runs.values(), start=1):
        one, used = run.planned.condition, spent.get(run.key)
        estimate = progress.requested.estimate["by_run"][run.key]
        is_started = run.simulation is not None
        found.append(
            RunLine(
                number=number,
                key=run.key,
                **asdict(one),
                seed=run.planned.seed,
                is_measured=progress.design.is_measured(run.planned),
                state=run.state,
                simulation=run.simulation,
                parent=run.parent,
                fork_tick=run.fork_tick if run.parent else None,
                committed_tick=committed_ticks.get(run.simulation),
                until_tick=run.until_tick if is_started else None,
                measured_moments=len(run.values),
                problem=run.problem,
                estimated_calls=estimate["calls"],
                estimated_tokens=estimate["tokens"],
                estimated_cost=Decimal(estimate["cost"]),
                calls=used.calls if used else 0,
                tokens=used.tokens if used else 0,
                cost=used.cost if used else Decimal(0),
            )
        )
    return found
