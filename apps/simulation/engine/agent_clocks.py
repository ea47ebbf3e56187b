"""The clock of each agent, and what the scheduler knows of when the agent acts next."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.eventlog.store import last_ticks
from apps.kernel.ordered import OrderedByKey
from apps.simulation import queries
from apps.simulation.engine.idle_window import AWAKE, IdleWindow
from apps.simulation.engine.lookahead import AgentPosition, LookaheadCache
from apps.simulation.interventions import intervention_ticks
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.turn.preparation import PREPARATION_TICK, unprepared_agents


@dataclass(slots=True, kw_only=True)
class AgentClock:
    """The next tick of an agent, and what is known of its next turns.

    What the lookahead policy and the snapshot have said is kept for as long as it holds:
    `cache`, `waits_for` (the agent that holds this one back, and its tick then) and `idle`.
    `interventions` are the ticks at which interventions reach the agent, `requests_from` is
    the tick from which on action requests of a user wait for it.
    """

    agent: str
    tick: int
    acquainted: Acquainted
    in_work: bool = False
    reflects: bool = False
    leaves_at: int | None = None
    interventions: frozenset[int] = frozenset()
    requests_from: int | None = None
    is_visitor: bool = False
    cache: LookaheadCache = field(default_factory=LookaheadCache)
    waits_for: tuple[str, int] | None = None
    idle: IdleWindow = AWAKE
    position: AgentPosition | None = None

    @property
    def is_unprepared(self) -> bool:
        """Whether the agent's seed memories have yet to be formed."""
        return self.tick == PREPARATION_TICK

    @property
    def has_request(self) -> bool:
        """Whether an action request of a user waits for the agent's next tick."""
        return self.requests_from is not None and self.requests_from <= self.tick

    @property
    def requested_ticks(self) -> Iterator[int]:
        """The ticks at which interventions and action requests reach the agent."""
        yield from self.interventions
        if self.requests_from is not None:
            yield self.requests_from

    def last_of(self, last_tick: int) -> int:
        """Return the last tick that the agent may take: an agent that leaves stops before."""
        return last_tick if self.leaves_at is None else min(last_tick, self.leaves_at - 1)


def read_agent_clocks(simulation_id: UUID) -> OrderedByKey[str, AgentClock]:
    """Return the clock of each agent of the simulation, as the rows have it, by slug.

    The log is ahead of the stored clocks where a turn was written after them.
    """
    kept = queries.clocks_of(simulation_id)
    people = agent_queries.list_agents(simulation_id)
    last = last_ticks(simulation_id, [row.agent for row in people])
    unprepared = set(unprepared_agents(simulation_id))
    interventions = intervention_ticks(simulation_id, min(kept.values(), default=0))
    agents: OrderedByKey[str, AgentClock] = OrderedByKey()
    for row in people:
        written = last[row.agent]
        tick = max(kept.get(row.agent, 0), written + 1)
        if written == PREPARATION_TICK and row.agent in unprepared:
            tick = PREPARATION_TICK
        agents[row.agent] = AgentClock(
            agent=row.agent,
            tick=tick,
            is_visitor=not row.home,
            acquainted=_acquainted(simulation_id, row.agent, max(0, tick - 1)),
            interventions=interventions.get(row.agent, frozenset()),
        )
    return agents


def add_acquaintances(clock: AgentClock, simulation_id: UUID, tick: int) -> None:
    """Add what the agent has noticed in the tick."""
    people, objects = agent_queries.last_seen(
        simulation_id, clock.agent, as_of_tick=tick, since_tick=tick
    )
    clock.acquainted.people |= people
    clock.acquainted.objects |= objects


def _acquainted(simulation_id: UUID, agent: str, as_of_tick: int) -> Acquainted:
    people, objects = agent_queries.last_seen(simulation_id, agent, as_of_tick=as_of_tick)
    return Acquainted(people=people, objects=objects)
