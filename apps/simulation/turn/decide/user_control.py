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
from apps.simulation.turn.context.outcome import (
    Perform,
    PlannedStep,
    RevisePlan,
    TurnOutcome,
    WalkTo,
    record,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.doors import door_between, open_door
from apps.simulation.turn.decide.react import state_before_action
from apps.simulation.turn.decide.social_acts import can_go_on, end_act
from apps.simulation.turn.decide.user_speech import listen, say
from apps.simulation.turn.perceive.situation import name_known
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


def act_for_user(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Perform what the user requests of the agent, or give the control back to it."""
    control = context.control
    assert control is not None, "the pipeline asks for controlled agents only"
    outcome = listen(context, outcome)
    has_parted = context.view.own_talk is not None and outcome.talk is None
    is_waking = context.action is not None and context.action.asleep
    if is_waking:
        outcome = look_around(context, outcome)
    outcome, under_way = _under_way(context, outcome, control)
    if not control.embodiment.is_active_at(context.tick):
        return _hand_back(context, outcome, control, under_way)
    lost = context.view.lost_attempt()
    if lost is not None:
        step = None if under_way is None else step_of_request(context, under_way)
        return give_up_attempt(context, replace(outcome, request=under_way), lost, step)
    outcome, has_begun = _begin_requested(context, outcome, control, under_way)
    if has_begun:
        return outcome
    outcome, goes_on = _go_on(context, outcome, under_way, has_parted=has_parted)
    if goes_on:
        return outcome
    if has_parted or (context.is_action_over and not is_waking and outcome.talk is None):
        return look_around(context, outcome)
    return outcome


def answer_requests(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Refuse the request that could not be carried out, and the one that was dropped for it."""
    if outcome.request is not None and outcome.refusal:
        outcome = refuse_request(
            context, outcome, outcome.request, TURNED_AWAY, outcome.refusal
        )
    if outcome.request is not None and isinstance(outcome.request.action, WithAgent):
        act = outcome.request.action
        outcome = _answer_act(context, outcome, outcome.request, act)
    if outcome.dropped is not None:
        outcome = refuse_request(context, outcome, outcome.dropped, BROKEN_OFF, WHY_BROKEN_OFF)
    return outcome


def _answer_act(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, act: WithAgent
) -> TurnOutcome:
    """Answer a requested act that has ended in this turn."""
    reports = [new.event for new in outcome.events if isinstance(new.event, ActReported)]
    ended = [one.outcome for one in reports if one.outcome.is_over]
    if not ended:
        return outcome
    if ended[-1] is ActOutcome.DONE:
        return answer_request(context, outcome, request, Outcome.DONE)
    why = f"{name_known(context, act.other)} was not found"
    return refuse_request(context, outcome, request, NOT_FOUND, why)


def leave_simulation(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Leave the simulation, as a visitor does when the control ends."""
    return record(context, outcome, AgentLeft())


def _under_way(
    context: TurnContext, outcome: TurnOutcome, control: Control
) -> tuple[TurnOutcome, ActionRequest | None]:
    """Return the request in progress; one of an earlier embodiment is refused."""
    request = control.in_progress
    if request is None or request.embodiment == control.embodiment.number:
        return outcome, request
    return refuse_request(context, outcome, request, HANDED_BACK, WHY_HANDED_BACK), None


def _begin_requested(
    context: TurnContext,
    outcome: TurnOutcome,
    control: Control,
    under_way: ActionRequest | None,
) -> tuple[TurnOutcome, bool]:
    """Begin the first action requested; return whether there was one."""
    for request in control.requests:
        if request.action is None:
            outcome = answer_request(context, outcome, request, Outcome.DONE)
            continue
        if request.embodiment != control.embodiment.number:
            outcome = refuse_request(context, outcome, request, HANDED_BACK, WHY_HANDED_BACK)
            continue
        outcome, has_begun = _carry_out(context, outcome, request)
        if has_begun:
            return _drop(context, outcome, under_way, request), True
    return outcome, False


def _carry_out(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest
) -> tuple[TurnOutcome, bool]:
    """Begin what is requested; return whether the agent could."""
    action = request.action
    if isinstance(action, Open):
        return _open(context, outcome, request, action.to), False
    if not isinstance(action, Say):
        outcome = break_off(context, outcome)
        outcome = answer_request(context, outcome, request, Outcome.BEGUN)
        return _advance(context, outcome, request), True
    try:
        outcome = say(context, outcome, action, cause=request.event)
    except DomainError as error:
        return refuse_request(context, outcome, request, error.code, error.message), False
    return answer_request(context, outcome, request, Outcome.DONE), True


def _open(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, visitor: str
) -> TurnOutcome:
    """Open the door to a visitor before it, whatever the agent is doing."""
    node = door_between(context, visitor)
    if not node:
        name = context.name_of(visitor)
        return refuse_request(
            context, outcome, request, NOBODY_AT_THE_DOOR, f"{name} is not at a door of yours"
        )
    outcome = open_door(context, outcome, node=node, visitor=visitor, cause=request.event)
    return answer_request(context, outcome, request, Outcome.DONE)


def _go_on(
    context: TurnContext,
    outcome: TurnOutcome,
    request: ActionRequest | None,
    *,
    has_parted: bool,
) -> tuple[TurnOutcome, bool]:
    """Go on with the request where a step of it is over; return whether there is more to do."""
    if request is None or outcome.talk is not None:
        return outcome, False
    if isinstance(request.action, WithAgent):
        return _go_on_with_agent(context, outcome, request)
    if not (context.is_action_over or has_parted):
        return outcome, False
    if is_using(context, request):
        outcome = _restore_object(context, outcome, request)
        return answer_request(context, outcome, request, Outcome.DONE), False
    return _advance(context, outcome, request), True


def _go_on_with_agent(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest
) -> tuple[TurnOutcome, bool]:
    """Go on with an act where the other agent comes or goes, or a step is over."""
    step = step_of_request(context, request)
    is_bounded = step.act.kind in {ActKind.WAIT_FOR, ActKind.FOLLOW}
    if is_bounded and context.is_action_over and context.tick >= step.to_tick:
        outcome = end_act(context, outcome, step)
        return look_around(context, replace(outcome, request=request)), True
    if context.is_action_over or can_go_on(context, step):
        return _advance(context, outcome, request), True
    return outcome, False


def _advance(context: TurnContext, outcome: TurnOutcome, request: ActionRequest) -> TurnOutcome:
    """Walk on, or perform on the spot what is requested."""
    outcome = replace(outcome, request=request)
    step = step_of_request(context, request)
    if not isinstance(request.action, Move):
        return outcome.intending(Perform(step=step, cause=request.event))
    spot = spot_of(context, request, request.action)
    if context.tile != spot:
        return outcome.intending(WalkTo(step=step, spot=spot, cause=request.event))
    outcome = answer_request(context, outcome, request, Outcome.DONE)
    return look_around(context, outcome)


def _drop(
    context: TurnContext,
    outcome: TurnOutcome,
    under_way: ActionRequest | None,
    request: ActionRequest,
) -> TurnOutcome:
    """Give up the request in progress for another; an agent can talk and use an object."""
    if under_way is None:
        return outcome
    if isinstance(request.action, Say) and is_using(context, under_way):
        return outcome
    return replace(outcome, dropped=under_way)


def _restore_object(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest
) -> TurnOutcome:
    """Restore a state that a user had set before the agent began to use the object (U3)."""
    assert isinstance(request.action, Use), "the agent uses the object of the request"
    state = state_before_action(context, request.action.object)
    if state is None:
        return outcome
    restored = ObjectRighted(object=state.object, since=state.event)
    return record(context, outcome, restored, cause=request.event)


def _hand_back(
    context: TurnContext,
    outcome: TurnOutcome,
    control: Control,
    under_way: ActionRequest | None,
) -> TurnOutcome:
    """Give the control back to the agent: open requests are refused, the day is replanned."""
    ended = ""
    open_requests = control.requests if under_way is None else (under_way, *control.requests)
    for request in open_requests:
        if request.action is None:
            ended = request.event
            outcome = answer_request(context, outcome, request, Outcome.DONE)
        else:
            outcome = refuse_request(context, outcome, request, HANDED_BACK, WHY_HANDED_BACK)
    outcome = break_off(context, outcome)
    if control.embodiment.is_visitor:
        return replace(outcome, leaves_simulation=True)
    reason = UserControlEnded(
        since=context.constants.calendar.time_at(control.embodiment.from_tick),
        activities=context.records.activities_under_control,
    )
    return outcome.intending(RevisePlan(reasons=(reason,), cause=ended))


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
    world = context.constants.world
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
    whom = name_known(context, act.other)
    thing = f" {act.thing}" if act.thing else ""
    area = context.constants.world.tree.area_of(act.object) if act.object else context.area
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
    tile_map = context.constants.world.map
    if context.tile in tile_map.standing_tiles(walk.to):
        return context.tile
    spots = tile_map.spots(walk.to)
    return choice(spots, context.constants.seed, "spot", context.identity.slug, request.event)


def is_using(context: TurnContext, request: ActionRequest) -> bool:
    """Return whether the agent uses the object of the request."""
    action = context.action
    return (
        isinstance(request.action, Use)
        and action is not None
        and not action.towards
        and action.object == request.action.object
    )


def answer_request(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, request_outcome: Outcome
) -> TurnOutcome:
    """Record the outcome of a request that was begun or done."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=request_outcome.value, code="", why=""
    )
    return record(context, outcome, answered, cause=request.event)


def refuse_request(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, code: str, why: str
) -> TurnOutcome:
    """Record that a request is refused, with the error code and the reason."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=Outcome.REFUSED.value, code=code, why=why
    )
    return record(context, outcome, answered, cause=request.event)
