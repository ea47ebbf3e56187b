"""How far a person walks before a door with a norm wants a turn of its own (W1, W5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.agents.events import Tile
from apps.simulation.snapshot.opening_hours import is_closed_to
from apps.simulation.turn.context import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """The next stretch of a walk.

    `entered` is an area whose door stands right before the person: `refusal` says why it
    does not open (because of the hour if `is_closed`), or the person tries to be let in
    (`is_attempt`).
    """

    steps: tuple[Tile, ...] = ()
    entered: str = ""
    refusal: str = ""
    is_closed: bool = False
    is_attempt: bool = False


@dataclass(frozen=True, slots=True)
class _Crossing:
    """A step into another area: its index, the area left and the area entered."""

    index: int
    left: str
    entered: str


def next_leg(turn: Turn, goal: Tile) -> Leg:
    """Return the stretch from where the person stands towards the goal.

    It ends before a door that is closed by then, before an area that holds few (to try to
    be let in) and at the threshold of one that is left (so that its place is free only
    once the person is out).
    """
    steps = turn.constants.world.paths.path(turn.tile, goal)
    for crossing in _crossings(turn, steps):
        if crossing.index == 0:
            refused = _at_the_door(turn, crossing)
            if refused is not None:
                return refused
        elif _wants_a_turn(turn, crossing):
            return Leg(steps=steps[: crossing.index])
    return Leg(steps=steps)


def _crossings(turn: Turn, steps: Sequence[Tile]) -> Iterator[_Crossing]:
    area = turn.area
    for index, entered in turn.constants.world.paths.crossings(steps, turn.tile):
        yield _Crossing(index, area, entered)
        area = entered


def _at_the_door(turn: Turn, crossing: _Crossing) -> Leg | None:
    """Return what happens at the door that the person stands before; None: go through."""
    area = crossing.entered
    refusal = _closed(turn, crossing, turn.tick)
    if refusal is not None:
        return Leg(entered=area, refusal=refusal, is_closed=True)
    if not _holds_few(turn, area) or _is_let_in(turn, area):
        return None
    if turn.view.is_full(area):
        words = turn.constants.world.tree.words(area)
        return Leg(entered=area, refusal=f"{words} is occupied")
    return Leg(entered=area, is_attempt=True)


def _wants_a_turn(turn: Turn, crossing: _Crossing) -> bool:
    if _holds_few(turn, crossing.entered) or _holds_few(turn, crossing.left):
        return True
    return _closed(turn, crossing, turn.tick + crossing.index) is not None


def _closed(turn: Turn, crossing: _Crossing, tick: int) -> str | None:
    """Return why the door is closed to the person at the tick.

    Inside a place only doors of areas with hours of their own are.
    """
    tree = turn.constants.world.tree
    area = crossing.entered
    is_inside = bool(area) and tree.place_of(area) == tree.place_of(crossing.left)
    if not area or (is_inside and tree.node(area).norms.hours is None):
        return None
    return is_closed_to(
        tree, turn.constants.calendar, person=turn.identity.name, area=area, tick=tick
    )


def _holds_few(turn: Turn, area: str) -> bool:
    return bool(area) and turn.constants.world.tree.node(area).norms.holds is not None


def _is_let_in(turn: Turn, area: str) -> bool:
    """Whether the attempt of the tick before succeeded and still stands."""
    return any(use.agent == turn.identity.slug for use in turn.view.holders_of(area))
