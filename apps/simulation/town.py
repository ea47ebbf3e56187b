"""The town as it stood at the end of any recent tick: what turns see and the gate weighs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.sharing import SetState, Use, holders, state_of
from apps.agents.track import Track
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.voices import Spoken, Talk, Voices
from apps.world.node import Kind
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
class Town:
    """Everybody's tracks and attempts over a stretch of ticks, on a world.

    It holds what rows say, with their validity, so that somebody who is behind never sees
    the future of somebody who is ahead.
    """

    world: World
    seed: int
    tracks: dict[str, Track] = field(default_factory=dict)
    uses: dict[str, list[UseSpan]] = field(default_factory=dict)
    spoken: dict[str, tuple[Spoken, ...]] = field(default_factory=dict)
    talks: dict[str, tuple[Talk, ...]] = field(default_factory=dict)
    set_states: dict[str, list[SetState]] = field(default_factory=dict)

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
            if self.world.tree.node(node).kind is Kind.AREA
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

    def spoken_to(self, agent: str) -> Iterable[Spoken]:
        """Yield what others have lately said to somebody."""
        for speaker, spoken in self.spoken.items():
            if speaker != agent:
                yield from (said for said in spoken if said.to == agent)

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
        self.hear(agent, voices)
        for of_node in self.uses.values():
            of_node[:] = [span for span in of_node if span.use.agent != agent]
        for span in spans:
            self.uses.setdefault(span.use.node, []).append(span)
        self.uses = {node: of_node for node, of_node in self.uses.items() if of_node}

    def take_in_states(self, states: Iterable[SetState]) -> None:
        """Take in the object states that users have set."""
        self.set_states = {}
        for state in states:
            self.set_states.setdefault(state.object, []).append(state)

    def hear(self, agent: str, voices: Voices) -> None:
        """Take in what one person has said, and whom they talk with."""
        self.spoken[agent] = tuple(said for said in voices.spoken if said.agent == agent)
        self.talks[agent] = tuple(talk for talk in voices.talks if talk.agent == agent)


def read_surroundings(
    simulation_id: UUID,
    agent: str,
    *,
    world: World,
    seed: int,
    tick: int,
    distance: int,
    heard_from_tick: int,
) -> Town:
    """Return the town at the end of the tick as far as so many tiles from somebody.

    Nobody farther off has to have come to this tick when a turn is taken (see the gate).
    What was said is read from `heard_from_tick` on.
    """
    near = agent_queries.tracks_near(simulation_id, agent, tick=tick, distance=distance)
    uses = agent_queries.uses(simulation_id, from_tick=tick, to_tick=tick, agents=near)
    town = Town(world=world, seed=seed, tracks=near, uses=_spans(uses))
    _take_in(town, simulation_id, tick, tick, heard_from_tick)
    return town


def read_town(
    simulation_id: UUID,
    *,
    world: World,
    seed: int,
    from_tick: int,
    to_tick: int | None = None,
    heard_from_tick: int | None = None,
) -> Town:
    """Return the town as its rows say, from the end of a tick on.

    What was said is read from `heard_from_tick` on: it takes time to say it.
    """
    tracks = agent_queries.tracks(simulation_id, from_tick=from_tick, to_tick=to_tick)
    uses = agent_queries.uses(simulation_id, from_tick=from_tick, to_tick=to_tick)
    town = Town(world=world, seed=seed, tracks=tracks, uses=_spans(uses))
    _take_in(town, simulation_id, from_tick, to_tick, heard_from_tick)
    return town


def _take_in(
    town: Town,
    simulation_id: UUID,
    from_tick: int,
    to_tick: int | None,
    heard_from_tick: int | None,
) -> None:
    """Take in what was said and which states users have set."""
    town.take_in_states(
        agent_queries.set_states(simulation_id, from_tick=from_tick, to_tick=to_tick)
    )
    voices = dialogue_queries.voices(
        simulation_id,
        from_tick=from_tick if heard_from_tick is None else heard_from_tick,
        to_tick=to_tick,
    )
    for agent in {said.agent for said in voices.spoken} | {talk.agent for talk in voices.talks}:
        town.hear(agent, voices)


def _spans(uses: Iterable[tuple[Use, int | None]]) -> dict[str, list[UseSpan]]:
    spans: dict[str, list[UseSpan]] = {}
    for use, ends in uses:
        spans.setdefault(use.node, []).append(UseSpan(use, ends))
    return spans
