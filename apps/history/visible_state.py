"""What can be seen of a world at the end of a tick: places, object states, conversations."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from apps.agents.events import Tile
from apps.agents.track import Track
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.utterances import Spoken
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tree import NodeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleObject:
    """An object that is not idle: its path, its state, and the slugs of its users."""

    path: str
    state: str
    used_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenConversation:
    """A conversation in progress: the slugs of its participants, and its last utterance."""

    id: str
    participants: tuple[str, ...]
    last: Spoken


def name_place(snapshot: WorldSnapshot, agent: str, tick: int) -> str:
    """Return the place of an agent: the object used, else its area, else the world."""
    action = snapshot.tracks[agent].action_at(tick)
    used = action.object if action else ""
    return used or snapshot.area_of(agent, tick) or snapshot.world.name


def steps_after(track: Track, tick: int) -> tuple[Tile, ...]:
    """Return the tiles that the agent still has to walk after the tick, one a tick."""
    movement = track.movement_at(tick)
    return () if movement is None else movement.steps[tick - movement.from_tick + 1 :]


def objects_not_idle(snapshot: WorldSnapshot, tick: int) -> list[VisibleObject]:
    """Return the objects whose state is not the one when unused, by path."""
    tree = snapshot.world.tree
    nodes = {*snapshot.uses, *snapshot.set_states}
    objects = sorted(node for node in nodes if tree.node(node).kind is NodeKind.OBJECT)
    found = []
    for path in objects:
        state = snapshot.state_of(path, tick)
        if state != tree.node(path).idle_state:
            used_by = tuple(use.agent for use in snapshot.occupants_of(path, tick))
            found.append(VisibleObject(path=path, state=state, used_by=used_by))
    return found


def open_conversations(
    simulation_id: UUID, snapshot: WorldSnapshot, tick: int
) -> list[OpenConversation]:
    """Return the open conversations with the last utterance of each, by their ids."""
    participants: dict[str, set[str]] = defaultdict(set)
    for talks in snapshot.talks.values():
        for talk in talks:
            if talk.stands_at(tick):
                participants[talk.conversation] |= {talk.agent, talk.other}
    last = dialogue_queries.last_words(simulation_id, participants, as_of_tick=tick)
    return [
        OpenConversation(
            id=conversation,
            participants=tuple(sorted(participants[conversation])),
            last=last[conversation],
        )
        for conversation in sorted(participants)
    ]
