"""Reading the call log: the calls of a simulation, and what they cost. Never asks a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Count, F, IntegerField, Model, Q, QuerySet, Sum, Value
from django.db.models.expressions import Combinable, ExpressionWrapper
from django.db.models.functions import Floor

from apps.django_support.keyset import Keyset
from apps.django_support.text_search import JsonContains
from apps.kernel.errors import NotFound
from apps.llm.call_log import EMBEDDING
from apps.llm.models import EmbeddingCallRow, ModelCallRow, ModelFailureRow

CALLS_PER_PAGE_MAX = 500
NOTHING = Decimal(0)


class ModelCallUnknown(NotFound):
    """There is no such model call in this simulation."""

    code: ClassVar[str] = "model-call-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call as the audit shows it; `id` orders calls within a turn."""

    id: int
    call_id: str
    tick: int
    stream: str
    chain: str
    wording_version: str
    server: str
    model: str
    outcome: str
    fallback: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: Decimal
    recorded_at: datetime
    messages: tuple[Mapping[str, str], ...]
    answer: Mapping[str, object]
    attempts: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True)
class CallCursor:
    """The last call of the page before: pages follow (tick, stream, id)."""

    tick: int
    stream: str
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFilters:
    """Which calls are asked for; None asks for all. Ticks: from_tick <= tick < to_tick."""

    stream: str | None = None
    chain: str | None = None
    outcome: str | None = None
    from_tick: int | None = None
    to_tick: int | None = None
    search: str | None = None


class CostGroup(StrEnum):
    """What costs can be grouped by; `DAY` counts game days from 0."""

    CHAIN = "chain"
    AGENT = "agent"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """What the calls of one group used; failed calls count where tokens were paid.

    Requests for vectors to a remote model count as calls of the chain "embedding".
    """

    key: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: Decimal


def list_model_calls(
    simulation_id: UUID,
    filters: CallFilters | None = None,
    *,
    after: CallCursor | None = None,
    limit: int = 50,
) -> list[ModelCall]:
    """Return calls in the order of (tick, stream, id), at most CALLS_PER_PAGE_MAX."""
    rows = model_call_rows(simulation_id, filters or CallFilters(), after=after)
    return [call_of(row) for row in rows[: min(limit, CALLS_PER_PAGE_MAX)]]


def model_call_rows(
    simulation_id: UUID,
    filters: CallFilters,
    *,
    after: CallCursor | None = None,
    descending: bool = False,
) -> QuerySet[ModelCallRow]:
    """Return the rows of calls in the order of (tick, stream, id), or in its reverse.

    `filters.search` is looked for in the prompts and in the answer. `after` is the last call
    of the page before, in the same order.
    """
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, **_conditions(filters))
    if filters.search is not None:
        in_prompts = JsonContains("messages", filters.search)
        rows = rows.filter(Q(in_prompts) | Q(JsonContains("answer", filters.search)))
    keyset = Keyset(fields=("tick", "stream", "id"), descending=descending)
    last = None if after is None else (after.tick, after.stream, after.id)
    return keyset.sort(keyset.behind(rows, last))


def get_model_call(simulation_id: UUID, call_id: str) -> ModelCall:
    """Return the call; made anew with other wording or another model, the last one counts.

    :raises ModelCallUnknown: if there is none.
    """
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, call_id=call_id)
    row = rows.order_by("-id").first()
    if row is None:
        raise ModelCallUnknown(f"this simulation has no model call {call_id!r}")
    return call_of(row)


def costs(
    simulation_id: UUID,
    *,
    by: CostGroup = CostGroup.CHAIN,
    ticks_per_day: int = 8_640,
    ticks_before_midnight: int | None = None,
) -> list[CostLine]:
    """Return what was used, by group, in the order of the groups' keys.

    `ticks_before_midnight`: how many ticks of the first game day there are, when the
    simulation does not begin at midnight.
    """
    shift = 0 if ticks_before_midnight is None else ticks_per_day - ticks_before_midnight
    lines: dict[Any, CostLine] = {}
    for table in _TABLES:
        key: Mapping[CostGroup, Combinable] = {
            CostGroup.CHAIN: table.chain,
            CostGroup.AGENT: F("stream"),
            CostGroup.DAY: _day(ticks_per_day, shift),
        }
        table.add_up(lines, key[by], simulation_id=simulation_id)
    return [lines[found] for found in sorted(lines)]


