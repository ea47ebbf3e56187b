"""Observe: what is new in view becomes known and is remembered (M2, W3, X1)."""

from apps.agents.events import Noticed, PlacesLearnt
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.rules import IDLE_IMPORTANCE
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context import Turn
from apps.world.errors import AmbiguousPlace, UnknownPlace
from apps.world.known import with_ancestors
from apps.world.tree import NodeKind


def notice(turn: Turn) -> list[InView]:
    """Notice what is new in view, and remember it; return it."""
    news = turn.view.news(turn.acquainted)
    if not news:
        return []
    turn.say(Noticed(sights=tuple(seen.sight for seen in news)))
    for seen in news:
        if not _is_only_new_furniture(turn, seen):
            _remember_sight(turn, seen)
    return news


def learn_places(turn: Turn) -> None:
    """Learn the area that the agent stands in, and the place it belongs to (W3)."""
    if not turn.area:
        return
    here = with_ancestors(turn.constants.world.tree, [turn.area])
    unknown = sorted(here - turn.known)
    if unknown:
        turn.say(PlacesLearnt(nodes=tuple(unknown)))


def learn_place_named(turn: Turn, words: str, *, cause: str) -> None:
    """Learn a place that was named in a conversation (W3)."""
    tree = turn.constants.world.tree
    try:
        node = tree.resolve(words)
    except (UnknownPlace, AmbiguousPlace):
        return  # there is no such place, or it is not clear which: nothing is learnt
    if node.kind is NodeKind.OBJECT:
        return
    unknown = sorted(with_ancestors(tree, [node.path]) - turn.known)
    if unknown:
        turn.say(PlacesLearnt(nodes=tuple(unknown)), cause=cause)


def perceive_closing(turn: Turn) -> None:
    """Perceive that the place around the agent is closing (W5)."""
    place = turn.constants.world.tree.place_of(turn.area)
    turn.remember(
        MemoryKind.OBSERVATION,
        f"{place} is closing",
        subject=place,
        perceived=True,
        origin=MemoryOrigin.CLOSING,
    )


def remember_seeds(turn: Turn) -> None:
    """Remember each phrase of the agent's description (paper 3.1, U5)."""
    for phrase in turn.seeds:
        turn.remember(MemoryKind.OBSERVATION, phrase, origin=MemoryOrigin.DESCRIPTION)


def _is_only_new_furniture(turn: Turn, seen: InView) -> bool:
    """Whether the sight is an idle object met for the first time: known, not remembered."""
    sight = seen.sight
    if not sight.is_object or sight.subject in turn.acquainted.objects:
        return False
    return sight.description == turn.constants.world.tree.node(sight.subject).idle_state


def _remember_sight(turn: Turn, seen: InView) -> None:
    sight = seen.sight
    if not sight.is_object:
        turn.remember(
            MemoryKind.OBSERVATION,
            sight.description,
            cause=seen.source,
            subject=sight.subject,
            perceived=True,
            origin=MemoryOrigin.PERCEIVED_AGENT,
        )
        return
    node = turn.constants.world.tree.node(sight.subject)
    is_idle = sight.description == node.idle_state
    turn.remember(
        MemoryKind.OBSERVATION,
        f"the {node.name} is {sight.description}",
        cause=seen.source,
        subject=sight.subject,
        perceived=True,
        origin=MemoryOrigin.PERCEIVED_OBJECT,
        importance=IDLE_IMPORTANCE if is_idle else None,
    )
