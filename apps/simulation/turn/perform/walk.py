"""Walk: go towards a spot, up to the next door that needs a turn of its own (W1, W5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.agents.acts import ActOutcome
from apps.agents.events import ActionKind, EntryTried, Tile, WalkBegan
from apps.kernel.chance import choice
from apps.kernel.language import phrase
from apps.simulation.turn.context.outcome import PERFORMED, PlannedStep, Turn, WalkTo
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.situation import likely_areas, meeting_tile, search_tiles
from apps.simulation.turn.perform.act import cause_of_intention, report_act
from apps.simulation.turn.perform.admission import (
    admitted_nodes,
    barred_nodes,
    end_admissions,
    grant_admissions,
    knock_or_wait,
)
from apps.simulation.turn.perform.refusal import refuse, wait_for_opening
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """The next stretch of a walk.

    `entered` is an area whose door is right before the agent: `refusal` says why it does not
    open (because of the hour if `is_closed`), or the agent tries to enter (`is_attempt`).
    `barred` is the home or private area behind it into which the agent has to be let.
    """

    steps: tuple[Tile, ...] = ()
    entered: str = ""
    refusal: str = ""
    is_closed: bool = False
    is_attempt: bool = False
    barred: str = ""


@dataclass(frozen=True, slots=True)
class _Crossing:
    """A step into another area: its index, the area left and the area entered."""

    index: int
    left: str
    entered: str


def walk(turn: Turn) -> Turn:
    """Set out for the spot: walk, try to enter, or wait before a door."""
    assert isinstance(turn.intention, WalkTo), "the pipeline walks nowhere else"
    step, cause = turn.intention.step, turn.intention.cause
    spot = turn.intention.spot
    turn = grant_admissions(turn, step)
    leg = next_leg(turn, spot, admitted=admitted_nodes(turn))
    if leg.barred:
        return knock_or_wait(turn, step, leg.barred)
    if leg.is_closed:
        return wait_for_opening(turn, step, leg.entered, leg.refusal)
    if leg.refusal:
        return refuse(turn, step, leg.entered, leg.refusal)
    if leg.steps:
        there = turn.map.area_at(leg.steps[-1])
        turn = end_admissions(turn, (there, step.area))
    event = _attempt(turn, step, leg) if leg.is_attempt else _walk(turn, step, leg)
    return turn.record(event, cause=cause).intending(PERFORMED)


def next_leg(
    context: TurnContext, goal: Tile, *, admitted: frozenset[str] = frozenset()
) -> Leg:
    """Return the stretch from where the agent stands towards the goal.

    It ends before a door that is closed by then, before a home or private area that is not
    among the `admitted` nodes, before an area of limited capacity (to try
    to enter) and at the threshold of one that is left (so that its place is free only once the
    agent is out).
    """
    steps = context.world.paths.path(context.tile, goal)
    for crossing in _crossings(context, steps):
        if crossing.index == 0:
            at_door = _at_the_door(context, crossing, admitted)
            if at_door is not None:
                return at_door
        elif _needs_a_turn(context, crossing, admitted):
            return Leg(steps=steps[: crossing.index])
    return Leg(steps=steps)


def _attempt(context: TurnContext, step: PlannedStep, leg: Leg) -> EntryTried:
    return EntryTried(
        kind=ActionKind.WALKING,
        tile=context.tile,
        area=leg.entered,
        towards=step.target,
        description=_on_the_way(context, step),
        emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
        plan_item=step.plan_item,
    )


def _walk(context: TurnContext, step: PlannedStep, leg: Leg) -> WalkBegan:
    return WalkBegan(
        kind=ActionKind.WALKING,
        steps=leg.steps,
        towards=step.target,
        leaves=_left_behind(context, leg),
        description=_on_the_way(context, step),
        emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
        plan_item=step.plan_item,
    )


def _left_behind(context: TurnContext, leg: Leg) -> str:
    """Return the area of limited capacity that the first step leaves, "" for none.

    It may be one that the agent was let into a tick ago and does not enter after all.
    """
    enters = context.map.area_at(leg.steps[0])
    return next((area for area in context.view.own_rooms() if area != enters), "")


def _on_the_way(context: TurnContext, step: PlannedStep) -> str:
    """Return the description of the walk: "walking to Hobbs Cafe"."""
    tree = context.tree
    place = tree.place_of(step.area)
    if place and place == tree.place_of(context.area):
        return phrase("walking to {place}", place=tree.words(step.target))
    if not place:
        return phrase("walking along the street")
    return phrase("walking to {place}", place=tree.words(place))


def _crossings(context: TurnContext, steps: Sequence[Tile]) -> Iterator[_Crossing]:
    area = context.area
    for index, entered in context.world.paths.crossings(steps, context.tile):
        yield _Crossing(index, area, entered)
        area = entered


def _at_the_door(
    context: TurnContext, crossing: _Crossing, admitted: frozenset[str]
) -> Leg | None:
    """Return what happens at the door before the agent; None: it goes through."""
    area = crossing.entered
    barred = _barred(context, crossing, admitted)
    if barred:
        return Leg(entered=area, barred=barred)
    refusal = _closed(context, crossing, context.tick)
    if refusal is not None:
        return Leg(entered=area, refusal=refusal, is_closed=True)
    if not _is_limited(context, area) or _is_let_in(context, area):
        return None
    if context.view.is_full(area):
        words = context.tree.words(area)
        return Leg(entered=area, refusal=phrase("{room} is occupied", room=words))
    return Leg(entered=area, is_attempt=True)


def _barred(context: TurnContext, crossing: _Crossing, admitted: frozenset[str]) -> str:
    """Return the first node behind the door into which the agent has to be let, "" for none."""
    nodes = barred_nodes(context, left=crossing.left, entered=crossing.entered)
    return next((node for node in nodes if node not in admitted), "")


def _needs_a_turn(context: TurnContext, crossing: _Crossing, admitted: frozenset[str]) -> bool:
    if _barred(context, crossing, admitted):
        return True
    if _is_limited(context, crossing.entered) or _is_limited(context, crossing.left):
        return True
    return _closed(context, crossing, context.tick + crossing.index) is not None


def _closed(context: TurnContext, crossing: _Crossing, tick: int) -> str | None:
    """Return why the door is closed to the agent at the tick.

    Inside a place only doors of areas with hours of their own are.
    """
    tree = context.tree
    area = crossing.entered
    is_inside = bool(area) and tree.place_of(area) == tree.place_of(crossing.left)
    if not area or (is_inside and tree.node(area).norms.hours is None):
        return None
    return context.constants.is_closed_to(context.identity.name, area, tick)


def _is_limited(context: TurnContext, area: str) -> bool:
    """Return whether the area has a capacity."""
    return bool(area) and context.tree.node(area).norms.holds is not None


def _is_let_in(context: TurnContext, area: str) -> bool:
    """Return whether the attempt of the tick before succeeded and still holds."""
    return any(use.agent == context.identity.slug for use in context.view.occupants_of(area))


AREAS_SEARCHED_MAX = 4


def search(turn: Turn, step: PlannedStep) -> Turn:
    """Walk to the next area in which the other agent may be.

    The intention is no walk after the last area: the agent gives up.
    """
    since_tick = step.from_tick if step.is_requested else 0
    searched = turn.records.searched_for(step.plan_item, since_tick=since_tick)
    areas = list(dict.fromkeys(likely_areas(turn, step)))[:AREAS_SEARCHED_MAX]
    left = [area for area in areas if area not in searched]
    if turn.area in left:
        if (spot := _next_search_tile(turn, step)) is not None:
            return walk_to_area(turn, step, turn.area, spot)
        turn = report_act(turn, step, ActOutcome.NOT_HERE)
        left.remove(turn.area)
    if not left or len(searched) >= AREAS_SEARCHED_MAX:
        return turn
    return walk_to_area(turn, step, left[0])


def walk_to_area(turn: Turn, step: PlannedStep, area: str, spot: Tile | None = None) -> Turn:
    """Walk to the spot, or to any of the area; the intention is no walk if it has none."""
    spots = turn.map.standing_tiles(area)
    if not spots:
        return turn
    seed, slug = turn.seed, turn.identity.slug
    spot = (
        spot
        or meeting_tile(turn, area)
        or choice(spots, seed, "spot", slug, step.plan_item, area)
    )
    there = replace(step, area=area, object="", object_state="")
    return turn.intending(WalkTo(step=there, spot=spot, cause=cause_of_intention(turn)))


def _next_search_tile(context: TurnContext, step: PlannedStep) -> Tile | None:
    """Return the tile at which the search of the current area goes on, None at its end."""
    tiles = search_tiles(context, context.area)
    own = context.action
    has_walked = own is not None and bool(own.towards) and own.plan_item == step.plan_item
    if not has_walked or context.tile not in tiles:
        return next((tile for tile in tiles if tile != context.tile), None)
    return next(iter(tiles[tiles.index(context.tile) + 1 :]), None)
