"""Act: walk to where an errand is done, pass doors, and begin it.

Norms are enforced here (W5): a closed door does not open; a node of limited capacity is
attempted; an agent that is turned away waits, and after some attempts passes the time.
"""

from dataclasses import replace

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind, EntryTried, Tile, TurnedAway, WalkBegan
from apps.kernel.chance import choice
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.snapshot.opening_hours import is_closed_to, opening_tick
from apps.simulation.turn.context import Turn
from apps.simulation.turn.errand import Errand
from apps.simulation.turn.stay import (
    EMOJI_OF_KINDS,
    PASSING_THE_TIME,
    begin,
    look_around,
    pass_time,
    wait,
)
from apps.simulation.turn.walk import Leg, next_leg
from apps.world.node import NodeKind

TRIES_MAX = 3
PATIENCE_WAITS = 5


def act_out(turn: Turn, errand: Errand, *, cause: str = "") -> None:
    """Begin the errand if the agent stands where it is done, else set out for there.

    An errand at a place that is closed for all of its time is replaced by one at home.
    """
    if not errand.is_asked and _is_closed_throughout(turn, errand):
        errand = _at_home(turn, errand)
    spot = _spot(turn, errand)
    if turn.tile != spot and not _is_there(turn, errand):
        set_out(turn, errand, spot, cause)
    elif errand.object and turn.view.is_full(errand.object):
        _turn_away(turn, errand, errand.object, _taken(turn, errand.object))
    else:
        begin(turn, errand, cause=cause)


def turned_away_by(turn: Turn, node: str, errand: Errand | None) -> None:
    """Give up the attempt of the tick before, made for the errand, which did not succeed."""
    why = _taken(turn, node)
    if errand is not None:
        _turn_away(turn, errand, node, why)
        return
    turn.say(TurnedAway(node=node, why=why))
    pass_time(turn, until=turn.tick + 1)


def leave(turn: Turn, errand: Errand | None) -> None:
    """Leave a place that is closing, for home and what is left of the errand's time (W5)."""
    act_out(turn, _at_home(turn, errand or _pastime(turn)))


def _at_home(turn: Turn, errand: Errand) -> Errand:
    """Return what the agent does at home instead of the errand."""
    return replace(
        errand,
        kind=ActionKind.PASSING_TIME,
        description=PASSING_THE_TIME,
        emoji=EMOJI_OF_KINDS[ActionKind.PASSING_TIME],
        area=turn.identity.home,
        object="",
        object_state="",
        asleep=False,
    )


def _pastime(turn: Turn) -> Errand:
    """Return something to do for an agent without a plan for now."""
    return Errand(
        kind=ActionKind.PASSING_TIME,
        description=PASSING_THE_TIME,
        emoji=EMOJI_OF_KINDS[ActionKind.PASSING_TIME],
        area=turn.area,
        from_tick=turn.tick,
        to_tick=turn.tick + _wait_ticks(turn),
    )


def _is_closed_throughout(turn: Turn, errand: Errand) -> bool:
    constants = turn.constants
    closed = is_closed_to(
        constants.world.tree,
        constants.calendar,
        person=turn.identity.name,
        area=errand.area,
        tick=turn.tick,
    )
    return closed is not None and errand.to_tick <= _opening(turn, errand.area)


def _opening(turn: Turn, area: str) -> int:
    constants = turn.constants
    return opening_tick(constants.world.tree, constants.calendar, area=area, tick=turn.tick)


def set_out(turn: Turn, errand: Errand, spot: Tile, cause: str) -> None:
    """Walk towards the spot, up to the next door that needs a turn of its own."""
    leg = next_leg(turn, spot)
    if leg.is_closed:
        _wait_for_opening(turn, errand, leg)
    elif leg.refusal:
        _turn_away(turn, errand, leg.entered, leg.refusal)
    elif leg.is_attempt:
        turn.say(
            EntryTried(
                kind=ActionKind.WALKING,
                tile=turn.tile,
                area=leg.entered,
                towards=errand.target,
                description=_on_the_way(turn, errand),
                emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
                plan_item=errand.plan_item,
            ),
            cause=cause,
        )
    else:
        _walk(turn, errand, leg, cause)


