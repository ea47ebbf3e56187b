"""The schedule of one simulation in memory: its agents' clocks and the world that they read.

It holds nothing that the rows do not: it is read from them, and reloaded for each agent that
has taken a turn.
"""

from collections.abc import Collection, Iterator

from apps.agents import queries as agent_queries
from apps.agents.events import ActionBegan, AgentJoined, Noticed, PlacesLearnt
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.models import CONVERSATIONS
from apps.eventlog.event import Event
from apps.memory.projections import MEMORY_STREAM
from apps.reflection.models import REFLECTIONS
from apps.reflection.queries import importance_since_last
from apps.reflection.rules import is_due
from apps.simulation.commands.agents import scheduled_departures
from apps.simulation.embodiment.queries import first_open_ticks, open_embodiments
from apps.simulation.engine.agent_clocks import (
    AgentClock,
    AgentClocks,
    read_acquainted,
    read_agent_clocks,
)
from apps.simulation.engine.lookahead import DistanceLookahead, LookaheadPolicy
from apps.simulation.engine.ready_queue import ReadyQueue
from apps.simulation.engine.turn_executors import ReadyTurn, Written
from apps.simulation.ports import Constants
from apps.simulation.snapshot.perception import objects_in_sight
from apps.simulation.snapshot.world_snapshot import read_uses, read_world_snapshot

# The events that change what agents have seen, and the importance of what they perceived (R1).
# A begun action is a perception, as each sight is.
_SIGHTS = frozenset({AgentJoined, Noticed, PlacesLearnt})
_IMPORTANCE = {*MEMORY_STREAM.handlers, *REFLECTIONS.handlers, *_SIGHTS, ActionBegan}


def lookahead_of(constants: Constants) -> DistanceLookahead:
    """Return the policy of a simulation."""
    return DistanceLookahead(
        vision=constants.settings.vision,
        reach=constants.reach,
        room_at=constants.world.map.room_at,
    )


