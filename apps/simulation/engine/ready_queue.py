"""The queue of turns that are ready: due, and free by the lookahead policy.

Each agent has a tick in which it may act next: that of its turn in work, or the end of its idle
window. Agents are checked in the order of these ticks, so that ticks in which nobody can act
cost nothing. An agent that another one may still affect waits until that one has moved.

A call reaches the other agent when it has rung: in a world with telephones nobody runs farther
ahead of another agent than that. The two agents of a call stay together (ADR 40).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.agent_clocks import AgentClock, AgentClocks
from apps.simulation.engine.idle_window import IdleWindow, idle_window_after
from apps.simulation.engine.lookahead import LookaheadPolicy
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import knocks_heard, overheard_at, said_in_full_at
from apps.simulation.snapshot.perception import news_for
from apps.simulation.snapshot.tile_index import TileIndex
from apps.simulation.snapshot.world_snapshot import WorldSnapshot

_ByTick = list[tuple[int, str]]


@dataclass(slots=True)
class ReadyQueue:
    """Advances the clocks of a schedule, which it shares, up to the turns that are ready.

    `_checks` are the agents to check, by the tick in which they may act next, without those
    that wait for another one (`_waiting`, by that one) or have a turn in work; `_acts` are all
    agents by that tick. Both are heaps, in which entries of former ticks are skipped.
    """

    _constants: Constants
    _lookahead: LookaheadPolicy
    _clocks: AgentClocks
    _snapshot: WorldSnapshot
    _index: TileIndex = field(default_factory=TileIndex)
    _checks: _ByTick = field(default_factory=list)
    _acts: _ByTick = field(default_factory=list)
    _waiting: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        """Place all agents; those that have left are seen by others that are behind."""
        for agent, track in self._snapshot.tracks.items():
            tiles = [tile for movement in track.movements for tile in movement.steps[-1:]]
            self._index.place(agent, tiles[-1] if tiles else None)
        self._snapshot.index = self._index

    def advance(self, last_tick: int) -> Iterator[ReadyTurn]:
        """Pass idle ticks up to and including the last, and yield the turns that are ready.

        The agent farthest behind comes first, since the others wait for it. No agent takes a
        turn before all agents have formed their seed memories, each in a turn of its own.
        """
        self._take_in_changes()
        if not self._clocks.is_prepared:
            unprepared = [one for one in self._clocks.agents.values() if one.is_unprepared]
            yield from (_submitted(clock) for clock in unprepared if not clock.in_work)
            return
        while (clock := self._next_check(last_tick)) is not None:
            before, clock.tick = clock.tick, clock.acts_from
            other = self._who_may_affect(clock)
            if other is not None:
                clock.tick = before
                self._waiting[other].add(clock.agent)
            elif clock.is_at_departure:
                continue
            elif self._is_due(clock):
                yield _submitted(clock)
            else:
                self._pass_tick(clock)
        self._clocks.pass_idle_ticks(min(self._first_act(), last_tick + 1))

    def _next_check(self, last_tick: int) -> AgentClock | None:
        """Take the agent to check next from the queue, None if none is to act by the tick."""
        while self._checks:
            tick, agent = self._checks[0]
            clock = self._clocks.agents.get(agent)
            if clock is None or clock.in_work or clock.acts_from != tick:
                heappop(self._checks)
            elif tick > min(last_tick, self._first_act() + self._ring_ticks):
                return None
            else:
                heappop(self._checks)
                return clock
        return None

    def _first_act(self) -> int:
        """Return the first tick in which any agent may act: nothing changes before."""
        while self._acts:
            tick, agent = self._acts[0]
            clock = self._clocks.agents.get(agent)
            if clock is not None and clock.acts_from == tick:
                return tick
            heappop(self._acts)
        return FOREVER_TICK

    @property
    def _ring_ticks(self) -> int:
        """How far an agent may be ahead of any other: words on the telephone reach it then."""
        return self._constants.ring_ticks - 1 if self._constants.world.phones else FOREVER_TICK

    def _take_in_changes(self) -> None:
        """Queue the agents whose clock or window has been changed."""
        for agent in sorted(self._clocks.changed):
            clock = self._clocks.agents.get(agent)
            if clock is None:
                self._release(agent)
            else:
                self._queue(clock)
        self._clocks.changed.clear()

    def _queue(self, clock: AgentClock) -> None:
        """Queue an agent whose clock has moved, and those that may be affected by that."""
        agent, was_at = clock.agent, self._index.tile_of(clock.agent)
        tile = self._snapshot.tile_of(agent, clock.tick - 1)
        self._index.place(agent, tile)
        if tile != was_at or clock.has_acted:
            self._wake_near(clock)
        clock.has_acted = False
        self._push(clock)
        self._release(agent)

    def _push(self, clock: AgentClock) -> None:
        heappush(self._checks, (clock.acts_from, clock.agent))
        heappush(self._acts, (clock.acts_from, clock.agent))

    def _release(self, agent: str) -> None:
        """Check the agents again that waited for one that has moved."""
        for other in self._waiting.pop(agent, ()):
            clock = self._clocks.agents.get(other)
            if clock is not None:
                heappush(self._checks, (clock.acts_from, other))

    def _wake_near(self, clock: AgentClock) -> None:
        """End the idle windows of agents for whom an agent has moved or acted."""
        box = self._lookahead.box_around(self._index.tile_of(clock.agent), 1)
        for other in self._index.within(box):
            its_clock = self._clocks.agents.get(other)
            if its_clock is None or its_clock is clock or its_clock.in_work:
                continue
            if its_clock.idle.ends_by_others and its_clock.acts_from > clock.tick:
                its_clock.idle = IdleWindow(clock.tick)
                self._push(its_clock)

    def _who_may_affect(self, clock: AgentClock) -> str | None:
        """Return an agent that may act before, and affect, the next turn of an agent.

        An agent that cannot act by itself until the turn may be affected by a third one, which
        is looked for in turn. The clocks of those that nobody can affect are moved.
        """
        needed = {clock.agent: clock.tick}
        queue = [(-clock.tick, clock.agent)]
        first = self._first_act()
        while queue:
            tick, agent = -queue[0][0], heappop(queue)[1]
            # What reaches an agent in a tick can have an effect on others in the next one.
            later = 0 if agent == clock.agent else 1
            tile = self._index.tile_of(agent)
            calls = self._snapshot.in_call_with(agent)
            near = self._index.within(self._lookahead.box_around(tile, tick - first))
            for other in {*near, *calls} if calls else near:
                its_clock = self._clocks.agents.get(other)
                if its_clock is None or other == agent:
                    continue
                ahead = 0
                if other not in calls:
                    ahead = self._lookahead.ticks_ahead(tile, self._index.tile_of(other))
                until = tick - ahead - later
                if until <= max(first, its_clock.tick, needed.get(other, 0)):
                    continue
                if its_clock.acts_from < until:
                    return other
                needed[other] = until
                heappush(queue, (-until, other))
        for agent, tick in needed.items():
            self._clocks.agents[agent].tick = max(tick, self._clocks.agents[agent].tick)
        return None

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

    def _pass_tick(self, clock: AgentClock) -> None:
        """Pass a tick in which no turn is due, and find the next one to check."""
        clock.idle = IdleWindow(clock.tick + 1)
        if self._lookahead.passes_over:
            clock.idle = idle_window_after(
                self._constants,
                self._snapshot,
                clock.agent,
                clock.tick,
                acquainted=clock.acquainted,
                requested=clock.requested_ticks,
            )
        clock.tick += 1
        self._queue(clock)


def _submitted(clock: AgentClock) -> ReadyTurn:
    """Return the agent's turn, which is in work from now on."""
    clock.in_work = True
    return ReadyTurn(clock.tick, clock.agent)
