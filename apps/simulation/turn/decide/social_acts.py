"""Acts between agents: talk to, phone, look for, wait for or follow one; tell, give, leave.

An act is performed only if the agent that it names is there. Otherwise the agent perceives
that it is not, and the plan goes on with the next action.
"""

from collections.abc import Callable
from dataclasses import replace

from apps.agents.acts import Act, ActKind, ActOutcome
from apps.agents.events import ActionKind, ObjectStateLeft
from apps.agents.track import Action
from apps.kernel.language import phrase
from apps.planning.events import ActionsPlanned
from apps.simulation.turn.context.outcome import (
    Perform,
    PlannedStep,
    SpeakTo,
    TurnOutcome,
    WalkTo,
    record,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.decide.reaction_candidates import is_free
from apps.simulation.turn.perceive.relationships import acquaintance_with
from apps.simulation.turn.perceive.situation import (
    SEEN_LATELY_MINUTES,
    destination_of,
    name_known,
)
from apps.simulation.turn.perform.act import cause_of_intention, is_at, report_act
from apps.simulation.turn.perform.plan_context import step_from, step_now, step_of
from apps.simulation.turn.perform.stay import look_around, pass_time, wait
from apps.simulation.turn.perform.walk import search, walk_to_area

# The longest wait for the participants of a joint action.
TOGETHER_MINUTES = 10
# What an agent does while its act has not begun.
_SEARCHING = frozenset({ActionKind.WALKING, ActionKind.KNOCKING, ActionKind.WAITING})


def pursue_act(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Go on with an act whose agent has come into view or moves on; end a wait in vain.

    A step with several agents begins once all of them have come.
    """
    own, step = context.action, step_now(context)
    if own is None or own.asleep:
        return outcome
    if own.act is ActKind.WAIT_FOR and context.is_action_over:
        return end_act(context, outcome, _step_of_own(own))
    if step is None or step.plan_item != own.plan_item or not can_go_on(context, step):
        return outcome
    return outcome.intending(Perform(step=step))


def end_search(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """End the act of an action whose time is over while its agent is still searched for.

    An agent that has come into view just then is spoken to.
    """
    ended, own = context.records.unreported, context.action
    if ended is None or own is None or own.kind not in _SEARCHING:
        return outcome
    step, other = step_of(ended), ended.other
    if not context.view.is_in_view(other):
        return report_act(context, outcome, step, ActOutcome.NOT_FOUND)
    if not step.act.is_said:
        return report_act(context, outcome, step, ActOutcome.DONE)
    if is_free(context, other):
        return _speak(context, outcome, step, other)
    return report_act(context, outcome, step, ActOutcome.BUSY)


def begin_act(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Perform the act of the step that the agent is about to perform, if it has one.

    A step that is done with agents who are not there waits for them, and is not performed if
    they do not come.
    """
    assert isinstance(outcome.intention, Perform), "the pipeline performs nothing else"
    step = outcome.intention.step
    if (absent := _absent(context, step)) and is_at(context, step):
        return _wait_together(context, outcome, step, absent[0])
    rule = _RULES.get(step.act.kind)
    return outcome if rule is None else rule(context, outcome, step)


def _step_of_own(own: Action) -> PlannedStep:
    """Return the current action as a step."""
    return PlannedStep(
        kind=own.kind,
        description=own.description,
        emoji=own.emoji,
        area=own.area,
        from_tick=own.from_tick,
        to_tick=own.until_tick,
        plan_item=own.plan_item,
        act=Act(kind=own.act, other=own.other),
    )


def can_go_on(context: TurnContext, step: PlannedStep) -> bool:
    """Return whether the agent of the act is in view, and something is to be done about it."""
    own, other = context.action, step.act.other
    if own is not None and own.kind is ActionKind.WAITING and step.with_agents:
        return not _absent(context, step)
    if own is None or not step.act.kind.names_agent or not context.view.is_in_view(other):
        return False
    match step.act.kind:
        case ActKind.GIVE:
            return False
        case ActKind.FOLLOW:
            area = destination_of(context, other)
            return bool(area) and area not in {context.area, own.towards}
        case ActKind.WAIT_FOR if not is_at(context, step):
            return False
        case _:
            return not step.act.is_said or is_free(context, other)


def _absent(context: TurnContext, step: PlannedStep) -> list[str]:
    """Return the participants of the step that are out of view."""
    return [other for other in step.with_agents if not context.view.is_in_view(other)]


def _wait_together(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, other: str
) -> TurnOutcome:
    """Wait once for the agents of the step that may come, then go on without it."""
    own = context.action
    until = min(step.to_tick, context.tick + context.ticks_of(minutes=TOGETHER_MINUTES))
    has_waited = (
        own is not None
        and own.kind is ActionKind.WAITING
        and own.plan_item == step.plan_item
        and context.is_action_over
    )
    if has_waited or until <= context.tick or not _may_come(context, other):
        together = Act(kind=ActKind.TOGETHER, other=other)
        return _conclude(context, outcome, replace(step, act=together), ActOutcome.NOT_FOUND)
    waiting = phrase("waiting for {what}", what=name_known(context, other))
    return wait(context, outcome, waiting, until=until, plan_item=step.plan_item)


def _may_come(context: TurnContext, other: str) -> bool:
    """Return whether there is reason to wait for an agent that is out of view.

    One that was here a while ago has left, such as a guest that is to be served. It comes back
    if it lives here, or if the two have an agreement for now.
    """
    if not context.name_of(other):
        return True  # it is not in the simulation, which the agent does not know
    if acquaintance_with(context, other).home:
        return True
    commitments = context.records.commitments
    if any(one.starts <= context.now < one.ends and other in one.others for one in commitments):
        return True
    seen = context.acquainted.agents.get(other)
    lately = context.tick - context.ticks_of(minutes=SEEN_LATELY_MINUTES)
    return seen is None or seen.area != context.area or seen.tick < lately


def end_act(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """End an act whose time is over: an agent that was waited for has not come."""
    in_vain = step.act.kind is not ActKind.FOLLOW and not context.view.is_in_view(
        step.act.other
    )
    act_outcome = ActOutcome.NOT_FOUND if in_vain else ActOutcome.DONE
    return report_act(context, outcome, step, act_outcome)


def _talk(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    other = step.act.other
    if not context.view.is_in_view(other):
        return _go_to(context, step, search(context, outcome, step))
    if context.view.is_asleep(other):
        return _conclude(context, outcome, step, ActOutcome.ASLEEP)
    if is_free(context, other):
        return _speak(context, outcome, step, other)
    until = context.tick + context.ticks_of(minutes=context.constants.settings.wait_minutes)
    if until >= step.to_tick or context.conversations.talk_of(other) is None:
        return _conclude(context, outcome, step, ActOutcome.BUSY)
    name = name_known(context, other)
    waiting = phrase("waiting for {what}", what=name)
    return wait(context, outcome, waiting, until=until, plan_item=step.plan_item)


def _phone(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Call the other agent; one that is in view is spoken to."""
    other = step.act.other
    if context.view.is_in_view(other):
        return _talk(context, outcome, step)
    if not is_at(context, step):
        return outcome
    if not context.name_of(other):  # it is not in the simulation
        return _conclude(context, outcome, step, ActOutcome.NO_ANSWER)
    return _speak(context, outcome, step, other)


def _look_for(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    if context.view.is_in_view(step.act.other):
        return _met(context, outcome, step)
    return _go_to(context, step, search(context, outcome, step))


def _wait_for(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Wait at the place of the step; an agent that is met on the way there has not come."""
    if is_at(context, step) and context.view.is_in_view(step.act.other):
        return _met(context, outcome, step)
    return outcome


def _met(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Say to the agent that is found or has come what the act is about, if anything."""
    if step.act.is_said:
        return _talk(context, outcome, step)
    return _conclude(context, outcome, step, ActOutcome.DONE)


def _follow(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Walk where the other agent walks, or stay where it stays."""
    other = step.act.other
    if not context.view.is_in_view(other):
        return _go_to(context, step, search(context, outcome, step))
    area = destination_of(context, other)
    if area and area != context.area:
        return _go_to(context, step, walk_to_area(context, outcome, step, area))
    return outcome.intending(
        Perform(
            step=replace(step, area=context.area, object="", object_state=""),
            cause=cause_of_intention(outcome),
        )
    )


def _tell(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    if not is_at(context, step):
        return outcome
    in_view = context.view.agents_in_view()
    free = [other for _distance, other in in_view if is_free(context, other)]
    if free:
        return _speak(context, outcome, step, *free)
    act_outcome = ActOutcome.BUSY if in_view else ActOutcome.NOT_FOUND
    return _conclude(context, outcome, step, act_outcome)


def _hand_over(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Give or leave a thing: the object keeps the state that it has during the action."""
    if not is_at(context, step) or (step.object and context.view.is_full(step.object)):
        return outcome
    act = step.act
    if act.kind is ActKind.GIVE and not context.view.is_in_view(act.other):
        outcome = report_act(context, outcome, step, ActOutcome.NOT_HERE)
        return _conclude(context, outcome, step, ActOutcome.NOT_FOUND)
    intention = outcome.intention
    outcome = report_act(context, outcome, step, ActOutcome.DONE)
    if step.object:
        left = ObjectStateLeft(object=step.object, state=step.object_state)
        outcome = record(context, outcome, left, cause=outcome.last_event)
    assert intention is not None, "the pipeline performs nothing else"
    return outcome.intending(intention)


def _speak(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, other: str, *besides: str
) -> TurnOutcome:
    outcome = report_act(context, outcome, step, ActOutcome.DONE)
    intent = step.act.about or step.description
    cause = outcome.last_event
    by_phone = not context.view.is_in_view(other)
    return outcome.intending(
        SpeakTo(other=other, intent=intent, cause=cause, besides=besides, by_phone=by_phone)
    )


def _go_to(context: TurnContext, step: PlannedStep, outcome: TurnOutcome) -> TurnOutcome:
    """Return the outcome if the agent walks; end the act if there is nowhere left to go."""
    if isinstance(outcome.intention, WalkTo):
        return outcome
    return _conclude(context, outcome, step, ActOutcome.NOT_FOUND)


def _conclude(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, act_outcome: ActOutcome
) -> TurnOutcome:
    """End the act; go on with the next action of the hour, or pause."""
    outcome = report_act(context, outcome, step, act_outcome)
    if step.is_requested:
        return look_around(context, outcome)
    following = _step_after(context, outcome, step)
    if following is None:
        until = context.tick + context.ticks_of(minutes=context.constants.settings.wait_minutes)
        return pass_time(context, outcome, until=until, plan_item=step.plan_item)
    return begin_act(context, outcome.intending(Perform(step=following)))


def _step_after(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep
) -> PlannedStep | None:
    """Return the next action of the hour; actions that this turn has planned are newer."""
    planned = [new.event for new in outcome.events if isinstance(new.event, ActionsPlanned)]
    actions = planned[-1].items if planned else context.records.pending_actions()
    following = [action for action in actions if action.number > step.plan_item]
    return step_from(following[0], context.tick) if following else None


_Rule = Callable[[TurnContext, TurnOutcome, PlannedStep], TurnOutcome]
_RULES: dict[ActKind, _Rule] = {
    ActKind.TALK_TO: _talk,
    ActKind.PHONE: _phone,
    ActKind.LOOK_FOR: _look_for,
    ActKind.WAIT_FOR: _wait_for,
    ActKind.FOLLOW: _follow,
    ActKind.TELL: _tell,
    ActKind.GIVE: _hand_over,
    ActKind.LEAVE: _hand_over,
}
