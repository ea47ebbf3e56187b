"""The totals behind the counters: added to in the transaction of what they count, and read."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Sum

from apps.django_support.statements import carry_out, rows_of
from apps.metrics.models import DELETED, ModelCallTotalRow, TurnTotalRow

_KEY = ("server", "model", "task", "outcome")
_SUMS = (
    "calls", "retries", "prompt_tokens", "cached_prompt_tokens", "completion_tokens", "cost"
)  # fmt: skip
_KEYS = ", ".join(_KEY)
_ADDED = ", ".join(f"sum({name})" for name in _SUMS)
_TYPES = ", ".join([*(f"{name} text" for name in _KEY), *(f"{name} numeric" for name in _SUMS)])
_KEPT = ", ".join(f"{name} = total.{name} + excluded.{name}" for name in _SUMS)
_ADD_CALLS = f"""
INSERT INTO metrics_modelcalltotalrow AS total (simulation_id, {_KEYS}, {", ".join(_SUMS)})
SELECT %(simulation)s, {_KEYS}, {_ADDED}
FROM jsonb_to_recordset(%(calls)s) AS call({_TYPES})
GROUP BY {_KEYS}
ORDER BY {_KEYS}
ON CONFLICT (simulation_id, {_KEYS}) DO UPDATE SET {_KEPT}
"""  # noqa: S608 (all parts are names of columns)
_ADD_TURNS = """
INSERT INTO metrics_turntotalrow AS total (simulation_id, completed, failed, committed_ticks)
VALUES (%(simulation)s, %(completed)s, %(failed)s, %(committed_ticks)s)
ON CONFLICT (simulation_id) DO UPDATE SET
    completed = total.completed + excluded.completed,
    failed = total.failed + excluded.failed,
    committed_ticks = total.committed_ticks + excluded.committed_ticks
"""
_TURNS = """
SELECT coalesce(sum(completed), 0)::bigint, coalesce(sum(failed), 0)::bigint,
    coalesce(sum(committed_ticks), 0)::bigint
FROM metrics_turntotalrow
"""


@dataclass(frozen=True, slots=True)
class ModelCallCount:
    """Calls of one task on one model with one outcome; `cost` is in the prices' currency.

    `cached_prompt_tokens` are those of `prompt_tokens` that the server had in its cache.
    """

    server: str
    model: str
    task: str
    outcome: str
    retries: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal
    calls: int = 1
    cached_prompt_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TurnTotals:
    """The turns of all simulations; `deleted_ticks` are those of deleted simulations."""

    completed: int
    failed: int
    deleted_ticks: int


def add_model_calls(simulation_id: UUID, calls: Sequence[ModelCallCount]) -> None:
    """Add the calls; call it in the transaction of the calls' records."""
    if calls:
        counted = json.dumps([asdict(call) for call in calls], default=str)
        carry_out(_ADD_CALLS, {"simulation": simulation_id, "calls": counted})


def add_turns(
    simulation_id: UUID, *, completed: int = 0, failed: int = 0, committed_ticks: int = 0
) -> None:
    """Add turns; call it in the transaction of their events."""
    values = {"completed": completed, "failed": failed, "committed_ticks": committed_ticks}
    carry_out(_ADD_TURNS, {"simulation": simulation_id, **values})


def keep_totals_of_deleted(simulation_id: UUID, *, committed_ticks: int) -> None:
    """Move a simulation's totals to DELETED; call it in the transaction of its deletion."""
    calls = ModelCallTotalRow.objects.filter(simulation_id=simulation_id)
    add_model_calls(
        DELETED, [ModelCallCount(**values) for values in calls.values(*_KEY, *_SUMS)]
    )
    calls.delete()
    turns = TurnTotalRow.objects.filter(simulation_id=simulation_id)
    for counted in turns.values("completed", "failed"):
        add_turns(DELETED, **counted)
    turns.delete()
    add_turns(DELETED, committed_ticks=committed_ticks)


def model_call_totals() -> list[ModelCallCount]:
    """Return the calls of all simulations, ordered by their labels."""
    sums = {f"sum_of_{name}": Sum(name) for name in _SUMS}
    rows = ModelCallTotalRow.objects.values(*_KEY).annotate(**sums).order_by(*_KEY)
    return [
        ModelCallCount(**{name.removeprefix("sum_of_"): value for name, value in row.items()})
        for row in rows
    ]


def model_call_totals_of(simulation_id: UUID) -> list[ModelCallCount]:
    """Return the calls of one simulation, ordered by task and outcome."""
    rows = ModelCallTotalRow.objects.filter(simulation_id=simulation_id)
    ordered = rows.order_by("task", "outcome", "server", "model")
    return [ModelCallCount(**values) for values in ordered.values(*_KEY, *_SUMS)]


def turns_of(simulation_id: UUID) -> tuple[int, int]:
    """Return how many turns of one simulation were completed, and how many failed."""
    rows = TurnTotalRow.objects.filter(simulation_id=simulation_id)
    return rows.values_list("completed", "failed").first() or (0, 0)


def turn_totals() -> TurnTotals:
    """Return the totals of the turns."""
    [row] = rows_of(_TURNS, {})
    return TurnTotals(*row)
