"""Memories of agents about other agents, counted for each pair (E4)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.django_support.statements import rows_of

_COUNTS = """
SELECT memory.agent, other.slug, count(*), max(memory.number)
FROM memory_memoryrow AS memory
JOIN unnest(%(slugs)s::text[], %(names)s::text[]) AS other(slug, name)
    ON other.slug <> memory.agent
    AND (memory.subject = other.slug OR strpos(memory.description, other.name) > 0)
WHERE memory.simulation_id = %(simulation)s AND memory.formed_tick <= %(tick)s
    AND memory.agent = ANY(%(slugs)s::text[])
GROUP BY memory.agent, other.slug
"""

_TEXTS = """
SELECT memory.agent, memory.number, memory.description, memory.formed_tick
FROM memory_memoryrow AS memory
JOIN unnest(%(agents)s::text[], %(numbers)s::int[]) AS key(agent, number)
    ON memory.agent = key.agent AND memory.number = key.number
WHERE memory.simulation_id = %(simulation)s
"""


@dataclass(frozen=True, slots=True)
class MemoriesAbout:
    """How many memories an agent has about another one, and the number of the latest."""

    count: int
    latest: int


@dataclass(frozen=True, slots=True)
class MemoryText:
    """The description of a memory, and the tick in which it was formed."""

    description: str
    formed_tick: int


def count_memories_about(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> dict[tuple[str, str], MemoriesAbout]:
    """Return the memories about each other agent, by (agent, other), where there are any.

    A memory is about another agent if that is its subject or its description has the name.
    `names` are the full names by slug.
    """
    parameters = {
        "simulation": simulation_id,
        "tick": as_of_tick,
        "slugs": list(names),
        "names": list(names.values()),
    }
    rows = rows_of(_COUNTS, parameters)
    return {
        (agent, other): MemoriesAbout(count, latest) for agent, other, count, latest in rows
    }


def memory_texts(
    simulation_id: UUID, keys: Collection[tuple[str, int]]
) -> dict[tuple[str, int], MemoryText]:
    """Return the texts of memories, by agent and number."""
    parameters = {
        "simulation": simulation_id,
        "agents": [agent for agent, _ in keys],
        "numbers": [number for _, number in keys],
    }
    rows = rows_of(_TEXTS, parameters)
    return {(agent, number): MemoryText(text, tick) for agent, number, text, tick in rows}


def density(pairs: Collection[tuple[str, str]], agents: int) -> float:
    """Return the share of pairs of agents in which both remember the other (E4)."""
    possible = agents * (agents - 1) / 2
    mutual = sum((other, agent) in pairs for agent, other in pairs) / 2
    return mutual / possible if possible else 0.0
