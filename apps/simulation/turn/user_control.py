"""Act under the control of a user (U4).

The agent perceives and remembers as always; it does what the user asks, one thing a turn,
under the same norms as all agents, and no model is asked what to do. When the control ends,
the rest of its day is planned again.
"""

from dataclasses import replace

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind, ObjectRighted
from apps.kernel.chance import choice
from apps.kernel.errors import Refusal
from apps.kernel.game_time import FOREVER_TICK
from apps.planning.grounding import stage
from apps.planning.inputs import UserControlEnded
from apps.simulation.embodiment.events import ActionRequestAnswered
from apps.simulation.embodiment.rules import ActionRequest as Call
from apps.simulation.embodiment.rules import Control as Hands
from apps.simulation.embodiment.rules import Outcome
from apps.simulation.embodiment.rules import RequestKind as Kind
from apps.simulation.turn.act import act_out, set_out, turned_away_by
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off
from apps.simulation.turn.errand import Errand
from apps.simulation.turn.plan import revise_plans
from apps.simulation.turn.stay import EMOJI_OF_KINDS, LOOKING_AROUND, look_around
from apps.simulation.turn.user_speech import listen, say
from apps.world.geometry import Tile
from apps.world.node import Kind as NodeKind

ACTIVITIES_MAX = 8
TURNED_AWAY = "turned-away"
BROKEN_OFF = "broken-off"
HANDED_BACK = "handed-back"
AS_IT_IS_OVER = "the person was handed back before it was done"


def use_hands(turn: Turn, hands: Hands) -> None:
    """Do what a user asks of the person, or let them be themselves again."""
    has_parted = listen(turn)
    has_woken = _wake(turn)
    under_way = _under_way(turn, hands)
    lost = turn.lost_attempt()
    if not hands.embodiment.is_active_at(turn.tick):
        _hand_back(turn, hands, under_way)
    elif lost is not None:
        _lose(turn, lost, under_way)
    elif _heed(turn, hands, under_way) or _go_on(turn, under_way, has_parted=has_parted):
        pass
    elif has_parted or (turn.is_over and not has_woken and turn.talk is None):
        look_around(turn)


def _under_way(turn: Turn, hands: Hands) -> Call | None:
    """Return what the person is at; nothing of an earlier embodiment is."""
    call = hands.in_progress
    if call is None or call.embodiment == hands.embodiment.number:
        return call
    _refuse(turn, call, HANDED_BACK, AS_IT_IS_OVER)
    return None


def _lose(turn: Turn, node: str, under_way: Call | None) -> None:
    """Take in that somebody else was first."""
    if under_way is None:
        turned_away_by(turn, node, None)
        return
    turned_away_by(turn, node, _errand(turn, under_way))
    _refuse_if_turned_away(turn, under_way)


def _wake(turn: Turn) -> bool:
    """Get up if the person was asleep when a user took them over."""
    if turn.action is None or not turn.action.asleep:
        return False
    look_around(turn)
    return True


def _heed(turn: Turn, hands: Hands, under_way: Call | None) -> bool:
    """Do the first thing asked; return whether the person did any."""
    for call in hands.requests:
        if call.kind in {Kind.BEGIN, Kind.END}:
            _answer(turn, call, Outcome.DONE)
        elif call.embodiment != hands.embodiment.number:
            _refuse(turn, call, HANDED_BACK, AS_IT_IS_OVER)
        elif _carry_out(turn, call):
            _give_up(turn, under_way, call)
            return True
    return False


def _carry_out(turn: Turn, call: Call) -> bool:
    """Begin what is asked; return whether the person did anything."""
    if call.kind is Kind.SAY:
        try:
            say(
                turn,
                call.body["text"],
                to=call.body["to"],
                ends=call.body["ends"],
                cause=call.event,
            )
        except Refusal as refusal:
            _refuse(turn, call, refusal.code, refusal.message)
            return False
        _answer(turn, call, Outcome.DONE)
        return True
    break_off(turn)
    _answer(turn, call, Outcome.BEGUN)
    _get_on_with(turn, call)
    return True


def _go_on(turn: Turn, call: Call | None, *, has_parted: bool) -> bool:
    """Go on with what is under way where a step of it is over; return whether to."""
    if call is None:
        return False
    if turn.talk is not None or not (turn.is_over or has_parted):
        return False
    if call.kind is Kind.ACT and turn.action is not None and _is_using(turn, call):
        _right(turn, call)
        _answer(turn, call, Outcome.DONE)
        return False
    _get_on_with(turn, call)
    return True


def _get_on_with(turn: Turn, call: Call) -> None:
    """Walk on, or do on the spot what is asked."""
    if call.kind is Kind.ACT:
        act_out(turn, _with_looks(turn, _errand(turn, call)), cause=call.event)
        _refuse_if_turned_away(turn, call)
        return
    spot = _spot(turn, call)
    if turn.tile == spot:
        _answer(turn, call, Outcome.DONE)
        look_around(turn)
        return
    set_out(turn, _errand(turn, call), spot, call.event)
    _refuse_if_turned_away(turn, call)


