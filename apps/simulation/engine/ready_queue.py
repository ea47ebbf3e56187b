"""The queue of turns that are ready: due, and free by the lookahead policy (design 5)."""

from collections.abc import Iterable, Iterator, Mapping

from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.agent_clock import AgentClock
from apps.simulation.engine.dispatch import ReadyTurn
from apps.simulation.engine.idle_window import IdleWindow, idle_window_after
from apps.simulation.engine.lookahead import AgentPosition, LookaheadPolicy
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import said_in_full_at
from apps.simulation.snapshot.opening_hours import closes_now
from apps.simulation.snapshot.perception import news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


class ReadyQueue:
    """Advances the clocks of a schedule, which it shares, up to the turns that are ready."""

    def __init__(
        self,
        constants: Constants,
        lookahead: LookaheadPolicy,
        agents: Mapping[str, AgentClock],
        town: WorldSnapshot,
    ) -> None:
        """Keep what the clocks are advanced by; nothing is copied."""
        self._constants = constants
        self._lookahead = lookahead
        self._agents = agents
        self._town = town

    def advance(self, last_tick: int) -> Iterator[ReadyTurn]:
        """Pass idle ticks up to and including the last, and yield the turns that are ready.

        The agent farthest behind comes first, since the others wait for it. No agent takes a
        turn before all agents have their seed memories.
        """
        unprepared = [clock for clock in self._agents.values() if clock.is_unprepared]
        if unprepared:
            yield from self._prepare(unprepared)
            return
        moved = True
        while moved:
            moved = False
            for clock in sorted(
                self._agents.values(),
                key=lambda clock: (clock.tick, clock.agent),
            ):
                if clock.in_work or self._still_waits(clock):
                    continue
                before = clock.tick
                if self._run_ahead(clock, clock.last_of(last_tick)):
                    clock.in_work = True
                    yield ReadyTurn(clock.tick, clock.agent)
                moved = moved or clock.tick != before

    @staticmethod
    def _prepare(unprepared: Iterable[AgentClock]) -> Iterator[ReadyTurn]:
        """Yield the turn that forms the seed memories of each agent without them."""
        for clock in sorted(unprepared, key=lambda clock: clock.agent):
            if not clock.in_work:
                clock.in_work = True
                yield ReadyTurn(clock.tick, clock.agent)

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
        tile = self._town.tile_of(clock.agent, clock.tick - 1)
        clock.cache.move_to(tile)
        limits = clock.cache.limits
        for other in self._agents.values():
            if other is clock or limits.get(other.agent, 0) >= clock.tick:
                continue
            limit = self._lookahead.safe_until(tile, (self._position(other),))
            limits[other.agent] = limit
            if limit < clock.tick:
                clock.waits_for = (other.agent, other.tick)
                return limit
        return min(limits.values(), default=FOREVER_TICK)

    def _still_waits(self, clock: AgentClock) -> bool:
        """Whether the agent that held this one back has not moved since."""
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
            tile = self._town.tile_of(clock.agent, clock.tick - 1)
            clock.position = AgentPosition(clock.tick, tile)
        return clock.position

    def _is_due(self, clock: AgentClock) -> bool:
        """Whether the agent's next tick needs a turn (design section 5)."""
        before = clock.tick - 1
        action = self._town.tracks[clock.agent].action_at(before)
        is_reached = clock.has_request or clock.tick in clock.interventions
        if is_reached or action is None or action.until_tick <= clock.tick:
            return True
        if said_in_full_at(self._constants, self._town, clock.agent, clock.tick):
            return True
        if action.asleep and action.from_tick < before and not self._town.set_states:
            return False
        if action.from_tick == before and self._town.lost_attempt(clock.agent, before):
            return True
        if self._closes_now(clock) or (clock.reflects and not action.asleep):
            return True
        return bool(
            news_for(
                self._town,
                clock.agent,
                before,
                known=clock.acquainted,
                attention=self._constants.attention,
            )
        )

    def _closes_now(self, clock: AgentClock) -> bool:
        constants = self._constants
        return closes_now(
            constants.world.tree,
            constants.calendar,
            person=self._town.tracks[clock.agent].name,
            area=self._town.area_of(clock.agent, clock.tick - 1) or "",
            tick=clock.tick,
        )

    def _look_ahead(self, clock: AgentClock) -> IdleWindow:
        """Return the ticks, from this one on, that need no turn."""
        if not self._lookahead.passes_over:
            return IdleWindow(clock.tick + 1)
        return idle_window_after(
            self._constants,
            self._town,
            clock.agent,
            clock.tick,
            acquainted=clock.acquainted,
            clocks={agent: other.tick for agent, other in self._agents.items()},
            requested=clock.requested_ticks,
        )
