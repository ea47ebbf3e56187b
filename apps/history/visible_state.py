"""What can be seen of a world at the end of a tick: places, object states, conversations."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from apps.dialogue import queries as dialogue_queries
from apps.dialogue.utterances import Spoken
from apps.simulation.ports import Constants
from apps.simulation.snapshot.world_snapshot import WorldSnapshot, read_world_snapshot
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


@dataclass(frozen=True, kw_only=True)
class VisibleState:
    """What can be seen at the end of a tick: agents in their places, objects, conversations."""

    simulation_id: UUID
    tick: int
    snapshot: WorldSnapshot

    @cached_property
    def objects(self) -> tuple[VisibleObject, ...]:
        """The objects whose state is not the one when unused, by path."""
        return tuple(_objects_not_idle(self.snapshot, self.tick))

    @cached_property
    def conversations(self) -> tuple[OpenConversation, ...]:
        """The open conversations with the last utterance of each, by their ids."""
        return tuple(_open_conversations(self.simulation_id, self.snapshot, self.tick))


def read_visible_state(constants: Constants, *, tick: int) -> VisibleState:
    """Return what can be seen in a simulation at the end of a tick."""
    snapshot = read_world_snapshot(
        constants.simulation_id,
        world=constants.world,
        seed=constants.seed,
        from_tick=tick,
        to_tick=tick,
    )
    return VisibleState(simulation_id=constants.simulation_id, tick=tick, snapshot=snapshot)


def _objects_not_idle(snapshot: WorldSnapshot, tick: int) -> list[VisibleObject]:
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


def _open_conversations(
    simulation_id: UUID, snapshot: WorldSnapshot, tick: int
) -> list[OpenConversation]:
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
