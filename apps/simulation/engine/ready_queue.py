"""The queue of turns that are ready: due, and free by the lookahead policy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.agent_clocks import AgentClock, reached_by_calls
from apps.simulation.engine.idle_window import IdleWindow, idle_window_after
from apps.simulation.engine.lookahead import AgentPosition, LookaheadPolicy
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import knocks_heard, overheard_at, said_in_full_at
from apps.simulation.snapshot.perception import news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


@dataclass(frozen=True, slots=True)
class ReadyQueue:
    """Advances the clocks of a schedule, which it shares, up to the turns that are ready."""

    _constants: Constants
    _lookahead: LookaheadPolicy
    _agents: Mapping[str, AgentClock]
    _snapshot: WorldSnapshot

    def advance(self, last_tick: int) -> Iterator[ReadyTurn]:
        """Pass idle ticks up to and including the last, and yield the turns that are ready.

        The agent farthest behind comes first, since the others wait for it. No agent takes a
        turn before all agents have formed their seed memories, each in a turn of its own.
        """
        unprepared = [clock for clock in self._agents.values() if clock.is_unprepared]
        if unprepared:
            yield from (_submitted(clock) for clock in unprepared if not clock.in_work)
            return
        moved = True
        while moved:
            moved = False
            for clock in sorted(self._agents.values(), key=_order):
                if clock.in_work or self._still_waits(clock):
                    continue
                before = clock.tick
                if self._run_ahead(clock, clock.last_of(last_tick)):
                    yield _submitted(clock)
                moved = moved or clock.tick != before

    def _run_ahead(self, clock: AgentClock, last_tick: int) -> bool:
        """Pass idle ticks of one agent; return whether a turn of it is ready."""
        while clock.tick <= last_tick:
            until = self._free_until(clock)
            if clock.tick > until:
                return False
            if clock.tick >= clock.idle.until:
                if self._is_due(clock):
                    return True
                clock.idle = self._look_ahead(clock)
            # An agent does not walk in an idle tick: its tile, and the limits, stay.
            clock.tick = min(clock.idle.until, until + 1, last_tick + 1)
        return False

    def _free_until(self, clock: AgentClock) -> int:
        """Return the last tick that the lookahead policy allows the agent."""
        tile = self._snapshot.tile_of(clock.agent, clock.tick - 1)
        area = "" if tile is None else self._snapshot.world.map.area_at(tile)
        clock.cache.move_to(tile, area)
        limits = clock.cache.limits
        if len(limits) == len(self._agents) - 1:
            lowest = min(limits.values(), default=FOREVER_TICK)
            if lowest >= clock.tick:
                return lowest
        for other in self._agents.values():
            if other is clock or limits.get(other.agent, 0) >= clock.tick:
                continue
            limit = min(
                self._lookahead.safe_until(tile, (self._position(other),)),
                reached_by_calls(self._constants, self._snapshot, clock, other),
            )
            limits[other.agent] = limit
            if limit < clock.tick:
                clock.waits_for = (other.agent, other.tick)
                return limit
        return min(limits.values(), default=FOREVER_TICK)

    def _still_waits(self, clock: AgentClock) -> bool:
        """Return whether the agent that held this one back has not moved since."""
        if clock.waits_for is None:
            return False
        agent, tick = clock.waits_for
        other = self._agents.get(agent)
        if other is not None and other.tick == tick:
            return True
        clock.waits_for = None
        return False

    def _position(self, clock: AgentClock) -> AgentPosition:
        if clock.position is None or clock.position.clock != clock.tick:
            tile = self._snapshot.tile_of(clock.agent, clock.tick - 1)
            clock.position = AgentPosition(clock.tick, tile)
        return clock.position

    def _is_due(self, clock: AgentClock) -> bool:
        """Return whether the agent's next tick needs a turn."""
        before = clock.tick - 1
        action = self._snapshot.tracks[clock.agent].action_at(before)
        is_reached = clock.has_request or clock.tick in clock.interventions
        if is_reached or action is None or action.until_tick <= clock.tick:
            return True
        if said_in_full_at(self._constants, self._snapshot, clock.agent, clock.tick):
            return True
        if action.asleep and action.from_tick < before and not self._snapshot.set_states:
            return False
        if action.from_tick == before and self._snapshot.lost_attempt(clock.agent, before):
            return True
        if self._closes_now(clock) or (clock.reflects and not action.asleep):
            return True
        distance = self._constants.knock_distance
        known, attention = clock.acquainted, self._constants.attention
        return bool(
            overheard_at(self._constants, self._snapshot, clock.agent, clock.tick)
            or knocks_heard(self._snapshot, clock.agent, before, distance=distance)
            or news_for(self._snapshot, clock.agent, before, known=known, attention=attention)
        )

    def _closes_now(self, clock: AgentClock) -> bool:
        name = self._snapshot.tracks[clock.agent].name
        area = self._snapshot.area_of(clock.agent, clock.tick - 1) or ""
        return self._constants.closes_now(name, area, clock.tick)

    def _look_ahead(self, clock: AgentClock) -> IdleWindow:
        """Return the ticks, from this one on, that need no turn."""
        if not self._lookahead.passes_over:
            return IdleWindow(clock.tick + 1)
        return idle_window_after(
            self._constants,
            self._snapshot,
            clock.agent,
            clock.tick,
            acquainted=clock.acquainted,
            clocks={agent: other.tick for agent, other in self._agents.items()},
            requested=clock.requested_ticks,
        )


def _order(clock: AgentClock) -> tuple[int, str]:
    return clock.tick, clock.agent


def _submitted(clock: AgentClock) -> ReadyTurn:
    """Return the agent's turn, which is in work from now on."""
    clock.in_work = True
    return ReadyTurn(clock.tick, clock.agent)
