"""Act under the control of a user (U4).

The agent perceives and remembers as always; it does what the user asks, one thing a turn,
under the same norms as all agents, and no model is asked what to do. When the control ends,
the rest of its day is planned again.
"""

from dataclasses import replace

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind, ObjectRighted
from apps.kernel.chance import choice
from apps.kernel.errors import DomainError
from apps.kernel.game_time import FOREVER_TICK
from apps.planning.grounding import stage
from apps.planning.inputs import UserControlEnded
from apps.simulation.embodiment.events import ActionRequestAnswered
from apps.simulation.embodiment.rules import ActionRequest, Control, Outcome, RequestKind
from apps.simulation.turn.act import act_out, set_out, turned_away_by
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off
from apps.simulation.turn.errand import Errand
from apps.simulation.turn.plan import revise_plans
from apps.simulation.turn.stay import EMOJI_OF_KINDS, LOOKING_AROUND, look_around
from apps.simulation.turn.user_speech import listen, say
from apps.world.geometry import Tile
from apps.world.node import NodeKind

ACTIVITIES_MAX = 8
TURNED_AWAY = "turned-away"
BROKEN_OFF = "broken-off"
HANDED_BACK = "handed-back"
AS_IT_IS_OVER = "the person was handed back before it was done"


def act_for_user(turn: Turn, control: Control) -> None:
    """Do what a user asks of the person, or let them be themselves again."""
    has_parted = listen(turn)
    has_woken = _wake(turn)
    under_way = _under_way(turn, control)
    lost = turn.lost_attempt()
    if not control.embodiment.is_active_at(turn.tick):
        _hand_back(turn, control, under_way)
    elif lost is not None:
        _lose(turn, lost, under_way)
    elif _begin_requested(turn, control, under_way) or _go_on(
        turn, under_way, has_parted=has_parted
    ):
        pass
    elif has_parted or (turn.is_over and not has_woken and turn.talk is None):
        look_around(turn)


def _under_way(turn: Turn, control: Control) -> ActionRequest | None:
    """Return what the person is at; nothing of an earlier embodiment is."""
    request = control.in_progress
    if request is None or request.embodiment == control.embodiment.number:
        return request
    _refuse(turn, request, HANDED_BACK, AS_IT_IS_OVER)
    return None


def _lose(turn: Turn, node: str, under_way: ActionRequest | None) -> None:
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


def _begin_requested(turn: Turn, control: Control, under_way: ActionRequest | None) -> bool:
    """Do the first thing asked; return whether the person did any."""
    for request in control.requests:
        if request.kind in {RequestKind.BEGIN, RequestKind.END}:
            _answer(turn, request, Outcome.DONE)
        elif request.embodiment != control.embodiment.number:
            _refuse(turn, request, HANDED_BACK, AS_IT_IS_OVER)
        elif _carry_out(turn, request):
            _abandon(turn, under_way, request)
            return True
    return False


def _carry_out(turn: Turn, request: ActionRequest) -> bool:
    """Begin what is asked; return whether the person did anything."""
    if request.kind is RequestKind.SAY:
        try:
            say(
                turn,
                request.body["text"],
                to=request.body["to"],
                ends=request.body["ends"],
                cause=request.event,
            )
        except DomainError as refusal:
            _refuse(turn, request, refusal.code, refusal.message)
            return False
        _answer(turn, request, Outcome.DONE)
        return True
    break_off(turn)
    _answer(turn, request, Outcome.BEGUN)
    _advance(turn, request)
    return True


def _go_on(turn: Turn, request: ActionRequest | None, *, has_parted: bool) -> bool:
    """Go on with what is under way where a step of it is over; return whether to."""
    if request is None:
        return False
    if turn.talk is not None or not (turn.is_over or has_parted):
        return False
    if request.kind is RequestKind.ACT and turn.action is not None and _is_using(turn, request):
        _right(turn, request)
        _answer(turn, request, Outcome.DONE)
        return False
    _advance(turn, request)
    return True