def _refuse_if_turned_away(turn: Turn, call: Call) -> None:
    why = turn.turned_away()
    if why:
        _refuse(turn, call, TURNED_AWAY, why)


def _give_up(turn: Turn, under_way: Call | None, call: Call) -> None:
    """Give up what the person is at for something else; who talks holds on to an object."""
    if under_way is None:
        return
    if call.kind is Kind.SAY and _is_using(turn, under_way):
        return
    _refuse(turn, under_way, BROKEN_OFF, "something else was asked before it was done")


def _errand(turn: Turn, call: Call) -> Errand:
    """Return what is asked as something to be done, for now."""
    tree = turn.constants.world.tree
    if call.kind is Kind.MOVE:
        spot = _spot(turn, call)
        area = turn.constants.world.map.area_at(spot)
        doing, used, until = LOOKING_AROUND, "", FOREVER_TICK
    else:
        used = call.body["object"]
        area = tree.area_of(used)
        doing = call.body["doing"]
        minutes = call.body["minutes"]
        until = turn.tick + turn.constants.calendar.ticks_of(minutes=minutes)
    return Errand(
        kind=ActionKind.USER_CONTROLLED,
        description=doing,
        emoji=EMOJI_OF_KINDS[ActionKind.IDLE],
        area=area,
        object=used,
        from_tick=turn.tick,
        to_tick=until,
    )


def _with_looks(turn: Turn, errand: Errand) -> Errand:
    """Return it with its emoji and the state of the object meanwhile, once begun (W4, W7)."""
    if turn.tile not in turn.constants.world.map.use_tiles(errand.object):
        return errand
    emoji, state = stage(turn.mind, turn.identity.name, errand.description, errand.object)
    return replace(errand, emoji=emoji, object_state=state)


def _spot(turn: Turn, call: Call) -> Tile:
    """Return the tile that a walk leads to; the same until it is reached."""
    x_and_y = call.body["tile"]
    if x_and_y is not None:
        return x_and_y[0], x_and_y[1]
    world = turn.constants.world
    node = world.tree.node(call.body["to"])
    if node.kind is NodeKind.OBJECT:
        spots = world.map.use_tiles(node.path)
    else:
        spots = world.map.standing_tiles(node.path)
        if turn.tile in spots:
            return turn.tile
    return choice(spots, turn.constants.seed, "spot", turn.identity.slug, call.event)


def _is_using(turn: Turn, call: Call) -> bool:
    action = turn.action
    return (
        call.kind is Kind.ACT
        and action is not None
        and not action.towards
        and action.object == call.body["object"]
    )


def _right(turn: Turn, call: Call) -> None:
    """Note that the person has done something about a state that a user had set (U3)."""
    action = turn.action
    state = turn.view.set_state_of(call.body["object"])
    if state is not None and action is not None and state.from_tick < action.from_tick:
        turn.say(ObjectRighted(object=state.object, since=state.event), cause=call.event)


# --- Handing back ----------------------------------------------------------------------------


def _hand_back(turn: Turn, hands: Hands, under_way: Call | None) -> None:
    """Let the person be themselves again: what is left open is not done any more."""
    ended = ""
    left = hands.requests if under_way is None else (under_way, *hands.requests)
    for call in left:
        if call.kind in {Kind.BEGIN, Kind.END}:
            ended = call.event
            _answer(turn, call, Outcome.DONE)
        else:
            _refuse(turn, call, HANDED_BACK, AS_IT_IS_OVER)
    break_off(turn)
    if hands.embodiment.is_visitor:
        turn.leaves_town = True
        return
    revise_plans(turn, reasons=(_control_ended(turn, hands),), cause=ended)


def _control_ended(turn: Turn, hands: Hands) -> UserControlEnded:
    """Return what the agent did while a user controlled it."""
    began = hands.embodiment.from_tick
    done = agent_queries.actions_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        from_tick=began,
        to_tick=turn.before,
    )
    activities = dict.fromkeys(
        action.description
        for action in done
        if action.from_tick >= began and action.kind is not ActionKind.IDLE
    )
    return UserControlEnded(
        since=turn.constants.calendar.time_at(began),
        activities=tuple(activities)[-ACTIVITIES_MAX:],
    )


# --- Answers ---------------------------------------------------------------------------------


def _answer(turn: Turn, call: Call, outcome: Outcome) -> None:
    turn.say(
        ActionRequestAnswered(call=call.event, outcome=outcome.value, code="", why=""),
        cause=call.event,
    )


def _refuse(turn: Turn, call: Call, code: str, why: str) -> None:
    turn.say(
        ActionRequestAnswered(
            call=call.event, outcome=Outcome.REFUSED.value, code=code, why=why
        ),
        cause=call.event,
    )
