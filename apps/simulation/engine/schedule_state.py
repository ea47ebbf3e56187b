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
from apps.simulation.engine.agent_clock import Part, learn, read_parts
from apps.simulation.engine.dispatch import DueTurn
from apps.simulation.engine.idle_window import LOUD
from apps.simulation.engine.lookahead import Gate, settled_tick
from apps.simulation.engine.ready_queue import DueTurns
from apps.simulation.ports import Constants
from apps.simulation.snapshot.perception import objects_in_sight
from apps.simulation.snapshot.world_snapshot import UseSpan, read_town
from apps.simulation.turn.preparation import PREPARATION_TICK


class Score:
    """Advances clocks over ticks without a turn and finds the turns that are due."""

    def __init__(self, constants: Constants, gate: Gate) -> None:
        """Read everybody's state from the rows."""
        self._constants = constants
        self.parts = read_parts(constants.simulation_id)
        self.users: frozenset[str] = frozenset()
        self.town = read_town(
            constants.simulation_id,
            world=constants.world,
            seed=constants.seed,
            from_tick=max(0, self.settled),
            heard_from_tick=max(0, self.settled - constants.hearing_ticks),
        )
        for part in self.parts.values():
            self._read_reflection(part)
        self._read_departures()
        self.reload_embodiments()
        self._due_turns = DueTurns(constants, gate, self.parts, self.town)

    @property
    def clocks(self) -> dict[str, int]:
        """The first unsettled tick of everybody."""
        return {agent: part.clock for agent, part in self.parts.items()}

    @property
    def settled(self) -> int:
        """The last tick that is settled for everybody."""
        return max(0, settled_tick(self.clocks))

    @property
    def is_prepared(self) -> bool:
        """Whether all agents have their seed memories."""
        return not any(part.is_unprepared for part in self.parts.values())

    @property
    def farthest(self) -> int:
        """The last tick that somebody has settled or is taking a turn in."""
        return max(
            (
                part.clock if part.in_work else max(0, part.clock - 1)
                for part in self.parts.values()
            ),
            default=0,
        )

    @property
    def next_tick(self) -> int:
        """The tick at which an agent may join: no agent has committed it (design 5)."""
        first = PREPARATION_TICK + 1
        if all(
            part.clock <= first and (part.is_unprepared or not part.in_work)
            for part in self.parts.values()
        ):
            return PREPARATION_TICK
        return max(part.clock for part in self.parts.values())

    @property
    def in_work(self) -> int:
        """How many turns are in work."""
        return sum(part.in_work for part in self.parts.values())

    def resume(self, turn: DueTurn) -> None:
        """Note that somebody's turn is in work already, submitted by an earlier scheduler."""
        part = self.parts.get(turn.agent)
        if part is not None and part.clock <= turn.tick:
            part.clock = turn.tick
            part.in_work = True

    def is_awaited(self, turn: DueTurn) -> bool:
        """Whether this turn is in work; one that comes back twice or too late is not."""
        part = self.parts.get(turn.agent)
        return part is not None and part.in_work and part.clock == turn.tick

    def take_in(self, turn: DueTurn) -> None:
        """Read again what the rows say of somebody whose turn has been written."""
        part = self.parts[turn.agent]
        part.in_work = False
        part.clock = turn.tick + 1
        self._read_again(part)
        part.quiet = LOUD
        for other in self.parts.values():
            if part.agent in other.quiet.relied_on:
                other.quiet = LOUD
        learn(part, self._constants.simulation_id, turn.tick)
        if part.called_at is not None:
            self.reload_embodiments()

    def _read_again(self, part: Part) -> None:
        simulation_id = self._constants.simulation_id
        # Others who are behind still look at what this person did since the settled tick.
        since = max(0, self.settled - 1)
        tracks = agent_queries.tracks(simulation_id, from_tick=since, agents=[part.agent])
        uses = agent_queries.uses(simulation_id, from_tick=since, agents=[part.agent])
        voices = dialogue_queries.voices(
            simulation_id,
            from_tick=max(0, self.settled - self._constants.hearing_ticks),
            agents=[part.agent],
        )
        self.town.replace_agent(
            part.agent, tracks[part.agent], [UseSpan(use, ends) for use, ends in uses], voices
        )
        if self.town.set_states:
            self.reload_object_states()  # the person may have righted one
        for said in voices.spoken:
            if said.to in self.parts:
                self.parts[said.to].quiet = LOUD
        self._read_reflection(part)

    def _read_reflection(self, part: Part) -> None:
        """Note whether a reflection is due; only the person's own turns change that (R1)."""
        importance = importance_since_last(
            self._constants.simulation_id, part.agent, as_of_tick=part.clock - 1
        )
        part.reflects = is_due(importance, self._constants.settings.reflection_threshold)

    def add_agent(self, agent: str) -> None:
        """Read what the rows say of somebody who has come to town."""
        part = read_parts(self._constants.simulation_id)[agent]
        self.parts[agent] = part
        self._read_again(part)
        for other in self.parts.values():
            other.quiet = LOUD

    def first_free_tick(self, agent: str) -> int | None:
        """Return the first tick that the agent has not begun; None if it has left."""
        part = self.parts.get(agent)
        if part is None:
            return None
        # Tick 0 is the preparation.
        return max(PREPARATION_TICK + 1, part.clock + 1 if part.in_work else part.clock)

    def reload_embodiments(self) -> None:
        """Read again whom users act for, who has to heed what they ask, and from when on."""
        calls = first_open_ticks(self._constants.simulation_id)
        standing = open_embodiments(self._constants.simulation_id)
        self.users = frozenset(calls) | {one.agent for one in standing}
        for part in self.parts.values():
            called_at = calls.get(part.agent)
            if called_at != part.called_at:
                part.called_at = called_at
                part.quiet = LOUD

    def has_gone(self, agent: str) -> bool:
        """Whether somebody with a clock has left town in the last tick of theirs."""
        return self.town.tile_of(agent, self.parts[agent].clock - 1) is None

    def first_unseen_tick(self, path: str) -> int:
        """Return the first unsettled tick since whose end nobody has had the object in view.

        Whoever has begun a later tick has not perceived it: what happens to it then does not
        change what they did.
        """
        unseen = self.settled + 1
        for part in self.parts.values():
            begun = part.clock if part.in_work else part.clock - 1
            for tick in range(begun - 1, unseen - 1, -1):
                if self._has_in_view(part.agent, path, tick):
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
            for part in self.parts.values():
                part.quiet = LOUD

    def _has_in_view(self, agent: str, path: str, tick: int) -> bool:
        tile = self.town.tile_of(agent, tick)
        if tile is None:
            return False
        vision = self._constants.attention.vision
        in_sight = objects_in_sight(self._constants.world, tile, vision)
        return any(path == seen for seen, _distance in in_sight)

    def add_intervention(self, agent: str, tick: int) -> None:
        """Note that somebody is told something at the tick."""
        part = self.parts[agent]
        part.told |= {tick}
        part.quiet = LOUD

    def can_leave(self, agent: str) -> bool:
        """Whether somebody is in town and would not leave it empty."""
        staying = [
            part.agent
            for part in self.parts.values()
            if part.leaves_at is None and not part.is_visitor
        ]
        return agent in staying and len(staying) > 1

    def is_leaving(self, agent: str) -> bool:
        """Return whether the departure of the agent is scheduled."""
        part = self.parts.get(agent)
        return part is not None and part.leaves_at is not None

    def schedule_departure(self, agent: str, tick: int) -> None:
        """Note that somebody is to leave at the tick."""
        self.parts[agent].leaves_at = tick

    def due_departures(self) -> list[tuple[str, int]]:
        """Return who has come to the tick that they leave at."""
        return [
            (part.agent, part.clock)
            for part in self.parts.values()
            if part.leaves_at is not None and not part.in_work and part.clock >= part.leaves_at
        ]

    def remove_agent(self, agent: str) -> None:
        """Forget the clock of somebody who has left; others still see where they were."""
        part = self.parts.pop(agent)
        self._read_again(part)
        for other in self.parts.values():
            other.leeway.limits.pop(agent, None)
            other.quiet = LOUD

    def _read_departures(self) -> None:
        for agent, tick in scheduled_departures(self._constants.simulation_id).items():
            if agent in self.parts:
                self.schedule_departure(agent, tick)

    def drop(self, turn: DueTurn) -> None:
        """Note that somebody's turn came back without having been written."""
        self.parts[turn.agent].in_work = False

    def advance(self, last_tick: int) -> Iterator[DueTurn]:
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
                max(part.clock, part.quiet.until)
                for part in self.parts.values()
                if not part.in_work and part.clock > last_tick
            ),
            default=None,
        )
