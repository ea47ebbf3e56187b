"""Act under the control of a user (U4).

The agent perceives and remembers as always; it performs what the user requests, one action a
turn, under the same norms as all agents, and no model is asked what to do. When the control
ends, the rest of its day is planned again.
"""

from dataclasses import replace

from apps.agents.acts import Act, ActKind, ActOutcome
from apps.agents.events import ActionKind, ActReported, AgentLeft, ObjectRighted
from apps.kernel.chance import choice
from apps.kernel.errors import DomainError
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import noted, phrase
from apps.planning.inputs import UserControlEnded
from apps.simulation.embodiment.events import ActionRequestAnswered
from apps.simulation.embodiment.requested_actions import (
    ActionRequest,
    Control,
    Move,
    Open,
    Outcome,
    Say,
    Use,
    WithAgent,
)
from apps.simulation.turn.context.outcome import Perform, PlannedStep, RevisePlan, Turn, WalkTo
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.doors import door_between, open_door
from apps.simulation.turn.decide.react import state_before_action
from apps.simulation.turn.decide.social_acts import can_go_on, end_act
from apps.simulation.turn.decide.user_speech import listen, say
from apps.simulation.turn.perform.refusal import give_up_attempt
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS, LOOKING_AROUND, look_around
from apps.world.tile_map import Tile

TURNED_AWAY = "turned-away"
NOT_FOUND = "agent-not-found"
NOBODY_AT_THE_DOOR = "nobody-at-the-door"
BROKEN_OFF = "broken-off"
HANDED_BACK = "handed-back"
WHY_HANDED_BACK = "the control of the agent ended before it was done"
WHY_BROKEN_OFF = "another action was requested before it was done"


def act_for_user(turn: Turn) -> Turn:
    """Perform what the user requests of the agent, or give the control back to it."""
    control = turn.control
    assert control is not None, "the pipeline asks for controlled agents only"
    turn = listen(turn)
    is_waking = turn.action is not None and turn.action.asleep
    if is_waking:
        turn = look_around(turn)
    turn, under_way = _under_way(turn, control)
    if not control.embodiment.is_active_at(turn.tick):
        return _hand_back(turn, control, under_way)
    lost = turn.view.lost_attempt()
    if lost is not None:
        step = None if under_way is None else step_of_request(turn, under_way)
        return give_up_attempt(replace(turn, request=under_way), lost, step)
    turn, has_begun = _begin_requested(turn, control, under_way)
    if has_begun:
        return turn
    turn, goes_on = _go_on(turn, under_way)
    if goes_on:
        return turn
    if turn.has_parted or (turn.is_action_over and not is_waking and turn.talk is None):
        return look_around(turn)
    return turn


def answer_requests(turn: Turn) -> Turn:
    """Refuse the request that could not be carried out, and the one that was dropped for it."""
    if turn.request is not None and turn.refusal:
        turn = refuse_request(turn, turn.request, TURNED_AWAY, turn.refusal)
    if turn.request is not None and isinstance(turn.request.action, WithAgent):
        act = turn.request.action
        turn = _answer_act(turn, turn.request, act)
    if turn.dropped is not None:
        turn = refuse_request(turn, turn.dropped, BROKEN_OFF, WHY_BROKEN_OFF)
    return turn


def _answer_act(turn: Turn, request: ActionRequest, act: WithAgent) -> Turn:
    """Answer a requested act that has ended in this turn."""
    reports = [new.event for new in turn.events if isinstance(new.event, ActReported)]
    ended = [one.outcome for one in reports if one.outcome.is_over]
    if not ended:
        return turn
    if ended[-1] is ActOutcome.DONE:
        return answer_request(turn, request, Outcome.DONE)
    why = f"{turn.name_known(act.other)} was not found"
    return refuse_request(turn, request, NOT_FOUND, why)


def leave_simulation(turn: Turn) -> Turn:
    """Leave the simulation, as a visitor does when the control ends."""
    return turn.record(AgentLeft())


def _under_way(turn: Turn, control: Control) -> tuple[Turn, ActionRequest | None]:
    """Return the request in progress; one of an earlier embodiment is refused."""
    request = control.in_progress
    if request is None or request.embodiment == control.embodiment.number:
        return turn, request
    return refuse_request(turn, request, HANDED_BACK, WHY_HANDED_BACK), None


