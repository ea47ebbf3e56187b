"""Queries of importance: its sum, an example of each, and the latest important memory."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max

from apps.agents.statements import BEHAVIOURS
from apps.lineage.statements import history_rows
from apps.memory.events import MemoryOrigin
from apps.memory.items import RatedExample
from apps.memory.models import MemoryRow
from apps.memory.rules import ANCHOR_IMPORTANCES, IMPORTANCE_MAX, ROUTINE_IMPORTANCE

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

# What is perceived in the ticks: memories, rated and not, repetitions, sights and own actions.
_PERCEIVED_SINCE = f"""
SELECT formed.rated, formed.unrated, repeated.rated, others.behaviours
FROM (
    SELECT
        sum(rating) FILTER (WHERE rated_tick <= %(tick)s) AS rated,
        count(*) FILTER (WHERE rated_tick IS NULL OR rated_tick > %(tick)s) AS unrated
    FROM memory_memoryrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND perceived
        AND formed_tick > %(after)s AND formed_tick <= %(tick)s
) AS formed
CROSS JOIN (
    SELECT sum(original.rating) AS rated
    FROM memory_repetitionrow AS repetition
    JOIN memory_memoryrow AS original USING (simulation_id, agent, number)
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND repetition.from_tick > %(after)s AND repetition.from_tick <= %(tick)s
        AND original.perceived AND original.rated_tick <= %(tick)s
) AS repeated
CROSS JOIN (
    {BEHAVIOURS.format(after="%(after)s", until="%(tick)s")}
) AS others
"""  # noqa: S608 (parts of statements)


@dataclass(frozen=True, slots=True)
class PerceivedImportance:
    """The importance of perceived memories: the sum of the rated, the number of the others."""

    rated: int = 0
    unrated_count: int = 0

    @property
    def most(self) -> int:
        """The sum if all that is not rated yet were of the greatest importance."""
        return self.rated + self.unrated_count * IMPORTANCE_MAX


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
    return [
        RatedExample(*row) for row in history_rows(_RATED_EXAMPLES, parameters, simulation_id)
    ]


def importance_since(
    simulation_id: UUID, agent: str, *, after_tick: int, as_of_tick: int
) -> PerceivedImportance:
    """Return the importance of the perceptions in (after_tick, as_of_tick] (R1).

    A repetition counts as the memory that it repeats; each sight of another agent and each own
    planned action counts as routine besides, remembered or not (M3). Every turn executes this,
    as one statement.
    """
    parameters = {
        "simulation": simulation_id,
        "agent": agent,
        "after": after_tick,
        "tick": as_of_tick,
    }
    [(formed, unrated, repeated, behaviours)] = history_rows(
        _PERCEIVED_SINCE, parameters, simulation_id
    )
    rated = (formed or 0) + (repeated or 0) + behaviours * ROUTINE_IMPORTANCE
    return PerceivedImportance(rated, unrated)
