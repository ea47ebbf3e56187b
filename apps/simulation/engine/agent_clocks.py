"""The clocks of a simulation's agents: the next tick of each, and what its turn waits for."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.eventlog.store import last_ticks
from apps.kernel.ordered import OrderedByKey
from apps.simulation import queries
from apps.simulation.engine.idle_window import AWAKE, IdleWindow
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.interventions import intervention_ticks
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.turn.preparation import PREPARATION_TICK, unprepared_agents

_tick = attrgetter("tick")


@dataclass(slots=True, kw_only=True)
class AgentClock:
    """The next tick of an agent, and what is known of its next turns.

    `idle` is valid until something changes; `has_acted` is whether a turn has been written that
    the ready queue has not seen.
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
    idle: IdleWindow = AWAKE
    has_acted: bool = False

    @property
    def acts_from(self) -> int:
        """The first tick in which the agent may act if no other agent acts before."""
        if self.in_work:
            return self.tick
        idle_until = self.idle.until
        if self.leaves_at is not None:
            idle_until = min(idle_until, self.leaves_at)
        return max(self.tick, idle_until)

    @property
    def is_at_departure(self) -> bool:
        """Whether the agent has come to the tick at which it leaves, and takes no turn."""
        return self.leaves_at is not None and self.tick >= self.leaves_at

    @property
    def begun_tick(self) -> int:
        """The last tick that the agent has committed or is taking a turn in."""
        return self.tick if self.in_work else self.tick - 1

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


class AgentClocks:
    """The clocks of all agents of a simulation, by slug.

    `changed` are those that the ready queue has to look at again.
    """

    def __init__(self, agents: OrderedByKey[str, AgentClock]) -> None:
        self.agents = agents
        self.changed = set(agents)

    @property
    def clocks(self) -> dict[str, int]:
        """The first uncommitted tick of each agent."""
        return {agent: clock.tick for agent, clock in self.agents.items()}

    @property
    def committed_tick(self) -> int:
        """The last tick that all agents have committed."""
        return max(0, min(map(_tick, self.agents.values()), default=0) - 1)

    @property
    def farthest_tick(self) -> int:
        """The last tick that any agent has committed or is taking a turn in."""
        return max((max(0, clock.begun_tick) for clock in self.agents.values()), default=0)

    @property
    def next_tick(self) -> int:
        """The tick at which an agent may join: no agent has committed it."""
        first = PREPARATION_TICK + 1
        if all(
            clock.tick <= first and (clock.is_unprepared or not clock.in_work)
            for clock in self.agents.values()
        ):
            return PREPARATION_TICK
        return max(clock.tick for clock in self.agents.values())

    def first_free_tick(self, agent: str) -> int | None:
        """Return the first tick that the agent has not begun; None if it has left."""
        clock = self.agents.get(agent)
        return None if clock is None else max(PREPARATION_TICK + 1, clock.begun_tick + 1)

    @property
    def is_prepared(self) -> bool:
        """Whether all agents have their seed memories."""
        return not any(clock.is_unprepared for clock in self.agents.values())

    @property
    def turns_in_work(self) -> int:
        """The number of turns in work."""
        return sum(clock.in_work for clock in self.agents.values())

    def is_in_work(self, turn: ReadyTurn) -> bool:
        """Return whether the turn is in work; one that was collected already is not."""
        clock = self.agents.get(turn.agent)
        return clock is not None and clock.in_work and clock.tick == turn.tick

    def resume(self, turn: ReadyTurn) -> None:
        """Note that a turn is in work that an earlier scheduler has submitted."""
        clock = self.agents.get(turn.agent)
        if clock is not None and clock.tick <= turn.tick:
            clock.tick = turn.tick
            clock.in_work = True
            self.changed.add(turn.agent)

    def discard(self, turn: ReadyTurn) -> None:
        """Note that the turn has ended without being written."""
        self.agents[turn.agent].in_work = False
        self.changed.add(turn.agent)

    def wake(self, agent: str) -> None:
        """Have the next tick of the agent checked."""
        self.agents[agent].idle = AWAKE
        self.changed.add(agent)

    def pass_idle_ticks(self, until: int) -> None:
        """Move the clocks of all agents to a tick before which none of them acts."""
        for clock in self.agents.values():
            clock.tick = max(clock.tick, until)

    def next_check(self, last_tick: int) -> int | None:
        """Return the next tick, after the last one, in which a turn may be due.

        None while every agent has a turn in work or waits for one that has.
        """
        ticks = (one.acts_from for one in self.agents.values() if not one.in_work)
        return min((tick for tick in ticks if tick > last_tick), default=None)

    def can_leave(self, agent: str) -> bool:
        """Return whether the agent stays in the simulation, and another agent does."""
        staying = [
            clock.agent
            for clock in self.agents.values()
            if clock.leaves_at is None and not clock.is_visitor
        ]
        return agent in staying and len(staying) > 1

    def is_leaving(self, agent: str) -> bool:
        """Return whether the departure of the agent is scheduled."""
        clock = self.agents.get(agent)
        return clock is not None and clock.leaves_at is not None

    def schedule_departure(self, agent: str, tick: int) -> None:
        """Note that the agent leaves at the tick."""
        self.agents[agent].leaves_at = tick
        self.changed.add(agent)

    def due_departures(self) -> list[tuple[str, int]]:
        """Return the agents that have come to the tick of their departure, with the tick."""
        return [
            (clock.agent, clock.tick)
            for clock in self.agents.values()
            if clock.is_at_departure and not clock.in_work
        ]

    def add_intervention(self, agent: str, tick: int) -> None:
        """Note that an intervention reaches the agent at the tick."""
        self.agents[agent].interventions |= {tick}
        self.wake(agent)


def read_agent_clocks(simulation_id: UUID) -> OrderedByKey[str, AgentClock]:
    """Return the clock of each agent of the simulation, read from the rows, by slug.

    The log is ahead of a stored clock where a turn was written after it.
    """
    stored = queries.clocks_of(simulation_id)
    rows = agent_queries.list_agents(simulation_id)
    last = last_ticks(simulation_id, [row.agent for row in rows])
    unprepared = set(unprepared_agents(simulation_id))
    interventions = intervention_ticks(simulation_id, min(stored.values(), default=0))
    agents: OrderedByKey[str, AgentClock] = OrderedByKey()
    for row in rows:
        written = last[row.agent]
        tick = max(stored.get(row.agent, 0), written + 1)
        if written == PREPARATION_TICK and row.agent in unprepared:
            tick = PREPARATION_TICK
        agents[row.agent] = AgentClock(
            agent=row.agent,
            tick=tick,
            is_visitor=not row.home,
            acquainted=read_acquainted(simulation_id, row.agent, as_of_tick=max(0, tick - 1)),
            interventions=interventions.get(row.agent, frozenset()),
        )
    return agents


def read_acquainted(simulation_id: UUID, agent: str, **ticks: int) -> Acquainted:
    """Return what the agent has noticed, as `last_seen` takes the ticks."""
    agents, objects = agent_queries.last_seen(simulation_id, agent, **ticks)
    return Acquainted(agents=agents, objects=objects)