def _begin_requested(
    turn: Turn, control: Control, under_way: ActionRequest | None
) -> tuple[Turn, bool]:
    """Begin the first action requested; return whether there was one."""
    for request in control.requests:
        if request.action is None:
            turn = answer_request(turn, request, Outcome.DONE)
            continue
        if request.embodiment != control.embodiment.number:
            turn = refuse_request(turn, request, HANDED_BACK, WHY_HANDED_BACK)
            continue
        turn, has_begun = _carry_out(turn, request)
        if has_begun:
            return _drop(turn, under_way, request), True
    return turn, False


def _carry_out(turn: Turn, request: ActionRequest) -> tuple[Turn, bool]:
    """Begin what is requested; return whether the agent could."""
    action = request.action
    if isinstance(action, Open):
        return _open(turn, request, action.to), False
    if not isinstance(action, Say):
        turn = break_off(turn)
        turn = answer_request(turn, request, Outcome.BEGUN)
        return _advance(turn, request), True
    try:
        turn = say(turn, action, cause=request.event)
    except DomainError as error:
        return refuse_request(turn, request, error.code, error.message), False
    return answer_request(turn, request, Outcome.DONE), True


def _open(turn: Turn, request: ActionRequest, visitor: str) -> Turn:
    """Open the door to a visitor before it, whatever the agent is doing."""
    node = door_between(turn, visitor)
    if not node:
        name = turn.name_of(visitor)
        return refuse_request(
            turn, request, NOBODY_AT_THE_DOOR, f"{name} is not at a door of yours"
        )
    turn = open_door(turn, node=node, visitor=visitor, cause=request.event)
    return answer_request(turn, request, Outcome.DONE)


def _go_on(turn: Turn, request: ActionRequest | None) -> tuple[Turn, bool]:
    """Go on with the request where a step of it is over; return whether there is more to do."""
    if request is None or turn.talk is not None:
        return turn, False
    if isinstance(request.action, WithAgent):
        return _go_on_with_agent(turn, request)
    if not (turn.is_action_over or turn.has_parted):
        return turn, False
    if is_using(turn, request):
        turn = _restore_object(turn, request)
        return answer_request(turn, request, Outcome.DONE), False
    return _advance(turn, request), True


def _go_on_with_agent(turn: Turn, request: ActionRequest) -> tuple[Turn, bool]:
    """Go on with an act where the other agent comes or goes, or a step is over."""
    step = step_of_request(turn, request)
    is_bounded = step.act.kind in {ActKind.WAIT_FOR, ActKind.FOLLOW}
    if is_bounded and turn.is_action_over and turn.tick >= step.to_tick:
        turn = end_act(turn, step)
        return look_around(replace(turn, request=request)), True
    if turn.is_action_over or can_go_on(turn, step):
        return _advance(turn, request), True
    return turn, False


def _advance(turn: Turn, request: ActionRequest) -> Turn:
    """Walk on, or perform on the spot what is requested."""
    turn = replace(turn, request=request)
    step = step_of_request(turn, request)
    if not isinstance(request.action, Move):
        return turn.intending(Perform(step=step, cause=request.event))
    spot = spot_of(turn, request, request.action)
    if turn.tile != spot:
        return turn.intending(WalkTo(step=step, spot=spot, cause=request.event))
    turn = answer_request(turn, request, Outcome.DONE)
    return look_around(turn)


def _drop(turn: Turn, under_way: ActionRequest | None, request: ActionRequest) -> Turn:
    """Give up the request in progress for another; an agent can talk and use an object."""
    if under_way is None:
        return turn
    if isinstance(request.action, Say) and is_using(turn, under_way):
        return turn
    return replace(turn, dropped=under_way)


def _restore_object(turn: Turn, request: ActionRequest) -> Turn:
    """Restore a state that a user had set before the agent began to use the object (U3)."""
    assert isinstance(request.action, Use), "the agent uses the object of the request"
    state = state_before_action(turn, request.action.object)
    if state is None:
        return turn
    restored = ObjectRighted(object=state.object, since=state.event)
    return turn.record(restored, cause=request.event)


