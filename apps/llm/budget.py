"""Budgets: what a simulation may use, held against what it has used before each call (L5).

The check reads one row and comes before the asking, so what is spent exceeds a budget by no
more than the calls that were under way when it was reached. They are recorded and stay paid.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apps.django_support.statements import carry_out, rows_of
from apps.llm.call_log import Spent
from apps.llm.catalogue import refuse_unpriced
from apps.llm.model_spec import ModelSpec
from apps.llm.models import BudgetRow
from apps.llm.port import BudgetSpent
from apps.llm.prices import PriceUnknown
from apps.llm.queries import spent

_LOOK = """
SELECT tokens_max, money_max, tokens, money FROM llm_budgetrow
WHERE simulation_id = %(simulation)s
"""
_COUNT_IN = """
UPDATE llm_budgetrow SET tokens = tokens + %(tokens)s, money = money + %(money)s
WHERE simulation_id = %(simulation)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How many tokens, and how much money, a simulation may use; None for any amount."""

    tokens: int | None = None
    money: Decimal | None = None


def set_budget(simulation_id: UUID, budget: Budget | None) -> None:
    """Give the simulation a budget, or take it away. Nobody may be at work on it meanwhile.

    What it has used before counts.
    """
    if budget is None or budget == Budget():
        BudgetRow.objects.filter(simulation_id=simulation_id).delete()
        return
    used = spent(simulation_id)
    BudgetRow.objects.update_or_create(
        simulation_id=simulation_id,
        defaults={
            "tokens_max": budget.tokens,
            "money_max": budget.money,
            "tokens": used.prompt_tokens + used.completion_tokens,
            "money": used.cost,
        },
    )


def budgets_of(simulation_ids: Sequence[UUID]) -> dict[UUID, Budget]:
    """Return the budgets of those simulations that have one."""
    rows = BudgetRow.objects.filter(simulation_id__in=simulation_ids)
    return {
        row.simulation_id: Budget(tokens=row.tokens_max, money=row.money_max) for row in rows
    }


def count_in(simulation_id: UUID, spents: Iterable[Spent]) -> None:
    """Add to what is used; call it in the transaction of the calls' records."""
    tokens, money = _together(spents)
    carry_out(_COUNT_IN, {"simulation": simulation_id, "tokens": tokens, "money": money})


def budget_of(simulation_id: UUID) -> Budget | None:
    """Return the simulation's budget, None if it has none."""
    return budgets_of([simulation_id]).get(simulation_id)


def refuse_unpriced_budget(budget: Budget | None, spec: ModelSpec) -> None:
    """Refuse a budget of money with models whose price is not known: it has no effect.

    :raises PriceUnknown: naming the models.
    """
    if budget is not None and budget.money is not None:
        refuse_unpriced(spec)


def refuse_spent(
    simulation_id: UUID, besides: Iterable[Spent] = (), *, is_priced: bool = True
) -> bool:
    """Refuse to go on when the budget is spent; return whether there is one at all.

    `besides` is what was used and is not recorded yet; `is_priced` says that the price of the
    model is known.

    :raises BudgetSpent: if the simulation has used as much as it may.
    :raises PriceUnknown: if the budget is of money, and the price is not known any more.
    """
    rows = rows_of(_LOOK, {"simulation": simulation_id})
    if not rows:
        return False
    [(tokens_max, money_max, tokens, money)] = rows
    if money_max is not None and not is_priced:
        raise PriceUnknown
    more_tokens, more_money = _together(besides)
    tokens, money = tokens + more_tokens, money + more_money
    if tokens_max is not None and tokens >= tokens_max:
        raise BudgetSpent(_told(f"{tokens_max:,} tokens", f"{tokens:,}"))
    if money_max is not None and money >= money_max:
        raise BudgetSpent(_told(f"{money_max.normalize():f}", f"{money.normalize():f}"))
    return True


def _told(budget: str, used: str) -> str:
    return f"the budget of {budget} is spent: {used}; raise it and run again"


def _together(spents: Iterable[Spent]) -> tuple[int, Decimal]:
    """Return the tokens and the money of all of them."""
    tokens, money = 0, Decimal(0)
    for one in spents:
        tokens += one.prompt_tokens + one.completion_tokens
        money += one.cost
    return tokens, money
