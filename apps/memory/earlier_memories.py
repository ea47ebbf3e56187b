"""Queries of what a memory stream holds already, for what a turn would remember."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from apps.lineage.statements import history_rows
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import is_over, scheduled_activity
from apps.memory.memory_rows import formed_or_repeated, holds_at, rows_as_of
from apps.memory.models import MemoryRow

# Many turns execute it, of the agent's own activities and of others in view.
_LATEST_OF_ACTIVITY = """
SELECT memory.number, coalesce(repeated.tick, memory.formed_tick)
FROM memory_memoryrow AS memory
LEFT JOIN LATERAL (
    SELECT max(from_tick) AS tick FROM memory_repetitionrow AS repetition
    WHERE repetition.simulation_id = %(simulation)s AND repetition.agent = %(agent)s
        AND repetition.number = memory.number AND repetition.from_tick <= %(tick)s
) AS repeated ON true
WHERE memory.simulation_id = %(simulation)s AND memory.agent = %(agent)s
    AND memory.subject = %(subject)s AND memory.activity = %(activity)s
    AND memory.formed_tick <= %(tick)s
ORDER BY memory.number DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class EarlierMemory:
    """The number of an earlier memory, and the tick in which it was formed or repeated last."""

    number: int
    last_tick: int


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
        holds_at(as_of_tick),
        simulation_id=simulation_id,
        agent=agent,
        subject=subject,
        origin=origin.value,
        description=description,
        formed_tick__lte=as_of_tick,
    )
    number: int | None = rows.aggregate(number=Max("number"))["number"]
    return number


def memory_of_activity(
    simulation_id: UUID, agent: str, activity: str, *, subject: str, as_of_tick: int
) -> EarlierMemory | None:
    """Return the latest memory of an agent at an activity, None without one (M2)."""
    parameters = {
        "simulation": simulation_id,
        "agent": agent,
        "activity": activity,
        "subject": subject,
        "tick": as_of_tick,
    }
    found = history_rows(_LATEST_OF_ACTIVITY, parameters, simulation_id)
    return EarlierMemory(*found[0]) if found else None


def agreements_from(
    simulation_id: UUID, agent: str, *, now: datetime, as_of_tick: int
) -> list[MemoryRow]:
    """Return the agreements that hold and are not over at the game time, in order (D3)."""
    rows = rows_as_of(simulation_id, as_of_tick).filter(
        agent=agent, kind=MemoryKind.PLAN.value, origin=MemoryOrigin.AGREED.value
    )
    holding = rows.filter(holds_at(as_of_tick)).order_by("number")
    return [row for row in holding if not is_over(scheduled_activity(row.scheduled), now)]


def gists_with(
    simulation_id: UUID, agent: str, agreements: Collection[int], *, as_of_tick: int
) -> list[int]:
    """Return the numbers of the gists of the conversations that brought the agreements.

    `agreements` are numbers of memories. A gist is formed or repeated with them, about the
    same agent.
    """
    rows = rows_as_of(simulation_id, as_of_tick).filter(agent=agent)
    agreed = rows.filter(number__in=agreements).values_list("formed_tick", "subject")
    of_conversation = rows.filter(holds_at(as_of_tick), origin=MemoryOrigin.CONVERSATION.value)
    return sorted(
        row.number
        for tick, subject in set(agreed)
        for row in of_conversation.filter(
            formed_or_repeated(simulation_id, agent, tick, tick), subject=subject
        )
    )