def _hand_back(turn: Turn, control: Control, under_way: ActionRequest | None) -> Turn:
    """Give the control back to the agent: open requests are refused, the day is replanned."""
    ended = ""
    open_requests = control.requests if under_way is None else (under_way, *control.requests)
    for request in open_requests:
        if request.action is None:
            ended = request.event
            turn = answer_request(turn, request, Outcome.DONE)
        else:
            turn = refuse_request(turn, request, HANDED_BACK, WHY_HANDED_BACK)
    turn = break_off(turn)
    if control.embodiment.is_visitor:
        return replace(turn, leaves_simulation=True)
    reason = UserControlEnded(
        since=turn.calendar.time_at(control.embodiment.from_tick),
        activities=turn.records.activities_under_control,
    )
    return turn.intending(RevisePlan(reasons=(reason,), cause=ended))


USE_EMOJI, USE_STATE = "✋", noted("in use")
_DOING = {
    ActKind.LOOK_FOR: noted("looking for {whom}"),
    ActKind.WAIT_FOR: noted("waiting for {whom}"),
    ActKind.FOLLOW: noted("following {whom}"),
    ActKind.GIVE: noted("giving{thing} to {whom}"),
    ActKind.LEAVE: noted("leaving{thing}"),
}


def step_of_request(context: TurnContext, request: ActionRequest) -> PlannedStep:
    """Return the request as a step that begins now."""
    world = context.world
    match request.action:
        case WithAgent() as act:
            return _step_of_act(context, request, act)
        case Use() as use:
            used, doing = use.object, use.doing
            area = world.tree.area_of(used)
            until = context.tick + context.ticks_of(minutes=use.minutes)
            emoji, state = use.emoji or USE_EMOJI, use.state or phrase(USE_STATE)
        case Move() as walk:
            area = world.map.area_at(spot_of(context, request, walk))
            doing, used, until = phrase(LOOKING_AROUND), "", FOREVER_TICK
            emoji, state = EMOJI_OF_KINDS[ActionKind.IDLE], ""
        case other:
            raise TypeError(f"{other} is no step of its own")
    return PlannedStep(
        kind=ActionKind.USER_CONTROLLED,
        description=doing,
        emoji=emoji,
        area=area,
        object=used,
        object_state=state,
        from_tick=context.tick,
        to_tick=until,
    )


def _step_of_act(context: TurnContext, request: ActionRequest, act: WithAgent) -> PlannedStep:
    """Return the requested act as a step of the ticks from its request on."""
    whom = context.name_known(act.other)
    thing = f" {act.thing}" if act.thing else ""
    area = context.tree.area_of(act.object) if act.object else context.area
    # A wait is as long as requested; a thing is left when the agent is there.
    begins = context.tick if act.kind.leaves_thing else request.tick
    return PlannedStep(
        kind=ActionKind.USER_CONTROLLED,
        description=phrase(_DOING[act.kind], whom=whom, thing=thing),
        emoji=USE_EMOJI,
        area=area,
        object=act.object,
        object_state=act.state,
        from_tick=request.tick,
        to_tick=begins + context.ticks_of(minutes=act.minutes),
        act=Act(kind=act.kind, other=act.other, about=act.thing),
    )


def spot_of(context: TurnContext, request: ActionRequest, walk: Move) -> Tile:
    """Return the tile that a walk leads to; the same until it is reached."""
    if walk.tile is not None:
        return walk.tile
    tile_map = context.map
    if context.tile in tile_map.standing_tiles(walk.to):
        return context.tile
    spots = tile_map.spots(walk.to)
    return choice(spots, context.seed, "spot", context.identity.slug, request.event)


def is_using(context: TurnContext, request: ActionRequest) -> bool:
    """Return whether the agent uses the object of the request."""
    action = context.action
    return (
        isinstance(request.action, Use)
        and action is not None
        and not action.towards
        and action.object == request.action.object
    )


def answer_request(turn: Turn, request: ActionRequest, request_outcome: Outcome) -> Turn:
    """Record the outcome of a request that was begun or done."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=request_outcome.value, code="", why=""
    )
    return turn.record(answered, cause=request.event)


def refuse_request(turn: Turn, request: ActionRequest, code: str, why: str) -> Turn:
    """Record that a request is refused, with the error code and the reason."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=Outcome.REFUSED.value, code=code, why=why
    )
    return turn.record(answered, cause=request.event)
