"""Adding to the totals in the transaction of what they count, and reading them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from uuid import UUID

from apps.django_support.statements import carry_out, rows_of
from apps.metrics.models import DELETED

_ADD_CALLS = """
INSERT INTO metrics_modelcalltotalrow AS total (
    simulation_id, server, model, task, outcome,
    calls, retries, prompt_tokens, completion_tokens, cost
)
SELECT %(simulation)s, server, model, task, outcome,
    count(*), sum(retries), sum(prompt_tokens), sum(completion_tokens), sum(cost)
FROM jsonb_to_recordset(%(calls)s) AS call(
    server text, model text, task text, outcome text,
    retries bigint, prompt_tokens bigint, completion_tokens bigint, cost numeric
)
GROUP BY server, model, task, outcome
ORDER BY server, model, task, outcome
ON CONFLICT (simulation_id, server, model, task, outcome) DO UPDATE SET
    calls = total.calls + excluded.calls,
    retries = total.retries + excluded.retries,
    prompt_tokens = total.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = total.completion_tokens + excluded.completion_tokens,
    cost = total.cost + excluded.cost
"""
_KEEP_CALLS = """
WITH gone AS (
    DELETE FROM metrics_modelcalltotalrow WHERE simulation_id = %(simulation)s RETURNING *
)
INSERT INTO metrics_modelcalltotalrow AS total (
    simulation_id, server, model, task, outcome,
    calls, retries, prompt_tokens, completion_tokens, cost
)
SELECT %(deleted)s, server, model, task, outcome,
    calls, retries, prompt_tokens, completion_tokens, cost
FROM gone ORDER BY server, model, task, outcome
ON CONFLICT (simulation_id, server, model, task, outcome) DO UPDATE SET
    calls = total.calls + excluded.calls,
    retries = total.retries + excluded.retries,
    prompt_tokens = total.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = total.completion_tokens + excluded.completion_tokens,
    cost = total.cost + excluded.cost
"""
_ADD_TURNS = """
INSERT INTO metrics_turntotalrow AS total (simulation_id, completed, failed, committed_ticks)
VALUES (%(simulation)s, %(completed)s, %(failed)s, %(committed_ticks)s)
ON CONFLICT (simulation_id) DO UPDATE SET
    completed = total.completed + excluded.completed,
    failed = total.failed + excluded.failed,
    committed_ticks = total.committed_ticks + excluded.committed_ticks
"""
_TAKE_TURNS = """
DELETE FROM metrics_turntotalrow WHERE simulation_id = %(simulation)s
RETURNING completed, failed
"""
_CALLS = """
SELECT server, model, task, outcome, sum(calls)::bigint, sum(retries)::bigint,
    sum(prompt_tokens)::bigint, sum(completion_tokens)::bigint, sum(cost)
FROM metrics_modelcalltotalrow
GROUP BY server, model, task, outcome
ORDER BY server, model, task, outcome
"""
_TURNS = """
SELECT coalesce(sum(completed), 0)::bigint, coalesce(sum(failed), 0)::bigint,
    coalesce(sum(committed_ticks), 0)::bigint
FROM metrics_turntotalrow
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCallCount:
    """One model call, as the totals count it; `cost` is in the currency of the prices."""

    server: str
    model: str
    task: str
    outcome: str
    retries: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal


@dataclass(frozen=True, slots=True)
class ModelCallTotal:
    """The calls of one task on one model with one outcome, over all simulations."""

    server: str
    model: str
    task: str
    outcome: str
    calls: int
    retries: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal


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


def add_turns(simulation_id: UUID, *, completed: int = 0, failed: int = 0) -> None:
    """Add turns; call it in the transaction of their events."""
    _add_turns(simulation_id, completed, failed, 0)


def keep_totals_of_deleted(simulation_id: UUID, *, committed_ticks: int) -> None:
    """Move a simulation's totals to DELETED; call it in the transaction of its deletion."""
    carry_out(_KEEP_CALLS, {"simulation": simulation_id, "deleted": DELETED})
    turns = rows_of(_TAKE_TURNS, {"simulation": simulation_id})
    completed, failed = turns[0] if turns else (0, 0)
    _add_turns(DELETED, completed, failed, committed_ticks)


def model_call_totals() -> Iterable[ModelCallTotal]:
    """Return the totals of the model calls, ordered by their labels."""
    return [ModelCallTotal(*row) for row in rows_of(_CALLS, {})]


def turn_totals() -> TurnTotals:
    """Return the totals of the turns."""
    [row] = rows_of(_TURNS, {})
    return TurnTotals(*row)


def _add_turns(simulation_id: UUID, completed: int, failed: int, committed_ticks: int) -> None:
    values = {
        "simulation": simulation_id,
        "completed": completed,
        "failed": failed,
        "committed_ticks": committed_ticks,
    }
    carry_out(_ADD_TURNS, values)
