"""Queries of what a memory stream holds already, for what a turn would remember."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from apps.lineage.statements import history_rows
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import is_over, scheduled_activity
from apps.memory.models import MemoryRow
from apps.memory.queries import formed_or_repeated, holds_at, rows_as_of

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


_ABOUT = """
WITH counted AS (
    SELECT memory.agent, other.slug, count(*) AS count, max(memory.number) AS latest
    FROM memory_memoryrow AS memory
    JOIN unnest(%(slugs)s::text[], %(names)s::text[]) AS other(slug, name)
        ON other.slug <> memory.agent
        AND (memory.subject = other.slug OR strpos(memory.description, other.name) > 0)
    WHERE memory.simulation_id = %(simulation)s AND memory.formed_tick <= %(tick)s
        AND memory.agent = ANY(%(agents)s::text[])
    GROUP BY memory.agent, other.slug
)
SELECT counted.agent, slug, count, latest, memory.description, memory.formed_tick
FROM counted
JOIN memory_memoryrow AS memory
    ON memory.simulation_id = %(simulation)s AND memory.agent = counted.agent
    AND memory.number = latest
"""


@dataclass(frozen=True, slots=True)
class MemoriesAbout:
    """How many memories an agent has about another one, and the latest of them."""

    count: int
    latest: int
    description: str
    formed_tick: int


def memories_about_others(
    simulation_id: UUID,
    names: Mapping[str, str],
    *,
    as_of_tick: int,
    agents: Collection[str] | None = None,
) -> dict[tuple[str, str], MemoriesAbout]:
    """Return the memories about each other agent, by (agent, other), where there are any.

    A memory is about another agent if that is its subject or its description has the name.
    `names` are the full names by slug; `agents` are those whose memories are read, by default
    all of `names`.
    """
    parameters = {
        "simulation": simulation_id,
        "tick": as_of_tick,
        "agents": list(names if agents is None else agents),
        "slugs": list(names),
        "names": list(names.values()),
    }
    rows = history_rows(_ABOUT, parameters, simulation_id)
    return {(agent, other): MemoriesAbout(*values) for agent, other, *values in rows}


def density(pairs: Collection[tuple[str, str]], agents: int) -> float:
    """Return the share of pairs of agents in which both remember the other (E4)."""
    possible = agents * (agents - 1) / 2
    mutual = sum((other, agent) in pairs for agent, other in pairs) / 2
    return mutual / possible if possible else 0.0
