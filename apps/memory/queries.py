"""Queries of memory streams, as of the end of any tick."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from uuid import UUID

from django.db.models import (
    Case,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.django_support.text_search import JsonContains, contains
from apps.kernel.errors import NotFound
from apps.lineage.history_rows import valid_at
from apps.memory.events import FactKind, MemoryKind, MemoryOrigin
from apps.memory.facts import Fact, fact_of
from apps.memory.models import FactRow, MemoryRow, RepetitionRow, RetrievalRow, SelfSummaryRow
from apps.memory.rules import (
    CONDENSED_IMPORTANCE_MAX,
    NEVER_CONDENSED,
    RECENT_MEMORIES_DEFAULT,
    UNRATED_IMPORTANCE,
)

# A memory without a retrieval is sorted before tick 0.
_NEVER = -1
_ORDER_FIELDS = {
    "created_at": "number",
    "importance": "importance",
    "last_retrieved_at": "retrieved_or_never",
}


RETRIEVED = "last_retrieved_tick"


def rows_as_of(simulation_id: UUID, as_of_tick: int) -> QuerySet[MemoryRow]:
    """Return the memories of a simulation, annotated with what depends on the tick."""
    of_memory = {
        "simulation_id": simulation_id,
        "agent": OuterRef("agent"),
        "number": OuterRef("number"),
    }
    valid = valid_at(as_of_tick)
    retrieved = RetrievalRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    repeated = RepetitionRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    is_rated = Q(rated_tick__lte=as_of_tick)
    annotations = {
        RETRIEVED: Subquery(retrieved.values("from_tick")[:1]),
        "last_repeated_tick": Subquery(repeated.values("from_tick")[:1]),
        "times": Coalesce(Subquery(repeated.values("times")[:1]), 1),
        "rated": Case(When(is_rated, then=Value(True)), default=Value(False)),
        "superseded": Case(
            When(superseded_tick__lte=as_of_tick, then=F("superseded_tick")), default=None
        ),
        "importance": Case(When(is_rated, then=F("rating")), default=Value(UNRATED_IMPORTANCE)),
    }
    rows = MemoryRow.objects.filter(simulation_id=simulation_id, formed_tick__lte=as_of_tick)
    return rows.annotate(**annotations)


def formed_or_repeated(simulation_id: UUID, agent: str, from_tick: int, to_tick: int) -> Q:
    """Return the condition that a memory of the agent was formed or repeated in the ticks."""
    ticks = (from_tick, to_tick)
    repeated = RepetitionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=ticks
    )
    return Q(formed_tick__range=ticks) | Q(number__in=repeated.values("number"))


def holds_at(tick: int) -> Q:
    """Return the condition that a memory is not superseded by the end of the tick."""
    return Q(superseded_tick=None) | Q(superseded_tick__gt=tick)


class MemoryUnknown(NotFound):
    """The agent has no memory of that number at that time."""


class MemoryOrder(StrEnum):
    """The orders of lists of memories; ties by number, in the same direction."""

    NEWEST = "-created_at"
    OLDEST = "created_at"
    MOST_IMPORTANT = "-importance"
    LEAST_IMPORTANT = "importance"
    LATEST_RETRIEVED = "-last_retrieved_at"
    EARLIEST_RETRIEVED = "last_retrieved_at"

    @property
    def descending(self) -> bool:
        """Whether the greatest comes first."""
        return self.value.startswith("-")


def list_memories(  # noqa: PLR0913 (each is a filter of its own)
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    kinds: Collection[MemoryKind] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    search: str | None = None,
    subject: str | None = None,
    importance_min: int | None = None,
    order: MemoryOrder = MemoryOrder.NEWEST,
    after: int | None = None,
) -> QuerySet[MemoryRow]:
    """Return the agent's memories as rows annotated with `last_retrieved_tick` (M1).

    The filters are the kinds (all if empty), the ticks of forming [from_tick, to_tick), a text
    in the description, the subject and the least importance. `after` is the number of the
    last memory of the previous page.
    """
    rows = list_all_memories(
        simulation_id,
        as_of_tick=as_of_tick,
        agent=agent,
        kinds=kinds,
        from_tick=from_tick,
        to_tick=to_tick,
        search=search,
    )
    if subject is not None:
        rows = rows.filter(subject=subject)
    if importance_min is not None:
        rows = rows.filter(Q(importance__gte=importance_min))
    field = _ORDER_FIELDS[order.removeprefix("-")]
    if after is not None:
        rows = rows.filter(_beyond(rows, field, after=after, descending=order.descending))
    direction = "-" if order.descending else ""
    return rows.order_by(f"{direction}{field}", f"{direction}number")


def list_all_memories(
    simulation_id: UUID,
    *,
    as_of_tick: int,
    agent: str | None = None,
    kinds: Collection[MemoryKind] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    search: str | None = None,
) -> QuerySet[MemoryRow]:
    """Return memories of all agents, or of one, as `list_memories` does, without an order."""
    rows = rows_as_of(simulation_id, as_of_tick)
    if agent is not None:
        rows = rows.filter(agent=agent)
    if kinds:
        rows = rows.filter(kind__in=[kind.value for kind in kinds])
    if from_tick is not None:
        rows = rows.filter(formed_tick__gte=from_tick)
    if to_tick is not None:
        rows = rows.filter(formed_tick__lt=to_tick)
    if search is not None:
        rows = rows.filter(contains(search, "description"))
    return rows.annotate(retrieved_or_never=Coalesce(F(RETRIEVED), _NEVER))


def memory(simulation_id: UUID, agent: str, number: int, *, as_of_tick: int) -> MemoryRow:
    """Return one memory, annotated with `last_retrieved_tick`.

    :raises MemoryUnknown: if the agent has none of that number at the tick.
    """
    row = rows_as_of(simulation_id, as_of_tick).filter(agent=agent, number=number).first()
    if row is None:
        raise MemoryUnknown(
            f"{agent} has no memory {number} at tick {as_of_tick}; list the memories for those "
            "there are"
        )
    return row


def numbered(
    simulation_id: UUID, agent: str, numbers: Collection[int], *, as_of_tick: int
) -> dict[int, MemoryRow]:
    """Return the memories of these numbers as of the tick, by number."""
    rows = rows_as_of(simulation_id, as_of_tick).filter(agent=agent, number__in=numbers)
    return {row.number: row for row in rows}


def memories_resting_on(
    simulation_id: UUID, agent: str, number: int, *, as_of_tick: int, count: int
) -> list[MemoryRow]:
    """Return the latest memories that have a memory in their evidence, the latest first."""
    rows = rows_as_of(simulation_id, as_of_tick).filter(
        agent=agent, number__gt=number, evidence__contains=[number]
    )
    return list(rows.order_by("-number")[:count])


def retrieval_ticks(
    simulation_id: UUID, agent: str, number: int, *, as_of_tick: int, count: int
) -> list[int]:
    """Return the latest ticks in which a memory was retrieved, the latest first."""
    rows = RetrievalRow.objects.filter(
        simulation_id=simulation_id, agent=agent, number=number, from_tick__lte=as_of_tick
    )
    return list(rows.order_by("-from_tick").values_list("from_tick", flat=True)[:count])


def recent(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    count: int = RECENT_MEMORIES_DEFAULT,
    kinds: Collection[MemoryKind] = (),
    condensed_tick: int = NEVER_CONDENSED,
) -> list[MemoryRow]:
    """Return the agent's latest memories, the newest first (R2).

    Memories of little importance are left out if they were condensed by the end of
    `condensed_tick`.
    """
    rows = list_memories(simulation_id, agent, as_of_tick=as_of_tick, kinds=kinds)
    if condensed_tick > NEVER_CONDENSED:
        rows = rows.filter(
            Q(formed_tick__gt=condensed_tick)
            | Q(last_repeated_tick__gt=condensed_tick)
            | Q(importance__gt=CONDENSED_IMPORTANCE_MAX)
            | Q(kind=MemoryKind.REFLECTION.value)
            | Q(origin=MemoryOrigin.DESCRIPTION.value)
        )
    return list(rows[:count])


def memories_of_origin(
    simulation_id: UUID, agent: str, *, origin: MemoryOrigin, as_of_tick: int, count: int
) -> list[MemoryRow]:
    """Return the latest memories of an origin, the latest first."""
    rows = rows_as_of(simulation_id, as_of_tick).filter(agent=agent, origin=origin.value)
    return list(rows.order_by("-number")[:count])


def dialogue_memories_about(
    simulation_id: UUID, agent: str, *, subject: str, as_of_tick: int, count: int
) -> list[MemoryRow]:
    """Return the latest memories of dialogue with a subject, the earliest first."""
    rows = rows_as_of(simulation_id, as_of_tick).filter(
        agent=agent, subject=subject, kind=MemoryKind.DIALOGUE.value
    )
    return list(rows.order_by("-number")[:count])[::-1]


def memories_between(
    simulation_id: UUID, agent: str, *, origin: MemoryOrigin, from_tick: int, to_tick: int
) -> list[MemoryRow]:
    """Return the memories of the origin that were formed or repeated in the ticks, in order."""
    rows = MemoryRow.objects.filter(
        formed_or_repeated(simulation_id, agent, from_tick, to_tick),
        simulation_id=simulation_id,
        agent=agent,
        origin=origin.value,
    )
    return list(rows.order_by("number"))


def memories_formed_in(
    simulation_id: UUID, agent: str, *, tick: int, subject: str
) -> list[MemoryRow]:
    """Return the memories about a subject that were formed or repeated in a tick, in order."""
    rows = rows_as_of(simulation_id, tick).filter(
        formed_or_repeated(simulation_id, agent, tick, tick), agent=agent, subject=subject
    )
    return list(rows.order_by("number"))


def _beyond(rows: QuerySet[MemoryRow], field: str, *, after: int, descending: bool) -> Q:
    """Return the condition for memories behind `after` in the order."""
    side = "lt" if descending else "gt"
    if field == "number":
        return Q(**{f"number__{side}": after})
    # As of a tick a memory never changes: its number suffices as a cursor.
    pivot = rows.filter(number=after).values(field)[:1]
    return Q(**{f"{field}__{side}": Subquery(pivot)}) | Q(
        **{field: Subquery(pivot), f"number__{side}": after}
    )


def current_facts(simulation_id: UUID, agent: str, *, as_of_tick: int) -> tuple[Fact, ...]:
    """Return the agent's facts as of the end of the tick, in order of their numbers."""
    rows = FactRow.objects.filter(
        valid_at(as_of_tick), simulation_id=simulation_id, agent=agent
    )
    return tuple(fact_of(row) for row in rows.order_by("number").values())


