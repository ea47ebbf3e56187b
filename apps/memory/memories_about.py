"""Memories of agents about other agents (E4)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.lineage.statements import history_rows

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
