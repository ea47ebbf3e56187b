"""The snapshot of a simulation at the end of any recent tick: what turns and lookahead read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.sharing import SetState, Use, holders, state_of
from apps.agents.track import Track
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.voices import Spoken, Talk, Voices
from apps.eventlog.event import EventId
from apps.kernel.ordered import OrderedByKey
from apps.world.node import NodeKind
from apps.world.world import World


@dataclass(frozen=True, slots=True)
class UseSpan:
    """An attempt to use a node, and the first tick at whose end it stands no more."""

    use: Use
    to_tick: int | None

    def stands_at(self, tick: int) -> bool:
        """Whether the attempt stands at the end of the tick."""
        return self.use.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(slots=True)
class WorldSnapshot:
    """Everybody's tracks and attempts over a stretch of ticks, on a world.

    It holds what rows say, with their validity, so that somebody who is behind never sees
    the future of somebody who is ahead.

    Every collection is in canonical order, whatever the order of the calls that filled it:
    nothing that is read from the snapshot depends on which turn was applied first (ADR 19).
    """

    world: World
    seed: int
    tracks: OrderedByKey[str, Track] = field(init=False, default_factory=OrderedByKey)
    uses: OrderedByKey[str, tuple[UseSpan, ...]] = field(
        init=False, default_factory=OrderedByKey
    )
    spoken: OrderedByKey[str, tuple[Spoken, ...]] = field(
        init=False, default_factory=OrderedByKey
    )
    talks: OrderedByKey[str, tuple[Talk, ...]] = field(init=False, default_factory=OrderedByKey)
    set_states: OrderedByKey[str, tuple[SetState, ...]] = field(
        init=False, default_factory=OrderedByKey
    )

    def tile_of(self, agent: str, tick: int) -> Tile | None:
        """Return where somebody stands at the end of the tick; None if not in town."""
        track = self.tracks.get(agent)
        return None if track is None else track.tile_at(tick)

    def area_of(self, agent: str, tick: int) -> str | None:
        """Return the area that somebody stands in at the end of the tick, "" outdoors."""
        tile = self.tile_of(agent, tick)
        return None if tile is None else self.world.map.area_at(tile)

    def holders_of(self, node: str, tick: int) -> tuple[Use, ...]:
        """Return whose use of the node stands at the end of the tick and succeeded."""
        uses = [span.use for span in self.uses.get(node, ()) if span.stands_at(tick)]
        return holders(
            uses,
            node=node,
            holds=self.world.tree.node(node).norms.holds,
            tick=tick,
            seed=self.seed,
        )

    def rooms_held_by(self, agent: str, tick: int) -> list[str]:
        """Return the areas that hold few and count somebody among those inside."""
        return [
            node
            for node, spans in self.uses.items()
            if self.world.tree.node(node).kind is NodeKind.AREA
            and any(span.use.agent == agent and span.stands_at(tick) for span in spans)
        ]

    def is_full(self, node: str, tick: int, *, for_agent: str) -> bool:
        """Whether the node serves as many others as it can at the end of the tick."""
        holds = self.world.tree.node(node).norms.holds
        held_by = [use for use in self.holders_of(node, tick) if use.agent != for_agent]
        return holds is not None and len(held_by) >= holds

    def state_of(self, node: str, tick: int) -> str:
        """Return the state in words of an object at the end of the tick (W4)."""
        idle_state = self.world.tree.node(node).idle_state
        return state_of(
            self.holders_of(node, tick),
            idle_state=idle_state,
            set_state=self.set_state_of(node, tick),
        )

    def set_state_of(self, node: str, tick: int) -> SetState | None:
        """Return the state that a user has set of an object, if one holds then (U3)."""
        standing = [state for state in self.set_states.get(node, ()) if state.stands_at(tick)]
        return standing[-1] if standing else None

    def talk_of(self, agent: str, tick: int) -> Talk | None:
        """Return the conversation that somebody is in at the end of the tick."""
        return next((talk for talk in self.talks.get(agent, ()) if talk.stands_at(tick)), None)

    def spoken_to(self, agent: str) -> list[Spoken]:
        """Return what others have lately said to an agent, in order of tick and speaker."""
        found = [
            said
            for speaker, spoken in self.spoken.items()
            if speaker != agent
            for said in spoken
            if said.to == agent
        ]
        return sorted(found, key=lambda said: (said.tick, said.agent))

    def lost_attempt(self, agent: str, tick: int) -> str | None:
        """Return the node that somebody tried to use in the tick without success, if any."""
        for node, spans in self.uses.items():
            tried = any(
                span.use.agent == agent and span.use.since_tick == tick and span.stands_at(tick)
                for span in spans
            )
            if tried and all(use.agent != agent for use in self.holders_of(node, tick)):
                return node
        return None

    def replace_agent(
        self, agent: str, track: Track, spans: Iterable[UseSpan], voices: Voices
    ) -> None:
        """Take in what the rows now say of one person."""
        self.tracks[agent] = track
        self.hear(voices, of=[agent])
        others = (
            span
            for of_node in self.uses.values()
            for span in of_node
            if span.use.agent != agent
        )
        self.take_in_uses([*others, *spans])

    def take_in_tracks(self, tracks: Iterable[Track]) -> None:
        """Take in where agents are and what they do, each in place of an earlier track."""
        for track in tracks:
            self.tracks[track.agent] = track

    def take_in_uses(self, spans: Iterable[UseSpan]) -> None:
        """Take in the attempts to use nodes, in place of all earlier ones."""
        of_nodes: dict[str, list[UseSpan]] = {}
        for span in spans:
            of_nodes.setdefault(span.use.node, []).append(span)
        self.uses = OrderedByKey(
            (node, tuple(sorted(of_node, key=_order_of_use)))
            for node, of_node in of_nodes.items()
        )

    def take_in_states(self, states: Iterable[SetState]) -> None:
        """Take in the object states that users have set, in place of all earlier ones."""
        of_objects: dict[str, list[SetState]] = {}
        for state in states:
            of_objects.setdefault(state.object, []).append(state)
        self.set_states = OrderedByKey(
            (path, tuple(sorted(of_object, key=_order_of_state)))
            for path, of_object in of_objects.items()
        )

    def hear(self, voices: Voices, *, of: Iterable[str]) -> None:
        """Take in what these agents have said and whom they talk with, in place of earlier."""
        for agent in of:
            said = (said for said in voices.spoken if said.agent == agent)
            talks = (talk for talk in voices.talks if talk.agent == agent)
            self.spoken[agent] = tuple(sorted(said, key=lambda one: one.tick))
            self.talks[agent] = tuple(sorted(talks, key=_order_of_talk))


def _order_of_use(span: UseSpan) -> tuple[str, int, int]:
    return span.use.agent, span.use.since_tick, span.use.from_tick


def _order_of_state(state: SetState) -> tuple[int, int]:
    return state.from_tick, EventId.parse(state.event).ordinal


def _order_of_talk(talk: Talk) -> tuple[int, str]:
    return talk.from_tick, talk.conversation


def read_surroundings(
    simulation_id: UUID,
    agent: str,
    *,
    world: World,
    seed: int,
    tick: int,
    distance: int,
    heard_from_tick: int,
) -> WorldSnapshot:
    """Return what an agent's turn may read of others at the end of the tick (ADR 19).

    Tracks, uses and talks are those of the agents within the distance, in tiles; utterances
    are those addressed to the agent from `heard_from_tick` on. The lookahead policy holds the
    agent back until all of these are on the log.
    """
    near = agent_queries.tracks_near(simulation_id, agent, tick=tick, distance=distance)
    town = WorldSnapshot(world=world, seed=seed)
    town.take_in_tracks(near.values())
    uses = agent_queries.uses(simulation_id, from_tick=tick, to_tick=tick, agents=near)
    town.take_in_uses(_spans(uses))
    town.take_in_states(agent_queries.set_states(simulation_id, from_tick=tick, to_tick=tick))
    spoken = dialogue_queries.utterances(
        simulation_id, from_tick=heard_from_tick, to_tick=tick, to=agent
    )
    # Conversations that are over count too: that another one has left tells that one may go.
    talks = dialogue_queries.talks(
        simulation_id, from_tick=heard_from_tick, to_tick=tick, agents=near
    )
    town.hear(Voices(spoken=spoken, talks=talks), of={*near, *(said.agent for said in spoken)})
    return town


def read_world_snapshot(
    simulation_id: UUID,
    *,
    world: World,
    seed: int,
    from_tick: int,
    to_tick: int | None = None,
    heard_from_tick: int | None = None,
) -> WorldSnapshot:
    """Return the town as its rows say, from the end of a tick on.

    What was said is read from `heard_from_tick` on: it takes time to say it.
    """
    tracks = agent_queries.tracks(simulation_id, from_tick=from_tick, to_tick=to_tick)
    uses = agent_queries.uses(simulation_id, from_tick=from_tick, to_tick=to_tick)
    states = agent_queries.set_states(simulation_id, from_tick=from_tick, to_tick=to_tick)
    voices = dialogue_queries.voices(
        simulation_id,
        from_tick=from_tick if heard_from_tick is None else heard_from_tick,
        to_tick=to_tick,
    )
    town = WorldSnapshot(world=world, seed=seed)
    town.take_in_tracks(tracks.values())
    town.take_in_uses(_spans(uses))
    town.take_in_states(states)
    town.hear(voices, of=voices.agents)
    return town


def _spans(uses: Iterable[tuple[Use, int | None]]) -> Iterator[UseSpan]:
    return (UseSpan(use, ends) for use, ends in uses)
