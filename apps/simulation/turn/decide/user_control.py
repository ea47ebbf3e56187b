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
from apps.simulation.embodiment.requested_actions import Move, Open, Say, Use, WithAgent
from apps.simulation.embodiment.rules import ActionRequest, Control, Outcome
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
from apps.simulation.turn.decide.user_speech import listen, say
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
