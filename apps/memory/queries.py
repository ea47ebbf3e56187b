"""Queries of memory streams, as of the end of any tick."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from apps.agents.models import SeenPersonRow
from apps.django_support.statements import rows_of
from apps.django_support.text_search import contains
from apps.kernel.errors import NotFound
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.inputs import RatedExample
from apps.memory.items import is_over, scheduled_activity
from apps.memory.models import MemoryRow, RepetitionRow, RetrievalRow
from apps.memory.rules import (
    ANCHOR_IMPORTANCES,
    CONDENSED_IMPORTANCE_MAX,
    IMPORTANCE_MAX,
    NEVER_CONDENSED,
    RECENT_MEMORIES_DEFAULT,
    ROUTINE_IMPORTANCE,
    UNRATED_IMPORTANCE,
)

_LATEST_NUMBER = """
SELECT number FROM memory_memoryrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND formed_tick <= %(tick)s
ORDER BY number DESC LIMIT 1
"""

_RATED_EXAMPLES = """
SELECT nearest.rating, nearest.description
FROM unnest(%(anchors)s::int[]) AS anchor
CROSS JOIN LATERAL (
    SELECT rating, description FROM memory_memoryrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND rated_tick <= %(tick)s
        AND rating BETWEEN anchor - 1 AND anchor + 1
    ORDER BY abs(rating - anchor), number LIMIT 1
) AS nearest
ORDER BY anchor
"""


class MemoryUnknown(NotFound):
    """The agent has no memory of that number at that time."""

    code: ClassVar[str] = "memory-unknown"


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


_RETRIEVED = "last_retrieved_tick"

# A memory without a retrieval is sorted before tick 0.
_NEVER = -1
_ORDER_FIELDS = {
    "created_at": "number",
    "importance": "importance",
    "last_retrieved_at": "retrieved_or_never",
}


def latest_formed_tick(
    simulation_id: UUID,
    agent: str,
    *,
    origins: Collection[MemoryOrigin],
    importance_min: int,
    as_of_tick: int,
) -> int:
    """Return when the latest memory of the origins was formed, -1 without one.

    A memory that is less important, or not rated by the end of the tick, does not count.
    """
    rows = MemoryRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        origin__in=[origin.value for origin in origins],
        rating__gte=importance_min,
        rated_tick__lte=as_of_tick,
        formed_tick__lte=as_of_tick,
    )
    latest = rows.aggregate(tick=Max("formed_tick"))["tick"]
    return -1 if latest is None else int(latest)


def list_memories(  # noqa: PLR0913 (each is a filter of its own)
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    kinds: Collection[MemoryKind] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    search: str | None = None,
    order: MemoryOrder = MemoryOrder.NEWEST,
    after: int | None = None,
) -> QuerySet[MemoryRow]:
    """Return the agent's memories as rows annotated with `last_retrieved_tick` (M1).

    The filters are the kinds (all if empty), the ticks of forming [from_tick, to_tick), and a
    text in the description. `after` is the number of the last memory of the previous page.
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
    rows = _rows(simulation_id, as_of_tick)
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
    return rows.annotate(retrieved_or_never=Coalesce(F(_RETRIEVED), _NEVER))


def memory(simulation_id: UUID, agent: str, number: int, *, as_of_tick: int) -> MemoryRow:
    """Return one memory, annotated with `last_retrieved_tick`.

    :raises MemoryUnknown: if the agent has none of that number at the tick.
    """
    row = _rows(simulation_id, as_of_tick).filter(agent=agent, number=number).first()
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
    rows = _rows(simulation_id, as_of_tick).filter(agent=agent, number__in=numbers)
    return {row.number: row for row in rows}


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
    rows = _rows(simulation_id, as_of_tick).filter(agent=agent, origin=origin.value)
    return list(rows.order_by("-number")[:count])


