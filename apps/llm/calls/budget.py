"""Budgets: limits of tokens and money of a simulation, checked before each model call (L5).

The check reads one row before the call, so a budget can be exceeded by the calls that are in
progress when it is reached. They are recorded and paid for.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from apps.django_support.statements import carry_out, rows_of
from apps.kernel.request_models import RequestModel, fault, shown
from apps.llm.calls.queries import spent
from apps.llm.catalogue import ensure_prices_known
from apps.llm.model_spec import ModelSpec
from apps.llm.models import BudgetRow
from apps.llm.port import BudgetSpent
from apps.llm.prices import PriceUnknown
from apps.llm.usage import Usage

TOKENS_MAX = 10**15
MONEY_MIN, MONEY_MAX = Decimal("0.000001"), 10**7
_READ = """
SELECT tokens_max, money_max, tokens, money FROM llm_budgetrow
WHERE simulation_id = %(simulation)s
"""
_ADD = """
UPDATE llm_budgetrow SET tokens = tokens + %(tokens)s, money = money + %(money)s
WHERE simulation_id = %(simulation)s
"""


Tokens = Annotated[int, Field(ge=1, le=TOKENS_MAX)]


def _decimal(value: object) -> Decimal:
    try:
        amount = Decimal("NaN") if isinstance(value, bool) else Decimal(str(value))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not MONEY_MIN <= amount <= MONEY_MAX:
        raise fault(f"must be a number between {MONEY_MIN} and {MONEY_MAX}, not {shown(value)}")
    return amount


Money = Annotated[
    Decimal,
    BeforeValidator(_decimal),
    PlainSerializer(str),
    WithJsonSchema({"type": "number", "minimum": float(MONEY_MIN), "maximum": MONEY_MAX}),
]


class Budget(RequestModel):
    """The tokens and the money that may be used; null for any amount."""

    tokens: Tokens | None = None
    """Of prompts and answers together."""
    money: Money | None = None
    """In the currency of the price list; rejected where a model has no price."""


def set_budget(simulation_id: UUID, budget: Budget | None) -> None:
    """Set or remove the budget of a simulation that is paused.

    What the simulation has used so far counts.
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
            "tokens": used.tokens,
            "money": used.cost,
        },
    )


def budgets_of(simulation_ids: Sequence[UUID]) -> dict[UUID, Budget]:
    """Return the budgets of those simulations that have one."""
    rows = BudgetRow.objects.filter(simulation_id__in=simulation_ids)
    return {
        row.simulation_id: Budget.model_construct(tokens=row.tokens_max, money=row.money_max)
        for row in rows
    }


def budget_of(simulation_id: UUID) -> Budget | None:
    """Return the simulation's budget, None if it has none."""
    return budgets_of([simulation_id]).get(simulation_id)


def add_to_budget(simulation_id: UUID, spents: Iterable[Usage]) -> None:
    """Add to what is used, in the transaction of the calls' records."""
    tokens, money = _total(spents)
    carry_out(_ADD, {"simulation": simulation_id, "tokens": tokens, "money": money})


def ensure_budget_priced(budget: Budget | None, spec: ModelSpec) -> None:
    """Check that a budget of money has an effect: that the models' prices are known.

    :raises PriceUnknown: if they are not; it names the models.
    """
    if budget is not None and budget.money is not None:
        ensure_prices_known(spec)


def check_budget(simulation_id: UUID, unrecorded: Iterable[Usage], *, is_priced: bool) -> bool:
    """Check the budget; return whether the simulation has one. See `CallLog`.

    :raises BudgetSpent: if it is spent.
    :raises PriceUnknown: if it is of money, and the price is no longer known.
    """
    rows = rows_of(_READ, {"simulation": simulation_id})
    if not rows:
        return False
    [(tokens_max, money_max, tokens, money)] = rows
    if money_max is not None and not is_priced:
        raise PriceUnknown
    more_tokens, more_money = _total(unrecorded)
    tokens, money = tokens + more_tokens, money + more_money
    if tokens_max is not None and tokens >= tokens_max:
        raise BudgetSpent(_message(f"{tokens_max:,} tokens", f"{tokens:,}"))
    if money_max is not None and money >= money_max:
        raise BudgetSpent(_message(f"{money_max.normalize():f}", f"{money.normalize():f}"))
    return True


def _message(budget: str, used: str) -> str:
    return f"the budget of {budget} is spent: {used}; raise it and run again"


def _total(spents: Iterable[Usage]) -> tuple[int, Decimal]:
    """Return the tokens and the money."""
    tokens, money = 0, Decimal(0)
    for spent_once in spents:
        tokens += spent_once.prompt_tokens + spent_once.completion_tokens
        money += spent_once.cost
    return tokens, money