class ScheduleState(AgentClocks):
    """Advances clocks over ticks without a turn, and finds the turns that are ready.

    It is the `Schedule` that commands read and change. `embodied` are the agents that users
    control, or whose action requests are open.
    """

    def __init__(self, constants: Constants, lookahead: LookaheadPolicy) -> None:
        """Read the state of all agents from the rows."""
        self._constants = constants
        self._simulation_id = constants.simulation_id
        super().__init__(read_agent_clocks(self._simulation_id))
        self.embodied: frozenset[str] = frozenset()
        self.snapshot = read_world_snapshot(
            self._simulation_id,
            world=constants.world,
            seed=constants.seed,
            from_tick=self.committed_tick,
            heard_from_tick=max(0, self.committed_tick - constants.voice_ticks),
        )
        for clock in self.agents.values():
            self._reload_reflection(clock)
        for agent, tick in scheduled_departures(self._simulation_id).items():
            if agent in self.agents:
                self.schedule_departure(agent, tick)
        self.reload_embodiments()
        self._ready = ReadyQueue(constants, lookahead, self, self.snapshot)

    def first_unseen_tick(self, path: str) -> int:
        """Return the first uncommitted tick after which no agent has had the object in view.

        An alarming state is seen from all of a room. Turns of later ticks have not perceived
        the object, so that they do not depend on it.
        """
        unseen = self.committed_tick + 1
        for clock in self.agents.values():
            for tick in range(clock.begun_tick - 1, unseen - 1, -1):
                if self._has_in_view(clock.agent, path, tick):
                    unseen = tick + 1
                    break
        return unseen

    def _has_in_view(self, agent: str, path: str, tick: int) -> bool:
        tile = self.snapshot.tile_of(agent, tick)
        if tile is None:
            return False
        world, vision = self._constants.world, self._constants.attention.vision
        room = world.map.room_at(tile)
        if room is not None and room.area == world.tree.area_of(path):
            return True
        return any(path == seen for seen, _distance in objects_in_sight(world, tile, vision))

    def advance(self, last_tick: int) -> Iterator[ReadyTurn]:
        """Pass idle ticks up to and including the last, and yield the turns that are ready."""
        return self._ready.advance(last_tick)

    def apply(self, turn: ReadyTurn, written: Written = None) -> None:
        """Reload the agent, whose turn has been written, and advance its clock.

        Of rows that no event of the types `written` changes nothing is read; None is any type.
        """
        clock = self.agents[turn.agent]
        clock.in_work = False
        clock.tick = turn.tick + 1
        clock.has_acted = True
        self._reload(clock, written)
        self.wake(turn.agent)
        if _changes(_SIGHTS, written):
            seen = read_acquainted(
                self._simulation_id, turn.agent, as_of_tick=turn.tick, since_tick=turn.tick
            )
            clock.acquainted.agents |= seen.agents
            clock.acquainted.objects |= seen.objects
        if clock.requests_from is not None:
            self.reload_embodiments()

    def add_agent(self, agent: str) -> None:
        """Read the rows of an agent that has joined."""
        clock = read_agent_clocks(self._simulation_id)[agent]
        self.agents[agent] = clock
        self._reload(clock)
        self._wake_all()

    def has_left(self, agent: str) -> bool:
        """Return whether an agent with a clock has left in its last turn."""
        return self.snapshot.tile_of(agent, self.agents[agent].tick - 1) is None

    def remove_agent(self, agent: str) -> None:
        """Forget the clock of an agent that has left; its past positions stay visible."""
        clock = self.agents.pop(agent)
        self._reload(clock)
        self.changed.add(agent)
        self._wake_all()

    def reload_embodiments(self) -> None:
        """Read again which agents users control, and the open action requests."""
        requests = first_open_ticks(self._simulation_id)
        embodiments = open_embodiments(self._simulation_id)
        self.embodied = frozenset(requests) | {one.agent for one in embodiments}
        for clock in self.agents.values():
            requests_from = requests.get(clock.agent)
            if requests_from != clock.requests_from:
                clock.requests_from = requests_from
                self.wake(clock.agent)

    def reload_object_states(self) -> None:
        """Read again which object states users have set."""
        before = self.snapshot.set_states
        self.snapshot.replace_states(
            agent_queries.set_states(self._simulation_id, from_tick=self._since_tick)
        )
        if self.snapshot.set_states != before:
            self._wake_all()

    @property
    def _since_tick(self) -> int:
        """The tick from whose end on agents that are behind may still read the world."""
        return max(0, self.committed_tick - 1)

    def _reload(self, clock: AgentClock, written: Written = None) -> None:
        """Read those rows of the agent again that events of the types may have changed."""
        of_agent = [clock.agent]
        tracks = agent_queries.tracks(
            self._simulation_id, from_tick=self._since_tick, agents=of_agent
        )
        uses = read_uses(self._simulation_id, from_tick=self._since_tick, agents=of_agent)
        self.snapshot.replace_agent(clock.agent, tracks[clock.agent], uses)
        has_left = any(action.act.leaves_thing for action in tracks[clock.agent].actions)
        if has_left or self.snapshot.set_states:
            self.reload_object_states()  # the agent may have left or ended one
        was_heard = self.snapshot.spoken.get(clock.agent) or self.snapshot.talks.get(
            clock.agent
        )
        if was_heard or _changes(CONVERSATIONS.handlers, written):
            self._reload_voices(clock)
        if _changes(_IMPORTANCE, written):
            self._reload_reflection(clock)

    def _reload_voices(self, clock: AgentClock) -> None:
        voices = dialogue_queries.voices(
            self._simulation_id,
            from_tick=max(0, self.committed_tick - self._constants.voice_ticks),
            agents=[clock.agent],
        )
        self.snapshot.replace_voices(voices, of=[clock.agent])
        for said in voices.spoken:
            for hearer in self.agents.keys() & set(said.hearers):
                self.wake(hearer)

    def _reload_reflection(self, clock: AgentClock) -> None:
        """Note whether a reflection may be due; only the agent's own turns change that (R1).

        A turn in which it may be due rates what it depends on (ADR 30).
        """
        importance = importance_since_last(
            self._simulation_id, clock.agent, as_of_tick=clock.tick - 1
        )
        clock.reflects = is_due(importance.most, self._constants.settings.reflection_threshold)

    def _wake_all(self) -> None:
        for agent in self.agents:
            self.wake(agent)


def _changes(types: Collection[type[Event]], written: Written) -> bool:
    """Return whether an event of one of the types may have been written."""
    return written is None or not written.isdisjoint(types)
