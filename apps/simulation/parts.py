"""Everybody's part in the score: the clock, and what is known for telling what is due."""

from dataclasses import dataclass, field
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.eventlog.store import last_ticks
from apps.simulation import queries
from apps.simulation.gate import Leeway, Standpoint
from apps.simulation.perception import Acquainted
from apps.simulation.quiet import LOUD, Quiet


@dataclass(slots=True, kw_only=True)
class Part:
    """One person's part.

    What the gate and a look around have said is kept for as long as it holds: `leeway`,
    `waits_for` (who holds the person back, and that one's clock then) and `quiet`.
    """

    agent: str
    clock: int
    is_new: bool
    acquainted: Acquainted
    in_work: bool = False
    leaves_at: int | None = None
    leeway: Leeway = field(default_factory=Leeway)
    waits_for: tuple[str, int] | None = None
    quiet: Quiet = LOUD
    standpoint: Standpoint | None = None

    def last_of(self, last_tick: int) -> int:
        """Return how far the person may go: whoever leaves goes no farther."""
        return last_tick if self.leaves_at is None else min(last_tick, self.leaves_at - 1)


def read_parts(simulation_id: UUID) -> dict[str, Part]:
    """Return the part of everybody who is in town, as the rows have it, by slug.

    The log knows better than the kept clocks where a turn was written after those were.
    """
    kept = queries.clocks_of(simulation_id)
    people = agent_queries.list_agents(simulation_id)
    last = last_ticks(simulation_id, [row.agent for row in people])
    parts: dict[str, Part] = {}
    for row in people:
        written = last[row.agent]
        clock = max(kept.get(row.agent, 0), written + 1)
        parts[row.agent] = Part(
            agent=row.agent,
            clock=clock,
            is_new=written == row.joined_tick,
            acquainted=_acquainted(simulation_id, row.agent, clock - 1),
        )
    return parts


def learn(part: Part, simulation_id: UUID, tick: int) -> None:
    """Take in what the person has noticed in the tick."""
    people, objects = agent_queries.last_seen(
        simulation_id, part.agent, as_of_tick=tick, since_tick=tick
    )
    part.acquainted.people |= people
    part.acquainted.objects |= objects


def _acquainted(simulation_id: UUID, agent: str, as_of_tick: int) -> Acquainted:
    people, objects = agent_queries.last_seen(simulation_id, agent, as_of_tick=as_of_tick)
    return Acquainted(people=people, objects=objects)
