"""Act under the control of a user (U4).

The agent perceives and remembers as always; it performs what the user requests, one action a
turn, under the same norms as all agents, and no model is asked what to do. When the control
ends, the rest of its day is planned again.
"""

from dataclasses import replace

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActReported, AgentLeft, ObjectRighted
from apps.kernel.errors import DomainError
from apps.planning.inputs import UserControlEnded
from apps.simulation.embodiment.rules import ActionRequest, Control, Outcome, RequestKind
from apps.simulation.turn.context.outcome import (
    Perform,
    RevisePlan,
    TurnOutcome,
    WalkTo,
    record,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.answer_knocks import door_between, open_door
from apps.simulation.turn.decide.react import state_before_action
from apps.simulation.turn.decide.social_acts import can_go_on, end_act
from apps.simulation.turn.decide.user_speech import UserUtterance, listen, say
from apps.simulation.turn.perceive.situation import name_known
from apps.simulation.turn.perform.action_requests import (
    answer_request,
    is_using,
    refuse_request,
    spot_of,
    step_of_request,
)
from apps.simulation.turn.perform.refusal import give_up_attempt
from apps.simulation.turn.perform.stay import look_around

TURNED_AWAY = "turned-away"
NOT_FOUND = "agent-not-found"
NOBODY_AT_THE_DOOR = "nobody-at-the-door"
BROKEN_OFF = "broken-off"
HANDED_BACK = "handed-back"
WHY_HANDED_BACK = "the control of the agent ended before it was done"
WHY_BROKEN_OFF = "another action was requested before it was done"


def act_for_user(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Perform what the user requests of the agent, or give the control back to it."""
    control = context.control
    assert control is not None, "the pipeline asks for controlled agents only"
    so_far = listen(context, so_far)
    has_parted = context.view.own_talk is not None and so_far.talk is None
    is_waking = context.action is not None and context.action.asleep
    if is_waking:
        so_far = look_around(context, so_far)
    so_far, under_way = _under_way(context, so_far, control)
    if not control.embodiment.is_active_at(context.tick):
        return _hand_back(context, so_far, control, under_way)
    lost = context.view.lost_attempt()
    if lost is not None:
        step = None if under_way is None else step_of_request(context, under_way)
        return give_up_attempt(context, replace(so_far, request=under_way), lost, step)
    so_far, has_begun = _begin_requested(context, so_far, control, under_way)
    if has_begun:
        return so_far
    so_far, goes_on = _go_on(context, so_far, under_way, has_parted=has_parted)
    if goes_on:
        return so_far
    if has_parted or (context.is_action_over and not is_waking and so_far.talk is None):
        return look_around(context, so_far)
    return so_far


def answer_requests(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Refuse the request that could not be carried out, and the one that was dropped for it."""
    if so_far.request is not None and so_far.refusal:
        so_far = refuse_request(context, so_far, so_far.request, TURNED_AWAY, so_far.refusal)
    if so_far.request is not None and so_far.request.kind is RequestKind.WITH_AGENT:
        so_far = _answer_act(context, so_far, so_far.request)
    if so_far.dropped is not None:
        so_far = refuse_request(context, so_far, so_far.dropped, BROKEN_OFF, WHY_BROKEN_OFF)
    return so_far


def _answer_act(
    context: TurnContext, so_far: TurnOutcome, request: ActionRequest
) -> TurnOutcome:
    """Answer a requested act that has ended in this turn."""
    reports = [new.event for new in so_far.events if isinstance(new.event, ActReported)]
    ended = [one.outcome for one in reports if one.outcome.is_over]
    if not ended:
        return so_far
    if ended[-1] is ActOutcome.DONE:
        return answer_request(context, so_far, request, Outcome.DONE)
    why = f"{name_known(context, request.body['other'])} was not found"
    return refuse_request(context, so_far, request, NOT_FOUND, why)


def leave_simulation(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Leave the simulation, as a visitor does when the control ends."""
    return record(context, so_far, AgentLeft())


def _under_way(
    context: TurnContext, so_far: TurnOutcome, control: Control
) -> tuple[TurnOutcome, ActionRequest | None]:
    """Return the request in progress; one of an earlier embodiment is refused."""
    request = control.in_progress
    if request is None or request.embodiment == control.embodiment.number:
        return so_far, request
    return refuse_request(context, so_far, request, HANDED_BACK, WHY_HANDED_BACK), None


def _begin_requested(
    context: TurnContext,
    so_far: TurnOutcome,
    control: Control,
    under_way: ActionRequest | None,
) -> tuple[TurnOutcome, bool]:
    """Begin the first action requested; return whether there was one."""
    for request in control.requests:
        if request.kind in {RequestKind.BEGIN, RequestKind.END}:
            so_far = answer_request(context, so_far, request, Outcome.DONE)
            continue
        if request.embodiment != control.embodiment.number:
            so_far = refuse_request(context, so_far, request, HANDED_BACK, WHY_HANDED_BACK)
            continue
        so_far, has_begun = _carry_out(context, so_far, request)
        if has_begun:
            return _drop(context, so_far, under_way, request), True
    return so_far, False


def _carry_out(
    context: TurnContext, so_far: TurnOutcome, request: ActionRequest
) -> tuple[TurnOutcome, bool]:
    """Begin what is requested; return whether the agent could."""
    if request.kind is RequestKind.OPEN:
        return _open(context, so_far, request), False
    if request.kind is not RequestKind.SAY:
        so_far = break_off(context, so_far)
        so_far = answer_request(context, so_far, request, Outcome.BEGUN)
        return _advance(context, so_far, request), True
    words = UserUtterance(**request.body)
    try:
        so_far = say(context, so_far, words, cause=request.event)
    except DomainError as error:
        return refuse_request(context, so_far, request, error.code, error.message), False
    return answer_request(context, so_far, request, Outcome.DONE), True


def _open(context: TurnContext, so_far: TurnOutcome, request: ActionRequest) -> TurnOutcome:
    """Open the door to a visitor before it, whatever the agent is doing."""
    visitor = request.body["to"]
    node = door_between(context, visitor)
    if not node:
        name = context.name_of(visitor)
        return refuse_request(
            context, so_far, request, NOBODY_AT_THE_DOOR, f"{name} is not at a door of yours"
        )
    so_far = open_door(context, so_far, node=node, visitor=visitor, cause=request.event)
    return answer_request(context, so_far, request, Outcome.DONE)


def _go_on(
    context: TurnContext,
    so_far: TurnOutcome,
    request: ActionRequest | None,
    *,
    has_parted: bool,
) -> tuple[TurnOutcome, bool]:
    """Go on with the request where a step of it is over; return whether there is more to do."""
    if request is None or so_far.talk is not None:
        return so_far, False
    if request.kind is RequestKind.WITH_AGENT:
        return _go_on_with_agent(context, so_far, request)
    if not (context.is_action_over or has_parted):
        return so_far, False
    if is_using(context, request):
        so_far = _restore_object(context, so_far, request)
        return answer_request(context, so_far, request, Outcome.DONE), False
    return _advance(context, so_far, request), True


def _go_on_with_agent(
    context: TurnContext, so_far: TurnOutcome, request: ActionRequest
) -> tuple[TurnOutcome, bool]:
    """Go on with an act where the other agent comes or goes, or a step is over."""
    step = step_of_request(context, request)
    is_bounded = step.act.kind in {ActKind.WAIT_FOR, ActKind.FOLLOW}
    if is_bounded and context.is_action_over and context.tick >= step.to_tick:
        so_far = end_act(context, so_far, step)
        return look_around(context, replace(so_far, request=request)), True
    if context.is_action_over or can_go_on(context, step):
        return _advance(context, so_far, request), True
    return so_far, False


def _advance(context: TurnContext, so_far: TurnOutcome, request: ActionRequest) -> TurnOutcome:
    """Walk on, or perform on the spot what is requested."""
    so_far = replace(so_far, request=request)
    step = step_of_request(context, request)
    if request.kind in {RequestKind.ACT, RequestKind.WITH_AGENT}:
        return so_far.intending(Perform(step=step, cause=request.event))
    spot = spot_of(context, request)
    if context.tile != spot:
        return so_far.intending(WalkTo(step=step, spot=spot, cause=request.event))
    so_far = answer_request(context, so_far, request, Outcome.DONE)
    return look_around(context, so_far)


def _drop(
    context: TurnContext,
    so_far: TurnOutcome,
    under_way: ActionRequest | None,
    request: ActionRequest,
) -> TurnOutcome:
    """Give up the request in progress for another; an agent can talk and use an object."""
    if under_way is None:
        return so_far
    if request.kind is RequestKind.SAY and is_using(context, under_way):
        return so_far
    return replace(so_far, dropped=under_way)


def _restore_object(
    context: TurnContext, so_far: TurnOutcome, request: ActionRequest
) -> TurnOutcome:
    """Restore a state that a user had set before the agent began to use the object (U3)."""
    state = state_before_action(context, request.body["object"])
    if state is None:
        return so_far
    restored = ObjectRighted(object=state.object, since=state.event)
    return record(context, so_far, restored, cause=request.event)


def _hand_back(
    context: TurnContext,
    so_far: TurnOutcome,
    control: Control,
    under_way: ActionRequest | None,
) -> TurnOutcome:
    """Give the control back to the agent: open requests are refused, the day is replanned."""
    ended = ""
    open_requests = control.requests if under_way is None else (under_way, *control.requests)
    for request in open_requests:
        if request.kind in {RequestKind.BEGIN, RequestKind.END}:
            ended = request.event
            so_far = answer_request(context, so_far, request, Outcome.DONE)
        else:
            so_far = refuse_request(context, so_far, request, HANDED_BACK, WHY_HANDED_BACK)
    so_far = break_off(context, so_far)
    if control.embodiment.is_visitor:
        return replace(so_far, leaves_simulation=True)
    reason = UserControlEnded(
        since=context.constants.calendar.time_at(control.embodiment.from_tick),
        activities=context.records.activities_under_control,
    )
    return so_far.intending(RevisePlan(reasons=(reason,), cause=ended))
