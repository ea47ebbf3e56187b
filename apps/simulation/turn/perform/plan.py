"""Plan: outline the day on waking, divide each hour when it begins, begin actions (P1)."""

from collections.abc import Iterator
from dataclasses import replace

from apps.agents.acts import ActOutcome
from apps.dialogue.events import TalkEnded
from apps.dialogue.rules import Ending
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import phrase
from apps.memory.commands import agent_summary
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.rules import PLAN_IMPORTANCE
from apps.planning import commands as planning
from apps.planning.actions import HourSoFar, plan_actions
from apps.planning.commands import DayPlan
from apps.planning.events import ActionsPlanned, HoursPlanned, PlannedAction, PlannedItem
from apps.planning.revision import revise_hours, stored_hour, subject_of
from apps.planning.rules import PlanItem
from apps.simulation.turn.context.outcome import (
    FollowPlan,
    Perform,
    RevisePlan,
    TurnOutcome,
    record,
)
from apps.simulation.turn.context.query_texts import (
    agreed_query,
    hour_query,
    usual_day_query,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.speak import talking_text
from apps.simulation.turn.perceive.situation import name_known, surroundings_of
from apps.simulation.turn.perform.plan_context import (
    planning_context_of,
    step_now,
    step_of,
)
from apps.simulation.turn.perform.reused_hours import reused_actions
from apps.simulation.turn.perform.stay import pass_time
from apps.simulation.turn.remember.fact_changes import with_summary

# The memories in the prompt of a revision, which has the plan and all agreements. Unit: tokens.
REVISION_TOKENS_MAX = 100
# The talks so lately are among what is done when the actions of an hour are planned.
TALKED_MINUTES = 60


def follow_plan(_context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Decide to do what is planned."""
    return outcome.intending(FollowPlan())


def plan(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Find the action to perform now; what the plan lacks for it is planned first."""
    if isinstance(outcome.intention, RevisePlan):
        return _revise(context, outcome, outcome.intention)
    assert isinstance(outcome.intention, FollowPlan), "the pipeline plans for nothing else"
    begins = outcome.intention.begins
    if isinstance(begins, PlannedAction):
        return outcome.intending(Perform(step=step_of(begins), cause=outcome.last_event))
    if begins is not None:
        return _plan_actions(context, outcome, begins)
    return _follow(context, outcome)


def _follow(
    context: TurnContext,
    outcome: TurnOutcome,
    *,
    hour: PlanItem | None = None,
    until: int = FOREVER_TICK,
) -> TurnOutcome:
    """Find the planned action of this tick; plan the day and the actions of the hour first.

    `hour` is the hour of a plan that was made in this turn; what is planned ends at `until`.
    """
    step = step_now(context)
    given_up = context.records.given_up_at(context.tick)
    if step is not None and (step.asleep or step.object not in given_up):
        return outcome.intending(Perform(step=replace(step, to_tick=min(step.to_tick, until))))
    now: PlanItem | PlannedItem | None = hour or context.records.hour_at(context.tick)
    if now is None:
        outcome, day = _plan_the_day(context, outcome)
        now = day.hour_at(context.tick)
    now = replace(now, to_tick=min(now.to_tick, until))
    if context.records.action is not None and _is_nearly_over(context, now):
        return pass_time(context, outcome, until=now.to_tick)
    may_reuse = hour is None and not given_up
    reused = reused_actions(context, outcome, now) if may_reuse else None
    if reused is not None:
        return _begin_actions(context, outcome, reused)
    return _plan_actions(context, outcome, now)


def _is_nearly_over(context: TurnContext, hour: PlanItem | PlannedItem) -> bool:
    """Return whether no action fits into the rest of the hour."""
    minutes = context.constants.settings.planning.action_minutes_min
    return hour.to_tick - context.tick < context.ticks_of(minutes=minutes)


def _revise(context: TurnContext, outcome: TurnOutcome, intention: RevisePlan) -> TurnOutcome:
    """Change the rest of the day's plan, and perform what comes first in it (X2, D3).

    Without a change at this tick, the agent goes on with its plan.
    """
    outcome, rest = _rest_of_the_day(context, outcome)
    outcome, summary = with_summary(context, outcome)
    revised = revise_hours(
        context.llm,
        planning_context_of(
            context,
            outcome,
            summary,
            " ".join(map(subject_of, intention.reasons)) or context.identity.name,
            tokens_max=REVISION_TOKENS_MAX,
        ),
        rest=rest,
        now_tick=context.tick,
        reasons=intention.reasons,
        first=intention.first,
        next_number=outcome.next_plan_item,
    )
    if revised is None:
        return _follow(context, outcome, hour=rest[0])
    outcome = record(context, outcome, revised, cause=intention.cause)
    begins = revised.items[0].from_tick
    if begins > context.tick:
        return _follow(context, outcome, hour=rest[0], until=begins)
    return _plan_actions(context, outcome, revised.items[0])


def _rest_of_the_day(
    context: TurnContext, outcome: TurnOutcome
) -> tuple[TurnOutcome, list[PlanItem]]:
    """Return the planned hours that are not over; without a plan one is made."""
    if context.records.hours:
        return outcome, list(context.records.hours)
    outcome, day = _plan_the_day(context, outcome)
    return outcome, [stored_hour(day.hours.day, item) for item in day.hours.items]


def _plan_the_day(context: TurnContext, outcome: TurnOutcome) -> tuple[TurnOutcome, DayPlan]:
    """Plan from waking to the next waking."""
    outcome, summary = with_summary(context, outcome)
    usual = usual_day_query(context.identity.name)
    day = planning.plan_day(
        context.llm,
        planning_context_of(
            context,
            outcome,
            summary,
            usual,
            agreed_query(context.identity.name, context.plan_day_of(context.tick)),
            about_itself=usual,
        ),
        now_tick=context.tick,
        yesterday=context.records.yesterday,
        next_number=outcome.next_plan_item,
    )
    outcome = record(context, outcome, day.outlined)
    outlined = outcome.last_event
    outcome = record(context, outcome, day.hours, cause=outlined)
    for memory in day.outline_memories:
        outcome = outcome.with_memory(
            MemoryKind.PLAN,
            memory.description,
            origin=MemoryOrigin.PLANNED,
            importance=PLAN_IMPORTANCE,
            scheduled=memory.scheduled,
            cause=outlined,
        )
    return outcome, day


def _plan_actions(
    context: TurnContext, outcome: TurnOutcome, hour: PlanItem | PlannedItem
) -> TurnOutcome:
    """Divide what is left of the hour into actions, and perform the first."""
    if hour.asleep:  # one action, without a model call
        summary, queries = agent_summary(context.identity, None), []
    else:
        outcome, summary = with_summary(context, outcome)
        queries = [hour_query(context.identity.name, hour.description)]
    planned = plan_actions(
        context.llm,
        planning_context_of(
            context,
            outcome,
            summary,
            *queries,
            tokens_max=context.constants.settings.actions_retrieval_tokens,
        ),
        hour=hour,
        now_tick=context.tick,
        so_far=HourSoFar(
            previous=context.action.description if context.action else "",
            done=tuple(dict.fromkeys(_done_of(context, outcome, hour))),
            done_before=context.records.done_before(hour),
            performed=context.performed_today(),
            next_activity=_next_activity(context, outcome, hour),
            surroundings=surroundings_of(context),
            given_up=context.records.given_up_at(context.tick),
        ),
        next_number=outcome.next_plan_item,
    )
    return _begin_actions(context, outcome, planned)


def _begin_actions(
    context: TurnContext, outcome: TurnOutcome, planned: ActionsPlanned
) -> TurnOutcome:
    """Record the actions of an hour, and perform the first."""
    outcome = record(context, outcome, planned, cause=planned.reused_from)
    return outcome.intending(Perform(step=step_of(planned.items[0]), cause=outcome.last_event))


def _done_of(
    context: TurnContext, outcome: TurnOutcome, hour: PlanItem | PlannedItem
) -> Iterator[str]:
    """Yield what the agent has done of the hour, its talks and the acts in vain included.

    Talks are those of the last hour, since the activity began, with agents that this turn
    concerns: an act of the new actions does not begin them again.
    """
    yield from context.records.done_of(hour)
    begun = context.records.begun_tick(hour)
    since = max(begun, context.tick - context.ticks_of(minutes=TALKED_MINUTES))
    talks = context.records.last_talks
    talked = [other for other, talk in talks.items() if talk.to_tick > since]
    ended = [new.event for new in outcome.events if isinstance(new.event, TalkEnded)]
    if begun < context.tick:
        talked += [one.other for one in ended if one.why == Ending.SAID_ALL]
    for other in talked:
        yield talking_text([name_known(context, other)])
    action = context.records.action
    in_vain = {
        one.plan_item
        for one in context.records.act_reports
        if one.outcome.is_over and one.outcome is not ActOutcome.DONE
    }
    if action is not None and action.number in in_vain and action.other:
        yield phrase("looking for {name} in vain", name=name_known(context, action.other))


def _next_activity(
    context: TurnContext, outcome: TurnOutcome, hour: PlanItem | PlannedItem
) -> str:
    """Return the activity of the hour that follows, "" without one.

    A plan of this turn is newer than the records.
    """
    planned = [new.event for new in outcome.events if isinstance(new.event, HoursPlanned)]
    hours = planned[-1].items if planned else context.records.hours
    following = (one.description for one in hours if one.from_tick >= hour.to_tick)
    return next(following, "")
