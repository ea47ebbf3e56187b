"""Everybody's clock and what they are about to do, as the conductor has it in mind.

It holds nothing that the rows do not say: it is read from them, and read again for each
person who has taken a turn.
"""

from collections.abc import Iterator

from apps.agents import queries as agent_queries
from apps.simulation.dispatch import DueTurn
from apps.simulation.gate import FAR_FUTURE, Gate, Standpoint, settled_tick
from apps.simulation.opening import closes_now
from apps.simulation.parts import Part, learn, read_parts
from apps.simulation.perception import news_for
from apps.simulation.ports import Constants
from apps.simulation.quiet import LOUD, Quiet, quiet_after
from apps.simulation.residency import departures
from apps.simulation.town import UseSpan, read_town


class Score:
    """Advances clocks over ticks without a turn and finds the turns that are due."""

    def __init__(self, constants: Constants, gate: Gate) -> None:
        """Read everybody's state from the rows."""
        self._constants = constants
        self._gate = gate
        self.parts = read_parts(constants.simulation_id)
        self.town = read_town(
            constants.simulation_id,
            world=constants.world,
            seed=constants.seed,
            from_tick=max(0, self.settled),
        )
        self._read_departures()

    @property
    def clocks(self) -> dict[str, int]:
        """The first unsettled tick of everybody."""
        return {agent: part.clock for agent, part in self.parts.items()}

    @property
    def settled(self) -> int:
        """The last tick that is settled for everybody."""
        return settled_tick(self.clocks)

    @property
    def farthest(self) -> int:
        """The last tick that somebody has settled or is taking a turn in."""
        return max(
            (part.clock if part.in_work else part.clock - 1 for part in self.parts.values()),
            default=0,
        )

    @property
    def next_tick(self) -> int:
        """The tick at which somebody may come to town: nobody has settled it (design 5)."""
        if all(part.is_new and not part.in_work for part in self.parts.values()):
            return 0 if self.settled == 0 else self.settled + 1
        return max(part.clock for part in self.parts.values())

    @property
    def in_work(self) -> int:
        """How many turns are in work."""
        return sum(part.in_work for part in self.parts.values())

    def resume(self, turn: DueTurn) -> None:
        """Note that somebody's turn is in work already, handed out by an earlier conductor."""
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
        part.is_new = False
        part.clock = turn.tick + 1
        self._read_again(part)
        part.quiet = LOUD
        for other in self.parts.values():
            if part.agent in other.quiet.relied_on:
                other.quiet = LOUD
        learn(part, self._constants.simulation_id, turn.tick)

    def _read_again(self, part: Part) -> None:
        simulation_id = self._constants.simulation_id
        # Others who are behind still look at what this person did since the settled tick.
        since = max(0, self.settled - 1)
        tracks = agent_queries.tracks(simulation_id, from_tick=since, agents=[part.agent])
        uses = agent_queries.uses(simulation_id, from_tick=since, agents=[part.agent])
        self.town.replace_agent(
            part.agent, tracks[part.agent], [UseSpan(use, ends) for use, ends in uses]
        )

    def welcome(self, agent: str) -> None:
        """Read what the rows say of somebody who has come to town."""
        part = read_parts(self._constants.simulation_id)[agent]
        self.parts[agent] = part
        self._read_again(part)
        for other in self.parts.values():
            other.quiet = LOUD

    def may_leave(self, agent: str) -> bool:
        """Whether somebody is in town and would not leave it empty."""
        staying = [part.agent for part in self.parts.values() if part.leaves_at is None]
        return agent in staying and len(staying) > 1

    def expect_departure(self, agent: str, tick: int) -> None:
        """Note that somebody is to leave at the tick."""
        self.parts[agent].leaves_at = tick

    def departing(self) -> list[tuple[str, int]]:
        """Return who has come to the tick that they leave at."""
        return [
            (part.agent, part.clock)
            for part in self.parts.values()
            if part.leaves_at is not None and not part.in_work and part.clock >= part.leaves_at
        ]

    def see_off(self, agent: str) -> None:
        """Forget the clock of somebody who has left; others still see where they were."""
        part = self.parts.pop(agent)
        self._read_again(part)
        for other in self.parts.values():
            other.leeway.limits.pop(agent, None)
            other.quiet = LOUD

    def _read_departures(self) -> None:
        for agent, tick in departures(self._constants.simulation_id).items():
            if agent in self.parts:
                self.expect_departure(agent, tick)

    def drop(self, turn: DueTurn) -> None:
        """Note that somebody's turn came back without having been written."""
        self.parts[turn.agent].in_work = False

    def advance(self, last_tick: int) -> Iterator[DueTurn]:
        """Settle ticks without a turn up to and including the last, yield the turns due.

        Whoever has fallen behind goes first, since the others wait for them.
        """
        moved = True
        while moved:
            moved = False
            for part in sorted(self.parts.values(), key=lambda part: (part.clock, part.agent)):
                if part.in_work or self._still_waits(part):
                    continue
                before = part.clock
                if self._run_ahead(part, part.last_of(last_tick)):
                    part.in_work = True
                    yield DueTurn(part.clock, part.agent)
                moved = moved or part.clock != before

    def _run_ahead(self, part: Part, last_tick: int) -> bool:
        """Settle idle ticks of one person; return whether a turn is due at their clock."""
        while part.clock <= last_tick:
            until = self._free_until(part)
            if part.clock > until:
                return False
            if part.clock >= part.quiet.until:
                if self._is_due(part):
                    return True
                part.quiet = self._look_ahead(part)
            # Nobody walks in a quiet tick: what the gate says of the tile holds all along.
            part.clock = min(part.quiet.until, until + 1, last_tick + 1)
        return False

    def _free_until(self, part: Part) -> int:
        """Return a tick that the gate lets the person settle, if it lets their next one."""
        tile = self.town.tile_of(part.agent, part.clock - 1)
        part.leeway.move_to(tile)
        limits = part.leeway.limits
        for other in self.parts.values():
            if other is part or limits.get(other.agent, 0) >= part.clock:
                continue
            limit = self._gate.open_until(tile, (self._standpoint(other),))
            limits[other.agent] = limit
            if limit < part.clock:
                part.waits_for = (other.agent, other.clock)
                return limit
        return min(limits.values(), default=FAR_FUTURE)

    def _still_waits(self, part: Part) -> bool:
        """Whether whoever held the person back at the gate has not moved since."""
        if part.waits_for is None:
            return False
        agent, clock = part.waits_for
        other = self.parts.get(agent)
        if other is not None and other.clock == clock:
            return True
        part.waits_for = None
        return False

    def _standpoint(self, part: Part) -> Standpoint:
        if part.standpoint is None or part.standpoint.clock != part.clock:
            tile = self.town.tile_of(part.agent, part.clock - 1)
            part.standpoint = Standpoint(part.clock, tile)
        return part.standpoint

    def _is_due(self, part: Part) -> bool:
        """Whether the person's next tick wants a turn (design section 5)."""
        before = part.clock - 1
        action = self.town.tracks[part.agent].action_at(before)
        if part.is_new or action is None or action.until_tick <= part.clock:
            return True
        if action.asleep and action.from_tick < before:
            return False
        if action.from_tick == before and self.town.lost_attempt(part.agent, before):
            return True
        if self._closes_now(part):
            return True
        return bool(
            news_for(
                self.town,
                part.agent,
                before,
                known=part.acquainted,
                attention=self._constants.attention,
            )
        )

    def _closes_now(self, part: Part) -> bool:
        constants = self._constants
        return closes_now(
            constants.world.tree,
            constants.calendar,
            person=self.town.tracks[part.agent].name,
            area=self.town.area_of(part.agent, part.clock - 1) or "",
            tick=part.clock,
        )

    def _look_ahead(self, part: Part) -> Quiet:
        """Return the next tick that may want a turn, this one not being due."""
        if not self._gate.passes_over:
            return Quiet(part.clock + 1)
        return quiet_after(
            self._constants,
            self.town,
            part.agent,
            part.clock,
            acquainted=part.acquainted,
            clocks=self.clocks,
        )
