"""Everybody's clock and what they are about to do, as the scheduler has it in mind.

It holds nothing that the rows do not say: it is read from them, and read again for each
person who has taken a turn.
"""

from collections.abc import Iterator

from apps.agents import queries as agent_queries
from apps.dialogue import queries as dialogue_queries
from apps.reflection.queries import importance_since_last
from apps.reflection.rules import is_due
from apps.simulation.commands.remove_agent import scheduled_departures
from apps.simulation.embodiment.queries import first_open_ticks, open_embodiments
from apps.simulation.engine.agent_clock import AgentClock, add_acquaintances, read_agent_clocks
from apps.simulation.engine.dispatch import ReadyTurn
from apps.simulation.engine.idle_window import AWAKE
from apps.simulation.engine.lookahead import LookaheadPolicy, committed_tick
from apps.simulation.engine.ready_queue import ReadyQueue
from apps.simulation.ports import Constants
from apps.simulation.snapshot.perception import objects_in_sight
from apps.simulation.snapshot.world_snapshot import UseSpan, read_world_snapshot
from apps.simulation.turn.preparation import PREPARATION_TICK


class ScheduleState:
    """Advances clocks over ticks without a turn and finds the turns that are due."""

    def __init__(self, constants: Constants, lookahead: LookaheadPolicy) -> None:
        """Read everybody's state from the rows."""
        self._constants = constants
        self.agents = read_agent_clocks(constants.simulation_id)
        self.users: frozenset[str] = frozenset()
        self.town = read_world_snapshot(
            constants.simulation_id,
            world=constants.world,
            seed=constants.seed,
            from_tick=max(0, self.settled),
            heard_from_tick=max(0, self.settled - constants.hearing_ticks),
        )
        for clock in self.agents.values():
            self._read_reflection(clock)
        self._read_departures()
        self.reload_embodiments()
        self._due_turns = ReadyQueue(constants, lookahead, self.agents, self.town)

    @property
    def clocks(self) -> dict[str, int]:
        """The first unsettled tick of everybody."""
        return {agent: clock.tick for agent, clock in self.agents.items()}

    @property
    def settled(self) -> int:
        """The last tick that is settled for everybody."""
        return max(0, committed_tick(self.clocks))

    @property
    def is_prepared(self) -> bool:
        """Whether all agents have their seed memories."""
        return not any(clock.is_unprepared for clock in self.agents.values())

    @property
    def farthest(self) -> int:
        """The last tick that somebody has settled or is taking a turn in."""
        return max(
            (
                clock.tick if clock.in_work else max(0, clock.tick - 1)
                for clock in self.agents.values()
            ),
            default=0,
        )

    @property
    def next_tick(self) -> int:
        """The tick at which an agent may join: no agent has committed it (design 5)."""
        first = PREPARATION_TICK + 1
        if all(
            clock.tick <= first and (clock.is_unprepared or not clock.in_work)
            for clock in self.agents.values()
        ):
            return PREPARATION_TICK
        return max(clock.tick for clock in self.agents.values())

    @property
    def in_work(self) -> int:
        """How many turns are in work."""
        return sum(clock.in_work for clock in self.agents.values())

    def resume(self, turn: ReadyTurn) -> None:
        """Note that somebody's turn is in work already, submitted by an earlier scheduler."""
        clock = self.agents.get(turn.agent)
        if clock is not None and clock.tick <= turn.tick:
            clock.tick = turn.tick
            clock.in_work = True

    def is_awaited(self, turn: ReadyTurn) -> bool:
        """Whether this turn is in work; one that comes back twice or too late is not."""
        clock = self.agents.get(turn.agent)
        return clock is not None and clock.in_work and clock.tick == turn.tick

    def take_in(self, turn: ReadyTurn) -> None:
        """Read again what the rows say of somebody whose turn has been written."""
        clock = self.agents[turn.agent]
        clock.in_work = False
        clock.tick = turn.tick + 1
        self._read_again(clock)
        clock.idle = AWAKE
        for other in self.agents.values():
            if clock.agent in other.idle.depends_on:
                other.idle = AWAKE
        add_acquaintances(clock, self._constants.simulation_id, turn.tick)
        if clock.requests_from is not None:
            self.reload_embodiments()

    def _read_again(self, clock: AgentClock) -> None:
        simulation_id = self._constants.simulation_id
        # Others who are behind still look at what this person did since the settled tick.
        since = max(0, self.settled - 1)
        tracks = agent_queries.tracks(simulation_id, from_tick=since, agents=[clock.agent])
        uses = agent_queries.uses(simulation_id, from_tick=since, agents=[clock.agent])
        voices = dialogue_queries.voices(
            simulation_id,
            from_tick=max(0, self.settled - self._constants.hearing_ticks),
            agents=[clock.agent],
        )
        self.town.replace_agent(
            clock.agent,
            tracks[clock.agent],
            [UseSpan(use, ends) for use, ends in uses],
            voices,
        )
        if self.town.set_states:
            self.reload_object_states()  # the person may have righted one
        for said in voices.spoken:
            if said.to in self.agents:
                self.agents[said.to].idle = AWAKE
        self._read_reflection(clock)

    def _read_reflection(self, clock: AgentClock) -> None:
        """Note whether a reflection is due; only the person's own turns change that (R1)."""
        importance = importance_since_last(
            self._constants.simulation_id, clock.agent, as_of_tick=clock.tick - 1
        )
        clock.reflects = is_due(importance, self._constants.settings.reflection_threshold)

    def add_agent(self, agent: str) -> None:
        """Read what the rows say of somebody who has come to town."""
        clock = read_agent_clocks(self._constants.simulation_id)[agent]
        self.agents[agent] = clock
        self._read_again(clock)
        for other in self.agents.values():
            other.idle = AWAKE

    def first_free_tick(self, agent: str) -> int | None:
        """Return the first tick that the agent has not begun; None if it has left."""
        clock = self.agents.get(agent)
        if clock is None:
            return None
        # Tick 0 is the preparation.
        return max(
            PREPARATION_TICK + 1,
            clock.tick + 1 if clock.in_work else clock.tick,
        )

    def reload_embodiments(self) -> None:
        """Read again whom users act for, who has to heed what they ask, and from when on."""
        calls = first_open_ticks(self._constants.simulation_id)
        standing = open_embodiments(self._constants.simulation_id)
        self.users = frozenset(calls) | {one.agent for one in standing}
        for clock in self.agents.values():
            requests_from = calls.get(clock.agent)
            if requests_from != clock.requests_from:
                clock.requests_from = requests_from
                clock.idle = AWAKE

    def has_gone(self, agent: str) -> bool:
        """Whether somebody with a clock has left town in the last tick of theirs."""
        return self.town.tile_of(agent, self.agents[agent].tick - 1) is None

    def first_unseen_tick(self, path: str) -> int:
        """Return the first unsettled tick since whose end nobody has had the object in view.

        Whoever has begun a later tick has not perceived it: what happens to it then does not
        change what they did.
        """
        unseen = self.settled + 1
        for clock in self.agents.values():
            begun = clock.tick if clock.in_work else clock.tick - 1
            for tick in range(begun - 1, unseen - 1, -1):
                if self._has_in_view(clock.agent, path, tick):
                    unseen = tick + 1
                    break
        return unseen

    def reload_object_states(self) -> None:
        """Read again which object states users have set."""
        states = agent_queries.set_states(
            self._constants.simulation_id, from_tick=max(0, self.settled - 1)
        )
        before = self.town.set_states
        self.town.take_in_states(states)
        if self.town.set_states != before:
            for clock in self.agents.values():
                clock.idle = AWAKE

    def _has_in_view(self, agent: str, path: str, tick: int) -> bool:
        tile = self.town.tile_of(agent, tick)
        if tile is None:
            return False
        vision = self._constants.attention.vision
        in_sight = objects_in_sight(self._constants.world, tile, vision)
        return any(path == seen for seen, _distance in in_sight)

    def add_intervention(self, agent: str, tick: int) -> None:
        """Note that somebody is told something at the tick."""
        clock = self.agents[agent]
        clock.interventions |= {tick}
        clock.idle = AWAKE

    def can_leave(self, agent: str) -> bool:
        """Whether somebody is in town and would not leave it empty."""
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
        """Note that somebody is to leave at the tick."""
        self.agents[agent].leaves_at = tick

    def due_departures(self) -> list[tuple[str, int]]:
        """Return who has come to the tick that they leave at."""
        return [
            (clock.agent, clock.tick)
            for clock in self.agents.values()
            if clock.leaves_at is not None
            and not clock.in_work
            and clock.tick >= clock.leaves_at
        ]

    def remove_agent(self, agent: str) -> None:
        """Forget the clock of somebody who has left; others still see where they were."""
        clock = self.agents.pop(agent)
        self._read_again(clock)
        for other in self.agents.values():
            other.cache.limits.pop(agent, None)
            other.idle = AWAKE

    def _read_departures(self) -> None:
        for agent, tick in scheduled_departures(self._constants.simulation_id).items():
            if agent in self.agents:
                self.schedule_departure(agent, tick)

    def drop(self, turn: ReadyTurn) -> None:
        """Note that somebody's turn came back without having been written."""
        self.agents[turn.agent].in_work = False

    def advance(self, last_tick: int) -> Iterator[ReadyTurn]:
        """Settle ticks without a turn up to and including the last, yield the turns due.

        Whoever has fallen behind goes first, since the others wait for them.
        """
        return self._due_turns.advance(last_tick)

    def next_check(self, last_tick: int) -> int | None:
        """Return the next tick, after the last one, in which a turn may be due.

        None while every agent has a turn in work or waits for one that has.
        """
        return min(
            (
                max(clock.tick, clock.idle.until)
                for clock in self.agents.values()
                if not clock.in_work and clock.tick > last_tick
            ),
            default=None,
        )
