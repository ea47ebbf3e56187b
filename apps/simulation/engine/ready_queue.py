"""Whose turn is due: how far each person goes by themselves, and what makes them stop."""

from collections.abc import Iterable, Iterator, Mapping

from apps.simulation.engine.agent_clock import Part
from apps.simulation.engine.dispatch import DueTurn
from apps.simulation.engine.idle_window import Quiet, quiet_after
from apps.simulation.engine.lookahead import FAR_FUTURE, Gate, Standpoint
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import said_in_full_at
from apps.simulation.snapshot.opening_hours import closes_now
from apps.simulation.snapshot.perception import news_for
from apps.simulation.snapshot.world_snapshot import Town


class DueTurns:
    """Advances the clocks of a score's parts, which it shares, up to the turns that are due."""

    def __init__(
        self, constants: Constants, gate: Gate, parts: Mapping[str, Part], town: Town
    ) -> None:
        """Look at the parts and the town as they stand whenever asked."""
        self._constants = constants
        self._gate = gate
        self._parts = parts
        self._town = town

    def advance(self, last_tick: int) -> Iterator[DueTurn]:
        """Settle ticks without a turn up to and including the last, yield the turns due.

        Whoever has fallen behind goes first, since the others wait for them. No agent takes a
        turn before all agents have their seed memories.
        """
        unprepared = [part for part in self._parts.values() if part.is_unprepared]
        if unprepared:
            yield from self._prepare(unprepared)
            return
        moved = True
        while moved:
            moved = False
            for part in sorted(self._parts.values(), key=lambda part: (part.clock, part.agent)):
                if part.in_work or self._still_waits(part):
                    continue
                before = part.clock
                if self._run_ahead(part, part.last_of(last_tick)):
                    part.in_work = True
                    yield DueTurn(part.clock, part.agent)
                moved = moved or part.clock != before

    @staticmethod
    def _prepare(unprepared: Iterable[Part]) -> Iterator[DueTurn]:
        """Yield the turn that forms the seed memories of each agent without them."""
        for part in sorted(unprepared, key=lambda part: part.agent):
            if not part.in_work:
                part.in_work = True
                yield DueTurn(part.clock, part.agent)

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
        tile = self._town.tile_of(part.agent, part.clock - 1)
        part.leeway.move_to(tile)
        limits = part.leeway.limits
        for other in self._parts.values():
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
        other = self._parts.get(agent)
        if other is not None and other.clock == clock:
            return True
        part.waits_for = None
        return False

    def _standpoint(self, part: Part) -> Standpoint:
        if part.standpoint is None or part.standpoint.clock != part.clock:
            tile = self._town.tile_of(part.agent, part.clock - 1)
            part.standpoint = Standpoint(part.clock, tile)
        return part.standpoint

    def _is_due(self, part: Part) -> bool:
        """Whether the person's next tick wants a turn (design section 5)."""
        before = part.clock - 1
        action = self._town.tracks[part.agent].action_at(before)
        is_told = part.is_called or part.clock in part.told
        if is_told or action is None or action.until_tick <= part.clock:
            return True
        if said_in_full_at(self._constants, self._town, part.agent, part.clock):
            return True
        if action.asleep and action.from_tick < before and not self._town.set_states:
            return False
        if action.from_tick == before and self._town.lost_attempt(part.agent, before):
            return True
        if self._closes_now(part) or (part.reflects and not action.asleep):
            return True
        return bool(
            news_for(
                self._town,
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
            person=self._town.tracks[part.agent].name,
            area=self._town.area_of(part.agent, part.clock - 1) or "",
            tick=part.clock,
        )

    def _look_ahead(self, part: Part) -> Quiet:
        """Return the next tick that may want a turn, this one not being due."""
        if not self._gate.passes_over:
            return Quiet(part.clock + 1)
        return quiet_after(
            self._constants,
            self._town,
            part.agent,
            part.clock,
            acquainted=part.acquainted,
            clocks={agent: other.clock for agent, other in self._parts.items()},
            wanted=part.wanted,
        )
