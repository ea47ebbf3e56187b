"""Acts between agents: talk to, phone, look for, wait for or follow one; tell, give, leave.

An act is performed only if the agent that it names is there. Otherwise the agent perceives
that it is not, and the plan goes on with the next action.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from apps.agents.acts import Act, ActKind, ActOutcome
from apps.agents.events import ActionKind, ObjectStateLeft
from apps.agents.track import Action
from apps.dialogue.events import AgreementEnded
from apps.kernel.language import phrase
from apps.memory.events import AgreementOutcome, MemoryOrigin
from apps.simulation.turn.context.outcome import (
    SILENT,
    Perform,
    PlannedStep,
    SpeakTo,
    Turn,
    WalkTo,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import open_conversation
from apps.simulation.turn.decide.reaction_candidates import have_talked_since, is_free
from apps.simulation.turn.perceive.relationships import acquaintance_with
from apps.simulation.turn.perceive.situation import (
    SEEN_LATELY_MINUTES,
    destination_of,
)
from apps.simulation.turn.perform.act import cause_of_intention, is_at, report_act
from apps.simulation.turn.perform.plan_context import step_from, step_now, step_of
from apps.simulation.turn.perform.stay import look_around, pass_time, wait
from apps.simulation.turn.perform.walk import search, walk_to_area

# The longest wait for the participants of a joint action.
TOGETHER_MINUTES = 10
# What an agent does while its act has not begun.
_SEARCHING = frozenset({ActionKind.WALKING, ActionKind.KNOCKING, ActionKind.WAITING})


def pursue_act(turn: Turn) -> Turn:
    """Go on with an act whose agent has come into view or moves on; end a wait in vain.

    A step with several agents begins once all of them have come.
    """
    own, step = turn.action, step_now(turn)
    if own is None or own.asleep:
        return turn
    if own.act is ActKind.WAIT_FOR and turn.is_action_over:
        return end_act(turn, _step_of_own(own))
    if step is None or step.plan_item != own.plan_item or not can_go_on(turn, step):
        return turn
    return turn.intending(Perform(step=step))


def end_search(turn: Turn) -> Turn:
    """End the act of an action whose time is over while its agent is still searched for.

    An agent that has come into view just then is spoken to.
    """
    ended, own = turn.records.unreported, turn.action
    if ended is None or own is None or own.kind not in _SEARCHING:
        return turn
    step, other = step_of(ended), ended.other
    if not turn.view.is_in_view(other):
        return report_act(turn, step, ActOutcome.NOT_FOUND)
    if not step.act.is_said:
        return report_act(turn, step, ActOutcome.DONE)
    if is_free(turn, other):
        return _speak(turn, step, other)
    return report_act(turn, step, ActOutcome.BUSY)


def begin_act(turn: Turn) -> Turn:
    """Perform the act of the step that the agent is about to perform, if it has one.

    A step that is done with agents who are not there waits for them, and is not performed if
    they do not come, or if what was agreed with them has been carried out since.
    """
    assert isinstance(turn.intention, Perform), "the pipeline performs nothing else"
    step = turn.intention.step
    if _is_carried_out(turn, step):
        together = Act(kind=ActKind.TOGETHER, other=step.with_agents[0])
        return _conclude(turn, replace(step, act=together), ActOutcome.OVERTAKEN)
    if (absent := _absent(turn, step)) and is_at(turn, step):
        return _wait_together(turn, step, absent[0])
    rule = _RULES.get(step.act.kind)
    return turn if rule is None else rule(turn, step)


def _is_carried_out(turn: Turn, step: PlannedStep) -> bool:
    """Return whether a talk since the plan has carried out what was agreed with its agents."""
    planned = step.planned_tick
    if planned is None or planned == turn.tick or not step.with_agents:
        return False
    kept = (
        new.event.agreements
        for new in turn.events
        if isinstance(new.event, AgreementEnded) and new.event.outcome is AgreementOutcome.KEPT
    )
    ended = set(chain.from_iterable(kept))
    records = turn.records
    others = {
        other
        for one in records.commitments
        if one.event in ended and one.starts <= turn.now < one.ends
        for other in one.others
    }
    before = (one for one in records.carried_out if one.ended_tick > planned)
    others.update(other for one in before for other in (one.other, *one.besides))
    return others.issuperset(step.with_agents)


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


def _wait_together(turn: Turn, step: PlannedStep, other: str) -> Turn:
    """Wait once for the agents of the step that may come, then go on without it."""
    own = turn.action
    until = min(step.to_tick, turn.tick + turn.ticks_of(minutes=TOGETHER_MINUTES))
    has_waited = (
        own is not None
        and own.kind is ActionKind.WAITING
        and own.plan_item == step.plan_item
        and turn.is_action_over
    )
    if has_waited or until <= turn.tick or not _may_come(turn, other):
        together = Act(kind=ActKind.TOGETHER, other=other)
        return _conclude(turn, replace(step, act=together), ActOutcome.NOT_FOUND)
    waiting = phrase("waiting for {what}", what=turn.name_known(other))
    return wait(turn, waiting, until=until, plan_item=step.plan_item)


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


def end_act(turn: Turn, step: PlannedStep) -> Turn:
    """End an act whose time is over: an agent that was waited for has not come."""
    in_vain = step.act.kind is not ActKind.FOLLOW and not turn.view.is_in_view(step.act.other)
    act_outcome = ActOutcome.NOT_FOUND if in_vain else ActOutcome.DONE
    return report_act(turn, step, act_outcome)


def _talk(turn: Turn, step: PlannedStep) -> Turn:
    other = step.act.other
    if not turn.view.is_in_view(other):
        return _go_to(search(turn, step), step)
    if turn.view.is_asleep(other):
        return _conclude(turn, step, ActOutcome.ASLEEP)
    if is_free(turn, other):
        return _speak(turn, step, other)
    until = turn.tick + turn.ticks_of(minutes=turn.settings.wait_minutes)
    if until >= step.to_tick or turn.conversations.talk_of(other) is None:
        return _conclude(turn, step, ActOutcome.BUSY)
    name = turn.name_known(other)
    waiting = phrase("waiting for {what}", what=name)
    return wait(turn, waiting, until=until, plan_item=step.plan_item)


def _phone(turn: Turn, step: PlannedStep) -> Turn:
    """Call the other agent; one that is in view is spoken to."""
    other = step.act.other
    if turn.view.is_in_view(other):
        return _talk(turn, step)
    if not is_at(turn, step):
        return turn
    if not turn.name_of(other):  # it is not in the simulation
        return _conclude(turn, step, ActOutcome.NO_ANSWER)
    return _speak(turn, step, other)


def _look_for(turn: Turn, step: PlannedStep) -> Turn:
    if turn.view.is_in_view(step.act.other):
        return _met(turn, step)
    return _go_to(search(turn, step), step)


def _wait_for(turn: Turn, step: PlannedStep) -> Turn:
    """Wait at the place of the step; an agent that is met on the way there has not come."""
    if is_at(turn, step) and turn.view.is_in_view(step.act.other):
        return _met(turn, step)
    return turn


def _met(turn: Turn, step: PlannedStep) -> Turn:
    """Say to the agent that is found or has come what the act is about, if anything."""
    if step.act.is_said:
        return _talk(turn, step)
    return _conclude(turn, step, ActOutcome.DONE)


def _follow(turn: Turn, step: PlannedStep) -> Turn:
    """Walk where the other agent walks, or stay where it stays."""
    other = step.act.other
    if not turn.view.is_in_view(other):
        return _go_to(search(turn, step), step)
    area = destination_of(turn, other)
    if area and area != turn.area:
        return _go_to(walk_to_area(turn, step, area), step)
    return turn.intending(
        Perform(
            step=replace(step, area=turn.area, object="", object_state=""),
            cause=cause_of_intention(turn),
        )
    )


def _tell(turn: Turn, step: PlannedStep) -> Turn:
    if not is_at(turn, step):
        return turn
    in_view = turn.view.agents_in_view()
    free = [other for _distance, other in in_view if is_free(turn, other)]
    if free:
        return _speak(turn, step, *free)
    act_outcome = ActOutcome.BUSY if in_view else ActOutcome.NOT_FOUND
    return _conclude(turn, step, act_outcome)


def _hand_over(turn: Turn, step: PlannedStep) -> Turn:
    """Give or leave a thing: the object keeps the state that it has during the action."""
    if not is_at(turn, step) or (step.object and turn.view.is_full(step.object)):
        return turn
    act = step.act
    if act.kind is ActKind.GIVE and not turn.view.is_in_view(act.other):
        turn = report_act(turn, step, ActOutcome.NOT_HERE)
        return _conclude(turn, step, ActOutcome.NOT_FOUND)
    intention = turn.intention
    turn = report_act(turn, step, ActOutcome.DONE)
    if step.object:
        state = step.object_state
        if act.kind is ActKind.LEAVE and act.other:
            state = phrase("{state}, for {name}", state=state, name=turn.name_known(act.other))
        left = ObjectStateLeft(object=step.object, state=state)
        turn = turn.record(left, cause=turn.last_event)
    assert intention is not None, "the pipeline performs nothing else"
    return turn.intending(intention)


def _speak(turn: Turn, step: PlannedStep, other: str, *besides: str) -> Turn:
    """Let the agent speak; after a talk since the plan it may have nothing to say."""
    opening = SpeakTo(
        other=other,
        intent=step.act.about or step.description,
        cause=cause_of_intention(turn),
        besides=besides,
        by_phone=not turn.view.is_in_view(other),
    )
    since = _talk_since(turn, step, (other, *besides))
    if since:
        return turn.intending(replace(opening, overtaken=step, since=since))
    turn = report_act(turn, step, ActOutcome.DONE)
    return turn.intending(replace(opening, cause=turn.last_event))


def _talk_since(turn: Turn, step: PlannedStep, others: Sequence[str]) -> str:
    """Return what was talked about since the act was planned, "" if not with all of them.

    A talk that has ended in this turn counts for what was planned before it.
    """
    planned = step.planned_tick
    if planned is None or planned == turn.tick:
        return ""
    talked = {
        one.draft.subject: one.draft.description
        for one in turn.memories
        if one.draft.origin is MemoryOrigin.CONVERSATION
    }
    if not all(one in talked or have_talked_since(turn, one, planned) for one in others):
        return ""
    other = others[0]
    return talked[other] if other in talked else turn.records.last_talks[other].gist


def speak_as_intended(turn: Turn) -> Turn:
    """Say the first words of a conversation; with nothing to say, go on with the plan."""
    while isinstance(turn.intention, SpeakTo):
        overtaken = turn.intention.overtaken
        turn = open_conversation(turn)
        if overtaken is not None and turn.intention is SILENT:
            turn = _conclude(turn, overtaken, ActOutcome.OVERTAKEN)
        elif overtaken is not None:
            turn = report_act(turn, overtaken, ActOutcome.DONE)
    return turn


def _go_to(turn: Turn, step: PlannedStep) -> Turn:
    """Return the turn if the agent sets out; end the act if there is nowhere left to go."""
    if isinstance(turn.intention, WalkTo):
        return turn
    return _conclude(turn, step, ActOutcome.NOT_FOUND)


def _conclude(turn: Turn, step: PlannedStep, act_outcome: ActOutcome) -> Turn:
    """End the act; go on with the next action of the hour, or pause."""
    turn = report_act(turn, step, act_outcome)
    if step.is_requested:
        return look_around(turn)
    following = _step_after(turn, step)
    if following is None:
        until = turn.tick + turn.ticks_of(minutes=turn.settings.wait_minutes)
        return pass_time(turn, until=until, plan_item=step.plan_item)
    return begin_act(turn.intending(Perform(step=following)))


def _step_after(turn: Turn, step: PlannedStep) -> PlannedStep | None:
    """Return the next action of the hour."""
    following = [one for one in turn.actions_ahead() if one.number > step.plan_item]
    return step_from(following[0], turn.tick) if following else None


_Rule = Callable[[Turn, PlannedStep], Turn]
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
