"""Who knows of whom: whose memories are about somebody, or name them (E4)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.django_support.statements import rows_of

_ABOUT = """
SELECT memory.agent, other.slug, count(*), max(memory.number)
FROM memory_memoryrow AS memory
JOIN unnest(%(slugs)s::text[], %(names)s::text[]) AS other(slug, name)
    ON other.slug <> memory.agent
    AND (memory.subject = other.slug OR strpos(memory.description, other.name) > 0)
WHERE memory.simulation_id = %(simulation)s AND memory.formed_tick <= %(tick)s
    AND memory.agent = ANY(%(slugs)s::text[])
GROUP BY memory.agent, other.slug
"""

_BY_NUMBER = """
SELECT memory.agent, memory.number, memory.description, memory.formed_tick
FROM memory_memoryrow AS memory
JOIN unnest(%(agents)s::text[], %(numbers)s::int[]) AS asked(agent, number)
    ON memory.agent = asked.agent AND memory.number = asked.number
WHERE memory.simulation_id = %(simulation)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """How many memories somebody has about another, and the number of the latest."""

    memories: int
    latest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A memory's description, and when it was formed."""

    description: str
    formed_tick: int


def known_people(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> dict[tuple[str, str], Known]:
    """Return who has memories about whom by then, as (who remembers, whom).

    `names` are the full names of the people by slug.
    """
    asked = {
        "simulation": simulation_id,
        "tick": as_of_tick,
        "slugs": list(names),
        "names": list(names.values()),
    }
    return {
        (agent, other): Known(memories=count, latest=latest)
        for agent, other, count, latest in rows_of(_ABOUT, asked)
    }


def words_by_number(
    simulation_id: UUID, asked: Collection[tuple[str, int]]
) -> dict[tuple[str, int], Words]:
    """Return what memories say, by whose they are and their number."""
    inputs = {
        "simulation": simulation_id,
        "agents": [agent for agent, _ in asked],
        "numbers": [number for _, number in asked],
    }
    return {
        (agent, number): Words(description=description, formed_tick=tick)
        for agent, number, description, tick in rows_of(_BY_NUMBER, inputs)
    }


def density(known: Collection[tuple[str, str]], people: int) -> float:
    """Return the share of pairs of people who know of each other, both of them (E4)."""
    pairs = people * (people - 1) / 2
    mutual = sum((other, agent) in known for agent, other in known) / 2
    return mutual / pairs if pairs else 0.0