def spent(simulation_id: UUID) -> CostLine:
    """Return what the whole simulation has used so far: what a budget is held against (L5)."""
    return spent_by_simulation([simulation_id])[simulation_id]


def spent_by_simulation(simulation_ids: Sequence[UUID]) -> dict[UUID, CostLine]:
    """Return what each of the simulations has used so far."""
    lines: dict[Any, CostLine] = {}
    for table in _TABLES:
        table.add_up(lines, F("simulation_id"), simulation_id__in=simulation_ids)
    return {found: lines.get(found, _nothing(str(found))) for found in simulation_ids}


def _conditions(filters: CallFilters) -> dict[str, object]:
    conditions = {
        "stream": filters.stream,
        "chain": filters.chain,
        "outcome": filters.outcome,
        "tick__gte": filters.from_tick,
        "tick__lt": filters.to_tick,
    }
    return {name: value for name, value in conditions.items() if value is not None}


def _day(ticks_per_day: int, shift: int) -> Combinable:
    ticks = ExpressionWrapper((F("tick") + shift) / ticks_per_day, output_field=IntegerField())
    return Floor(ticks)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """What costs something: its rows, and how it names chain and tokens of answers."""

    rows: type[Model]
    chain: Combinable = field(default_factory=lambda: F("chain"))
    answered: Combinable = field(default_factory=lambda: F("completion_tokens"))

    def add_up(self, lines: dict[Any, CostLine], key: Combinable, **conditions: object) -> None:
        """Add what the rows used to the lines, by key."""
        used = (
            self.rows._default_manager.filter(**conditions)
            .annotate(key=key)
            .values("key")
            .order_by()
            .annotate(
                calls=Count("id"),
                prompts=Sum("prompt_tokens"),
                answers=Sum(self.answered),
                latency=Sum("latency_ms"),
                money=Sum("cost"),
            )
        )
        for row in used:
            if not row["calls"]:
                continue  # grouped by a constant, no rows at all are one group
            line = CostLine(
                key=str(row["key"]),
                calls=row["calls"],
                prompt_tokens=row["prompts"],
                completion_tokens=row["answers"],
                latency_ms=row["latency"],
                cost=row["money"],
            )
            before = lines.get(row["key"])
            lines[row["key"]] = line if before is None else _together(before, line)


_TABLES = (
    _Table(rows=ModelCallRow),
    _Table(rows=ModelFailureRow),
    _Table(rows=EmbeddingCallRow, chain=Value(EMBEDDING), answered=Value(0)),
)


def _nothing(key: str) -> CostLine:
    return CostLine(
        key=key, calls=0, prompt_tokens=0, completion_tokens=0, latency_ms=0, cost=NOTHING
    )


def _together(one: CostLine, other: CostLine) -> CostLine:
    return CostLine(
        key=one.key,
        calls=one.calls + other.calls,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        latency_ms=one.latency_ms + other.latency_ms,
        cost=one.cost + other.cost,
    )


def call_of(row: ModelCallRow) -> ModelCall:
    """Return the call of a row."""
    return ModelCall(
        id=row.pk,
        call_id=row.call_id,
        tick=row.tick,
        stream=row.stream,
        chain=row.chain,
        wording_version=row.wording_version,
        server=row.server,
        model=row.model,
        outcome=row.outcome,
        fallback=row.fallback,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        latency_ms=row.latency_ms,
        cost=row.cost,
        recorded_at=row.recorded_at,
        messages=tuple(row.messages),
        answer=row.answer,
        attempts=tuple(row.attempts),
    )
