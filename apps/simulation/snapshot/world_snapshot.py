"""The world at the end of recent ticks: read by the turn, the lookahead and the interface."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.sharing import SetState, Use, holders, state_of
from apps.agents.statements import SET_STATES, USES
from apps.agents.track import Track
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.statements import TALKS, UTTERANCES
from apps.dialogue.utterances import Spoken, Talk, Voices, opening_tick
from apps.eventlog.event import COMMANDS_STREAM, EventId
from apps.kernel.ordered import OrderedByKey
from apps.lineage.statements import history_rows, values_between
from apps.simulation.ports import Constants
from apps.simulation.snapshot.tile_index import TileIndex, box_around
from apps.world.tile_map import Room, chebyshev
from apps.world.tree import NodeKind
from apps.world.world import World

T = TypeVar("T")
# Ended conversations are included: the partner that has left one ends it for the agent.
_SURROUNDINGS = f"""
SELECT 'use', row_to_json(found)::text FROM ({USES}) AS found
UNION ALL SELECT 'state', row_to_json(found)::text FROM ({SET_STATES}) AS found
UNION ALL SELECT 'said', row_to_json(found)::text FROM ({UTTERANCES}) AS found
UNION ALL SELECT 'talk', row_to_json(found)::text FROM ({TALKS}) AS found
"""  # noqa: S608 (parts of statements)
STEPS_AHEAD = 2
"""How many tiles an agent may have gone since a tick that others near it still read."""
Groups: TypeAlias = OrderedByKey[str, tuple[T, ...]]


@dataclass(frozen=True, slots=True)
class UseSpan:
    """An attempt to use a node; it ends at the end of `to_tick` (None: it has not ended)."""

    use: Use
    to_tick: int | None

    def stands_at(self, tick: int) -> bool:
        """Return whether the attempt is in effect at the end of the tick."""
        return self.use.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(slots=True)
class WorldSnapshot:
    """The tracks, uses, utterances and conversations of agents over a range of ticks.

    All questions are about the end of a tick. Everything has its validity in ticks, so that an
    agent that is behind never sees the future of an agent that is ahead. Collections are in
    canonical order, independent of the order in which they were filled (ADR 19).
    """

    world: World
    seed: int
    tracks: OrderedByKey[str, Track] = field(init=False, default_factory=OrderedByKey)
    uses: Groups[UseSpan] = field(init=False, default_factory=OrderedByKey)
    spoken: Groups[Spoken] = field(init=False, default_factory=OrderedByKey)
    talks: Groups[Talk] = field(init=False, default_factory=OrderedByKey)
    set_states: Groups[SetState] = field(init=False, default_factory=OrderedByKey)
    index: TileIndex | None = field(init=False, default=None)
    _nodes_used: dict[str, set[str]] = field(init=False, default_factory=dict)
    _said_to: dict[str, list[Spoken]] | None = field(init=False, default=None)
    _in_calls: dict[str, set[str]] | None = field(init=False, default=None)

    def tracks_near(
        self, tile: Tile, distance: int, room: Room | None = None
    ) -> Iterable[Track]:
        """Return all tracks that can be near the tile, or in the room, in order of slugs.

        The index has where each agent was last: an agent farther behind reads it as it was a
        tick before, if it is near.
        """
        if self.index is None:
            return self.tracks.values()
        box = box_around(tile, distance + STEPS_AHEAD, room, STEPS_AHEAD)
        return [self.tracks[agent] for agent in self.index.within(box)]

    def tile_of(self, agent: str, tick: int) -> Tile | None:
        """Return the tile of the agent; None if it is not in the world."""
        track = self.tracks.get(agent)
        return None if track is None else track.tile_at(tick)

    def area_of(self, agent: str, tick: int) -> str | None:
        """Return the area of the agent, "" outdoors; None if it is not in the world."""
        tile = self.tile_of(agent, tick)
        return None if tile is None else self.world.map.area_at(tile)

    def place_of(self, agent: str, tick: int) -> str:
        """Return the place of an agent: the object used, else its area, else the world."""
        action = self.tracks[agent].action_at(tick)
        used = action.object if action else ""
        return used or self.area_of(agent, tick) or self.world.name

    def occupants_of(self, node: str, tick: int) -> tuple[Use, ...]:
        """Return the uses of the node that are in effect and succeeded."""
        uses = [span.use for span in self.uses.get(node, ()) if span.stands_at(tick)]
        holds = self.world.tree.node(node).norms.holds
        return holders(uses, node=node, holds=holds, tick=tick, seed=self.seed)

    def rooms_occupied_by(self, agent: str, tick: int) -> list[str]:
        """Return the areas of limited capacity that count the agent as an occupant."""
        return [
            node
            for node, spans in self.uses.items()
            if self.world.tree.node(node).kind is NodeKind.AREA
            and any(span.use.agent == agent and span.stands_at(tick) for span in spans)
        ]

    def is_full(self, node: str, tick: int, *, for_agent: str) -> bool:
        """Return whether other agents use the node up to its capacity."""
        holds = self.world.tree.node(node).norms.holds
        others = [use for use in self.occupants_of(node, tick) if use.agent != for_agent]
        return holds is not None and len(others) >= holds

    def state_of(self, node: str, tick: int) -> str:
        """Return the visible state of an object in words (W4)."""
        return state_of(
            self.occupants_of(node, tick),
            idle_state=self.world.tree.node(node).idle_state,
            set_state=self.set_state_of(node, tick),
        )

    def set_state_of(self, node: str, tick: int) -> SetState | None:
        """Return the state that a user has set of an object, None without one (U3)."""
        states = [state for state in self.set_states.get(node, ()) if state.stands_at(tick)]
        return states[-1] if states else None

    def talk_of(self, agent: str, tick: int) -> Talk | None:
        """Return the conversation that the agent is in."""
        return next((talk for talk in self.talks.get(agent, ()) if talk.stands_at(tick)), None)

    def spoken_to(self, agent: str) -> list[Spoken]:
        """Return the recent utterances to the agent, in order of tick and speaker."""
        if self._said_to is None:
            self._said_to = defaultdict(list)
            for spoken in self.spoken.values():
                for said in spoken:
                    for hearer in {*said.hearers} - {said.agent}:
                        self._said_to[hearer].append(said)
            for heard in self._said_to.values():
                heard.sort(key=lambda said: (said.tick, said.agent))
        return self._said_to.get(agent, [])

    def in_call_with(self, agent: str) -> Collection[str]:
        """Return the agents that the agent calls, or that call it, as of their last turns."""
        if self._in_calls is None:
            self._in_calls = defaultdict(set)
            for talks in self.talks.values():
                for talk in talks:
                    if talk.by_phone and talk.to_tick is None:
                        self._in_calls[talk.agent].add(talk.other)
                        self._in_calls[talk.other].add(talk.agent)
        return self._in_calls.get(agent, ())

    def lost_attempt(self, agent: str, tick: int) -> str | None:
        """Return the node that the agent attempted to use in the tick without success."""
        for node in sorted(self._nodes_used.get(agent, ())):
            is_attempted = any(
                span.use.agent == agent and span.use.since_tick == tick and span.stands_at(tick)
                for span in self.uses.get(node, ())
            )
            if is_attempted and all(
                use.agent != agent for use in self.occupants_of(node, tick)
            ):
                return node
        return None

    def replace_agent(self, agent: str, track: Track, spans: Iterable[UseSpan]) -> None:
        """Replace where one agent was, what it did and what it used."""
        self.tracks[agent] = track
        by_node = defaultdict(list)
        for span in spans:
            by_node[span.use.node].append(span)
        for node in {*self._nodes_used.get(agent, ()), *by_node}:
            others = (span for span in self.uses.get(node, ()) if span.use.agent != agent)
            of_node = sorted([*others, *by_node.get(node, ())], key=_order_of_use)
            if of_node:
                self.uses[node] = tuple(of_node)
            else:
                del self.uses[node]
        self._nodes_used[agent] = set(by_node)

    def replace_tracks(self, tracks: Iterable[Track]) -> None:
        """Add the tracks, each in place of an earlier track of its agent."""
        for track in tracks:
            self.tracks[track.agent] = track

    def replace_uses(self, spans: Iterable[UseSpan]) -> None:
        """Replace all uses of nodes."""
        self.uses = _grouped(spans, by=lambda span: span.use.node, order=_order_of_use)
        self._nodes_used = defaultdict(set)
        for node, of_node in self.uses.items():
            for span in of_node:
                self._nodes_used[span.use.agent].add(node)

    def replace_states(self, states: Iterable[SetState]) -> None:
        """Replace all object states that users have set."""
        self.set_states = _grouped(states, by=lambda state: state.object, order=_order_of_state)

    def replace_voices(self, voices: Voices, *, of: Iterable[str]) -> None:
        """Replace the utterances and conversations of these agents."""
        self._said_to = self._in_calls = None
        for agent in of:
            said = (said for said in voices.spoken if said.agent == agent)
            talks = (talk for talk in voices.talks if talk.agent == agent)
            self.spoken[agent] = tuple(sorted(said, key=lambda one: one.tick))
            self.talks[agent] = tuple(sorted(talks, key=_order_of_talk))


def read_surroundings(constants: Constants, agent: str, *, tick: int) -> WorldSnapshot:
    """Return what an agent's turn may read of others at the end of the tick (ADR 19).

    Tracks, uses and conversations are those of the agents within vision + reach, and of those
    in the same room; utterances are theirs, and those to the agent, that may still be heard.
    Calls to the agent are included that have rung by its turn. The lookahead policy holds the
    agent back until all of these are in the log.
    """
    simulation_id = constants.simulation_id
    tile_map, distance = constants.world.map, constants.settings.vision + constants.reach
    rung_from_tick = tick + 1 - constants.ring_ticks

    def is_near(here: Tile, there: Tile) -> bool:
        room = tile_map.room_at(here)
        return chebyshev(here, there) <= distance or (
            room is not None and room == tile_map.room_at(there)
        )

    near = agent_queries.tracks_near(simulation_id, agent, tick=tick, is_near=is_near)
    snapshot = WorldSnapshot(world=constants.world, seed=constants.seed)
    snapshot.replace_tracks(near.values())
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    values = {
        **values_between(simulation_id, tick, tick, near),
        "heard_from_tick": tick - constants.voice_ticks,
        "agent": agent,
    }
    for kind, row in history_rows(_SURROUNDINGS, values, simulation_id):
        found[kind].append(json.loads(row))
    snapshot.replace_uses(
        UseSpan(to_tick=row.pop("to_tick"), use=Use(**row)) for row in found["use"]
    )
    snapshot.replace_states(SetState(**row) for row in found["state"])
    spoken, talks = (
        (Spoken(**row) for row in found["said"]),
        (Talk(**row) for row in found["talk"]),
    )
    voices = Voices(
        spoken=tuple(said for said in spoken if not said.rings or said.tick <= rung_from_tick),
        talks=tuple(
            talk
            for talk in talks
            if talk.agent in near or opening_tick(talk.conversation) <= rung_from_tick
        ),
    )
    snapshot.replace_voices(voices, of={*near, *voices.agents})
    return snapshot


def read_world_snapshot(
    simulation_id: UUID,
    *,
    world: World,
    seed: int,
    from_tick: int,
    to_tick: int | None = None,
    heard_from_tick: int | None = None,
) -> WorldSnapshot:
    """Return the world from the end of a tick on.

    Utterances are read from `heard_from_tick` on, since it takes ticks to say one.
    """
    snapshot = WorldSnapshot(world=world, seed=seed)
    tracks = agent_queries.tracks(simulation_id, from_tick=from_tick, to_tick=to_tick)
    snapshot.replace_tracks(tracks.values())
    snapshot.replace_uses(read_uses(simulation_id, from_tick=from_tick, to_tick=to_tick))
    states = agent_queries.set_states(simulation_id, from_tick=from_tick, to_tick=to_tick)
    snapshot.replace_states(states)
    heard_from = from_tick if heard_from_tick is None else heard_from_tick
    voices = dialogue_queries.voices(simulation_id, from_tick=heard_from, to_tick=to_tick)
    snapshot.replace_voices(voices, of=voices.agents)
    return snapshot


def read_uses(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> list[UseSpan]:
    """Return the uses of nodes from the end of a tick on."""
    uses = agent_queries.uses(
        simulation_id, from_tick=from_tick, to_tick=to_tick, agents=agents
    )
    return [UseSpan(use, to_tick) for use, to_tick in uses]


def _grouped(
    items: Iterable[T], *, by: Callable[[T], str], order: Callable[[T], Any]
) -> Groups[T]:
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(by(item), []).append(item)
    return OrderedByKey((key, tuple(sorted(group, key=order))) for key, group in groups.items())


def _order_of_use(span: UseSpan) -> tuple[str, int, int]:
    return span.use.agent, span.use.since_tick, span.use.from_tick


def _order_of_state(state: SetState) -> tuple[int, str, int]:
    """Return the canonical order; states that users set come after those left by agents."""
    event = EventId.parse(state.event)
    stream = "~" if event.stream == COMMANDS_STREAM else event.stream
    return state.from_tick, stream, event.ordinal


def _order_of_talk(talk: Talk) -> tuple[int, str]:
    return talk.from_tick, talk.conversation