def _advance(turn: Turn, request: ActionRequest) -> None:
    """Walk on, or do on the spot what is asked."""
    if request.kind is RequestKind.ACT:
        act_out(turn, _with_looks(turn, _errand(turn, request)), cause=request.event)
        _refuse_if_turned_away(turn, request)
        return
    spot = _spot(turn, request)
    if turn.tile == spot:
        _answer(turn, request, Outcome.DONE)
        look_around(turn)
        return
    set_out(turn, _errand(turn, request), spot, request.event)
    _refuse_if_turned_away(turn, request)


def _refuse_if_turned_away(turn: Turn, request: ActionRequest) -> None:
    why = turn.turned_away()
    if why:
        _refuse(turn, request, TURNED_AWAY, why)


def _abandon(turn: Turn, under_way: ActionRequest | None, request: ActionRequest) -> None:
    """Give up what the person is at for something else; who talks holds on to an object."""
    if under_way is None:
        return
    if request.kind is RequestKind.SAY and _is_using(turn, under_way):
        return
    _refuse(turn, under_way, BROKEN_OFF, "something else was asked before it was done")


def _errand(turn: Turn, request: ActionRequest) -> Errand:
    """Return what is asked as something to be done, for now."""
    tree = turn.constants.world.tree
    if request.kind is RequestKind.MOVE:
        spot = _spot(turn, request)
        area = turn.constants.world.map.area_at(spot)
        doing, used, until = LOOKING_AROUND, "", FOREVER_TICK
    else:
        used = request.body["object"]
        area = tree.area_of(used)
        doing = request.body["doing"]
        minutes = request.body["minutes"]
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
    emoji, state = stage(turn.llm, turn.identity.name, errand.description, errand.object)
    return replace(errand, emoji=emoji, object_state=state)


def _spot(turn: Turn, request: ActionRequest) -> Tile:
    """Return the tile that a walk leads to; the same until it is reached."""
    x_and_y = request.body["tile"]
    if x_and_y is not None:
        return x_and_y[0], x_and_y[1]
    world = turn.constants.world
    node = world.tree.node(request.body["to"])
    if node.kind is NodeKind.OBJECT:
        spots = world.map.use_tiles(node.path)
    else:
        spots = world.map.standing_tiles(node.path)
        if turn.tile in spots:
            return turn.tile
    return choice(spots, turn.constants.seed, "spot", turn.identity.slug, request.event)


def _is_using(turn: Turn, request: ActionRequest) -> bool:
    action = turn.action
    return (
        request.kind is RequestKind.ACT
        and action is not None
        and not action.towards
        and action.object == request.body["object"]
    )


def _right(turn: Turn, request: ActionRequest) -> None:
    """Note that the person has done something about a state that a user had set (U3)."""
    action = turn.action
    state = turn.view.set_state_of(request.body["object"])
    if state is not None and action is not None and state.from_tick < action.from_tick:
        turn.say(ObjectRighted(object=state.object, since=state.event), cause=request.event)


# --- Handing back ----------------------------------------------------------------------------


def _hand_back(turn: Turn, control: Control, under_way: ActionRequest | None) -> None:
    """Let the person be themselves again: what is left open is not done any more."""
    ended = ""
    left = control.requests if under_way is None else (under_way, *control.requests)
    for request in left:
        if request.kind in {RequestKind.BEGIN, RequestKind.END}:
            ended = request.event
            _answer(turn, request, Outcome.DONE)
        else:
            _refuse(turn, request, HANDED_BACK, AS_IT_IS_OVER)
    break_off(turn)
    if control.embodiment.is_visitor:
        turn.leaves_town = True
        return
    revise_plans(turn, reasons=(_control_ended(turn, control),), cause=ended)


def _control_ended(turn: Turn, control: Control) -> UserControlEnded:
    """Return what the agent did while a user controlled it."""
    began = control.embodiment.from_tick
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


def _answer(turn: Turn, request: ActionRequest, outcome: Outcome) -> None:
    turn.say(
        ActionRequestAnswered(call=request.event, outcome=outcome.value, code="", why=""),
        cause=request.event,
    )


def _refuse(turn: Turn, request: ActionRequest, code: str, why: str) -> None:
    turn.say(
        ActionRequestAnswered(
            call=request.event, outcome=Outcome.REFUSED.value, code=code, why=why
        ),
        cause=request.event,
    )