def _wait_for_opening(turn: Turn, errand: Errand, leg: Leg) -> None:
    """Wait before a closed door, which opens before the errand's time is over."""
    turn.say(TurnedAway(node=leg.entered, why=leg.refusal))
    _remember_refusal(turn, leg.entered, leg.refusal)
    if errand.is_asked:
        look_around(turn)
        return
    place = turn.constants.world.tree.place_of(leg.entered)
    until = min(_opening(turn, leg.entered), errand.to_tick)
    wait(turn, f"{place} to open", until=until, plan_item=errand.plan_item)


def _walk(turn: Turn, errand: Errand, leg: Leg, cause: str) -> None:
    turn.say(
        WalkBegan(
            kind=ActionKind.WALKING,
            steps=leg.steps,
            towards=errand.target,
            leaves=_left_behind(turn, leg),
            description=_on_the_way(turn, errand),
            emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
            plan_item=errand.plan_item,
        ),
        cause=cause,
    )


def _left_behind(turn: Turn, leg: Leg) -> str:
    """Return the area of limited capacity that the first step leaves, "" for none.

    It may be one that the agent was let into a tick ago and does not enter after all.
    """
    enters = turn.constants.world.map.area_at(leg.steps[0])
    return next((area for area in turn.view.own_rooms() if area != enters), "")


def _turn_away(turn: Turn, errand: Errand, node: str, why: str) -> None:
    """Record that the node is taken; wait for it for a while, then pass the time."""
    turn.say(TurnedAway(node=node, why=why))
    _remember_refusal(turn, node, why)
    if errand.is_asked:
        look_around(turn)
        return
    before = agent_queries.times_turned_away(
        turn.constants.simulation_id,
        turn.identity.slug,
        since_tick=errand.from_tick,
        as_of_tick=turn.before,
    )
    until = turn.tick + _wait_ticks(turn)
    if before.get(node, 0) + 1 < TRIES_MAX and until < errand.to_tick:
        words = turn.constants.world.tree.words(node)
        wait(turn, words, until=until, plan_item=errand.plan_item)
    else:
        # Bounded: a bed that was taken is tried again later in the night.
        patience = turn.tick + PATIENCE_WAITS * _wait_ticks(turn)
        pass_time(turn, until=min(errand.to_tick, patience), plan_item=errand.plan_item)


def _remember_refusal(turn: Turn, node: str, why: str) -> None:
    turn.remember(
        MemoryKind.OBSERVATION,
        why,
        subject=node,
        perceived=True,
        origin=MemoryOrigin.TURNED_AWAY,
    )


def _wait_ticks(turn: Turn) -> int:
    return turn.constants.calendar.ticks_of(minutes=turn.constants.settings.wait_minutes)


def _taken(turn: Turn, node: str) -> str:
    tree = turn.constants.world.tree
    is_object = tree.node(node).kind is NodeKind.OBJECT
    return f"{tree.words(node)} is {'taken' if is_object else 'full'}"


def _on_the_way(turn: Turn, errand: Errand) -> str:
    """Return the description of the walk: "walking to Hobbs Cafe"."""
    tree = turn.constants.world.tree
    place = tree.place_of(errand.area)
    if place and place == tree.place_of(turn.area):
        return f"walking to {tree.words(errand.target)}"
    return f"walking to {tree.words(place)}" if place else "walking along the street"


def _is_there(turn: Turn, errand: Errand) -> bool:
    """Return whether the agent stands where the errand can be done."""
    if errand.object:
        return turn.tile in turn.constants.world.map.use_tiles(errand.object)
    return turn.area == errand.area


def _spot(turn: Turn, errand: Errand) -> Tile:
    """Return the tile to stand on, drawn from those that serve; the same for an errand."""
    tile_map = turn.constants.world.map
    spots = (
        tile_map.use_tiles(errand.object)
        if errand.object
        else tile_map.standing_tiles(errand.area)
    )
    if not spots:
        return turn.tile
    return choice(
        spots, turn.constants.seed, "spot", turn.identity.slug, errand.plan_item, errand.target
    )