def fact_versions(
    simulation_id: UUID,
    agent: str | None = None,
    *,
    as_of_tick: int,
    only_current: bool = False,
    kind: str = "",
    search: str | None = None,
) -> QuerySet[FactRow]:
    """Return the versions of facts up to the end of the tick, without an order.

    The filters: one agent, those that hold then, of one kind, `search` in the texts.
    """
    rows = FactRow.objects.filter(simulation_id=simulation_id, from_tick__lte=as_of_tick)
    if agent is not None:
        rows = rows.filter(agent=agent)
    if only_current:
        rows = rows.filter(valid_at(as_of_tick))
    if kind:
        rows = rows.filter(kind=kind)
    if search is not None:
        rows = rows.filter(
            contains(search, "opinion", "other") | Q(JsonContains("statements", search))
        )
    return rows


def related_pairs(
    simulation_id: UUID, agents: Iterable[str], *, as_of_tick: int
) -> dict[tuple[str, str], Fact]:
    """Return the relationships of the agents among each other, by (agent, other)."""
    slugs = list(agents)
    rows = FactRow.objects.filter(
        valid_at(as_of_tick),
        simulation_id=simulation_id,
        kind=FactKind.RELATIONSHIP,
        agent__in=slugs,
        other__in=slugs,
    )
    return {(row["agent"], row["other"]): fact_of(row) for row in rows.order_by("pk").values()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """A summary description, valid from `from_tick` on and due for renewal at `due_tick`."""

    core: str
    occupation: str
    feeling: str
    text: str
    from_tick: int
    due_tick: int


def summary_versions(simulation_id: UUID, *, as_of_tick: int) -> QuerySet[SelfSummaryRow]:
    """Return the summaries of all agents up to the end of the tick, without an order."""
    return SelfSummaryRow.objects.filter(simulation_id=simulation_id, from_tick__lte=as_of_tick)


_FIELDS = [field.name for field in fields(CurrentSummary)]


def current_summary(
    simulation_id: UUID, agent: str, *, as_of_tick: int
) -> CurrentSummary | None:
    """Return the agent's summary as of the end of the tick, None before the first."""
    values = (
        SelfSummaryRow.objects.filter(
            valid_at(as_of_tick), simulation_id=simulation_id, agent=agent
        )
        .order_by("-from_tick")
        .values(*_FIELDS)
        .first()
    )
    return None if values is None else CurrentSummary(**values)