def dialogue_memories_about(
    simulation_id: UUID, agent: str, *, subject: str, as_of_tick: int, count: int
) -> list[MemoryRow]:
    """Return the latest memories of dialogue with a subject, the earliest first."""
    rows = _rows(simulation_id, as_of_tick).filter(
        agent=agent, subject=subject, kind=MemoryKind.DIALOGUE.value
    )
    return list(rows.order_by("-number")[:count])[::-1]


def memories_between(
    simulation_id: UUID, agent: str, *, origin: MemoryOrigin, from_tick: int, to_tick: int
) -> list[MemoryRow]:
    """Return the memories of the origin that were formed or repeated in the ticks, in order."""
    rows = MemoryRow.objects.filter(
        _formed_or_repeated(simulation_id, agent, from_tick, to_tick),
        simulation_id=simulation_id,
        agent=agent,
        origin=origin.value,
    )
    return list(rows.order_by("number"))


def memories_formed_in(
    simulation_id: UUID, agent: str, *, tick: int, subject: str
) -> list[MemoryRow]:
    """Return the memories about a subject that were formed or repeated in a tick, in order."""
    rows = _rows(simulation_id, tick).filter(
        _formed_or_repeated(simulation_id, agent, tick, tick), agent=agent, subject=subject
    )
    return list(rows.order_by("number"))


def remembers(simulation_id: UUID, agent: str, description: str, *, as_of_tick: int) -> bool:
    """Return whether the agent has a memory with exactly this description."""
    return MemoryRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        description=description,
        formed_tick__lte=as_of_tick,
    ).exists()


def earlier_memory(
    simulation_id: UUID,
    agent: str,
    description: str,
    *,
    subject: str,
    origin: MemoryOrigin,
    as_of_tick: int,
) -> int | None:
    """Return the number of the latest memory in these words that holds, None without (M1)."""
    rows = MemoryRow.objects.filter(
        _holds_at(as_of_tick),
        simulation_id=simulation_id,
        agent=agent,
        subject=subject,
        origin=origin.value,
        description=description,
        formed_tick__lte=as_of_tick,
    )
    number: int | None = rows.aggregate(number=Max("number"))["number"]
    return number


@dataclass(frozen=True, slots=True)
class EarlierMemory:
    """The number of an earlier memory, and the tick in which it was formed or repeated last."""

    number: int
    last_tick: int


def rated_examples(simulation_id: UUID, agent: str, *, as_of_tick: int) -> list[RatedExample]:
    """Return the agent's first memory of each importance in ANCHOR_IMPORTANCES (M3).

    Where there is none of that importance, it is the first of the next higher or lower one.
    """
    parameters = {
        "simulation": simulation_id,
        "agent": agent,
        "tick": as_of_tick,
        "anchors": list(ANCHOR_IMPORTANCES),
    }
    return [RatedExample(*row) for row in rows_of(_RATED_EXAMPLES, parameters)]


def memory_of_activity(
    simulation_id: UUID, agent: str, activity: str, *, subject: str, as_of_tick: int
) -> EarlierMemory | None:
    """Return the latest memory of an agent at an activity, None without one (M2)."""
    rows = _rows(simulation_id, as_of_tick).filter(
        agent=agent, subject=subject, activity=activity
    )
    row = rows.order_by("-number").first()
    if row is None:
        return None
    return EarlierMemory(row.number, row.last_repeated_tick or row.formed_tick)


def agreements_from(
    simulation_id: UUID, agent: str, *, now: datetime, as_of_tick: int
) -> list[MemoryRow]:
    """Return the agreements that hold and are not over at the game time, in order (D3)."""
    rows = _rows(simulation_id, as_of_tick).filter(
        agent=agent, kind=MemoryKind.PLAN.value, origin=MemoryOrigin.AGREED.value
    )
    holding = rows.filter(_holds_at(as_of_tick)).order_by("number")
    return [row for row in holding if not is_over(scheduled_activity(row.scheduled), now)]


