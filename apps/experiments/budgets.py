"""The budget of an experiment: what its runs have used together, and what remains (L5)."""

from uuid import UUID

from apps import history
from apps.experiments.progress import ExperimentProgress
from apps.history import Usage
from apps.llm.calls.budget import Budget


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

    The budget of a simulation counts what it has used so far: `of` names one that goes on.
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
