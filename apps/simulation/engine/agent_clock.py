"""Everybody's part in the score: the clock, and what is known for telling what is due."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.eventlog.store import last_ticks
from apps.kernel.ordered import OrderedByKey
from apps.simulation import queries
from apps.simulation.engine.idle_window import LOUD, Quiet
from apps.simulation.engine.lookahead import Leeway, Standpoint
from apps.simulation.interventions import intervention_ticks
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.turn.preparation import PREPARATION_TICK, unprepared_agents


@dataclass(slots=True, kw_only=True)
class Part:
    """One person's part.

    What the gate and a look around have said is kept for as long as it holds: `leeway`,
    `waits_for` (who holds the person back, and that one's clock then) and `quiet`. `told`
    are the ticks at which users tell the person something, `called_at` is the tick from which
    on the person has to heed what a user does with them.
    """

    agent: str
    clock: int
    acquainted: Acquainted
    in_work: bool = False
    reflects: bool = False
    leaves_at: int | None = None
    told: frozenset[int] = frozenset()
    called_at: int | None = None
    is_visitor: bool = False
    leeway: Leeway = field(default_factory=Leeway)
    waits_for: tuple[str, int] | None = None
    quiet: Quiet = LOUD
    standpoint: Standpoint | None = None

    @property
    def is_unprepared(self) -> bool:
        """Whether the agent's seed memories have yet to be formed."""
        return self.clock == PREPARATION_TICK

    @property
    def is_called(self) -> bool:
        """Whether the person has to heed what a user asks in their next tick."""
        return self.called_at is not None and self.called_at <= self.clock

    @property
    def wanted(self) -> Iterator[int]:
        """The ticks at which users want something of the person."""
        yield from self.told
        if self.called_at is not None:
            yield self.called_at

    def last_of(self, last_tick: int) -> int:
        """Return how far the person may go: whoever leaves goes no farther."""
        return last_tick if self.leaves_at is None else min(last_tick, self.leaves_at - 1)


def read_parts(simulation_id: UUID) -> OrderedByKey[str, Part]:
    """Return the part of everybody who is in town, as the rows have it, by slug.

    The log knows better than the kept clocks where a turn was written after those were.
    """
    kept = queries.clocks_of(simulation_id)
    people = agent_queries.list_agents(simulation_id)
    last = last_ticks(simulation_id, [row.agent for row in people])
    unprepared = set(unprepared_agents(simulation_id))
    told = intervention_ticks(simulation_id, min(kept.values(), default=0))
    parts: OrderedByKey[str, Part] = OrderedByKey()
    for row in people:
        written = last[row.agent]
        clock = max(kept.get(row.agent, 0), written + 1)
        if written == PREPARATION_TICK and row.agent in unprepared:
            clock = PREPARATION_TICK
        parts[row.agent] = Part(
            agent=row.agent,
            clock=clock,
            is_visitor=not row.home,
            acquainted=_acquainted(simulation_id, row.agent, max(0, clock - 1)),
            told=told.get(row.agent, frozenset()),
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