def gists_with(
    simulation_id: UUID, agent: str, agreements: Collection[int], *, as_of_tick: int
) -> list[int]:
    """Return the numbers of the gists of the conversations that brought the agreements.

    `agreements` are numbers of memories. A gist is formed or repeated with them, about the
    same agent.
    """
    rows = _rows(simulation_id, as_of_tick).filter(agent=agent)
    agreed = rows.filter(number__in=agreements).values_list("formed_tick", "subject")
    of_conversation = rows.filter(_holds_at(as_of_tick), origin=MemoryOrigin.CONVERSATION.value)
    return sorted(
        row.number
        for tick, subject in set(agreed)
        for row in of_conversation.filter(
            _formed_or_repeated(simulation_id, agent, tick, tick), subject=subject
        )
    )


def next_number(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return the number of the agent's next memory, from 1."""
    parameters = {"simulation": simulation_id, "agent": agent, "tick": as_of_tick}
    latest = rows_of(_LATEST_NUMBER, parameters)
    return int(latest[0][0]) + 1 if latest else 1


@dataclass(frozen=True, slots=True)
class PerceivedImportance:
    """The importance of perceived memories: the sum of the rated, the number of the others."""

    rated: int = 0
    unrated_count: int = 0

    @property
    def most(self) -> int:
        """The sum if all that is not rated yet were of the greatest importance."""
        return self.rated + self.unrated_count * IMPORTANCE_MAX


def importance_since(
    simulation_id: UUID, agent: str, *, after_tick: int | Combinable, as_of_tick: int
) -> PerceivedImportance:
    """Return the importance of the perceptions in (after_tick, as_of_tick] (R1).

    A repetition counts as the memory that it repeats, and each sight of another agent as
    routine, remembered or not (M3). `after_tick` may be an expression of the database.
    """
    is_rated = Q(rated_tick__lte=as_of_tick)
    found = MemoryRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        perceived=True,
        formed_tick__gt=after_tick,
        formed_tick__lte=as_of_tick,
    ).aggregate(rated=Sum("rating", filter=is_rated), unrated=Count("pk", filter=~is_rated))
    since = Q(
        simulation_id=simulation_id,
        agent=agent,
        from_tick__gt=after_tick,
        from_tick__lte=as_of_tick,
    )
    repeated = RepetitionRow.objects.filter(since)
    again = repeated.aggregate(rated=Sum(_perceived_rating(as_of_tick)))
    sights = SeenPersonRow.objects.filter(since).count()
    rated = (found["rated"] or 0) + (again["rated"] or 0) + sights * ROUTINE_IMPORTANCE
    return PerceivedImportance(rated, found["unrated"])


def _perceived_rating(as_of_tick: int) -> Subquery:
    """Return the rating of the perception that a row repeats, no value for one not rated."""
    repeated = MemoryRow.objects.filter(
        simulation_id=OuterRef("simulation_id"),
        agent=OuterRef("agent"),
        number=OuterRef("number"),
        perceived=True,
        rated_tick__lte=as_of_tick,
    )
    return Subquery(repeated.values("rating")[:1])


def _formed_or_repeated(simulation_id: UUID, agent: str, from_tick: int, to_tick: int) -> Q:
    """Return the condition that a memory of the agent was formed or repeated in the ticks."""
    ticks = (from_tick, to_tick)
    repeated = RepetitionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=ticks
    )
    return Q(formed_tick__range=ticks) | Q(number__in=repeated.values("number"))


def _holds_at(tick: int) -> Q:
    """Return the condition that a memory is not superseded by the end of the tick."""
    return Q(superseded_tick=None) | Q(superseded_tick__gt=tick)


def _rows(simulation_id: UUID, as_of_tick: int) -> QuerySet[MemoryRow]:
    of_memory = {name: OuterRef(name) for name in ("simulation_id", "agent", "number")}
    valid = Q(to_tick=None) | Q(to_tick__gt=as_of_tick)
    valid &= Q(from_tick__lte=as_of_tick)
    retrieved = RetrievalRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    repeated = RepetitionRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    is_rated = Q(rated_tick__lte=as_of_tick)
    annotations = {
        _RETRIEVED: Subquery(retrieved.values("from_tick")[:1]),
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
