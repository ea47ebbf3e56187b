"""Plan: outline the day on waking, divide each hour when it begins, begin actions (P1)."""

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.summary.commands import agent_summary
from apps.planning import commands as planning
from apps.planning.commands import DayPlan, PreviousActions
from apps.planning.events import PlannedItem
from apps.planning.revision import revise_hours, stored_hour
from apps.planning.rules import PlanItem, plan_day_at
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.outcome import (
    FollowPlan,
    Perform,
    RevisePlan,
    TurnOutcome,
    record,
)
from apps.simulation.turn.plan_context import (
    agreed_query,
    planning_context_of,
    step_now,
    step_of,
    yesterday_of,
)
from apps.simulation.turn.summary_renewal import with_summary


def follow_plan(_context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Decide to do what is planned."""
    return so_far.intending(FollowPlan())


def plan(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Find the action to perform now; what the plan lacks for it is planned first."""
    if isinstance(so_far.intention, RevisePlan):
        return _revise(context, so_far, so_far.intention)
    assert isinstance(so_far.intention, FollowPlan), "the pipeline plans for nothing else"
    step = step_now(context)
    if step is not None:
        return so_far.intending(Perform(step=step))
    hour: PlanItem | PlannedItem | None = context.records.hour_at(context.tick)
    if hour is None:
        so_far, day = _plan_the_day(context, so_far)
        hour = day.hour_at(context.tick)
    return _plan_actions(context, so_far, hour)


def _revise(context: TurnContext, so_far: TurnOutcome, intention: RevisePlan) -> TurnOutcome:
    """Revise the rest of the day's plan, and perform what comes first in it (X2, D3)."""
    so_far, rest = _rest_of_the_day(context, so_far)
    so_far, summary = with_summary(context, so_far)
    revised = revise_hours(
        context.llm,
        planning_context_of(context, summary, agreed_query(context, rest[0].day)),
        rest=rest,
        now_tick=context.tick,
        reasons=intention.reasons,
        first=intention.first,
        next_number=_next_number(context, so_far),
    )
    so_far = record(context, so_far, revised, cause=intention.cause)
    return _plan_actions(context, so_far, revised.items[0])


def _rest_of_the_day(
    context: TurnContext, so_far: TurnOutcome
) -> tuple[TurnOutcome, list[PlanItem]]:
    """Return the planned hours that are not over; without a plan one is made."""
    if context.records.hours:
        return so_far, list(context.records.hours)
    so_far, day = _plan_the_day(context, so_far)
    return so_far, [stored_hour(day.hours.day, item) for item in day.hours.items]


def _plan_the_day(context: TurnContext, so_far: TurnOutcome) -> tuple[TurnOutcome, DayPlan]:
    """Plan from waking to the next waking."""
    so_far, summary = with_summary(context, so_far)
    day = planning.plan_day(
        context.llm,
        planning_context_of(
            context,
            summary,
            f"what {context.identity.name} does on a usual day, where and when",
            agreed_query(context, today_of(context)),
        ),
        now_tick=context.tick,
        yesterday=yesterday_of(context),
        next_number=_next_number(context, so_far),
    )
    so_far = record(context, so_far, day.outlined)
    outlined = so_far.last_event
    so_far = record(context, so_far, day.hours, cause=outlined)
    for memory in day.outline_memories:
        so_far = so_far.with_memory(
            MemoryKind.PLAN,
            memory.description,
            origin=MemoryOrigin.PLANNED,
            scheduled=memory.scheduled,
            cause=outlined,
        )
    return so_far, day


def _plan_actions(
    context: TurnContext, so_far: TurnOutcome, hour: PlanItem | PlannedItem
) -> TurnOutcome:
    """Divide what is left of the hour into actions, and perform the first."""
    if hour.asleep:
        summary = agent_summary(context.identity, None)
    else:
        so_far, summary = with_summary(context, so_far)
    planned = planning.plan_actions(
        context.llm,
        planning_context_of(
            context, summary, f"{context.identity.name} is about to {hour.description}"
        ),
        hour=hour,
        now_tick=context.tick,
        so_far=PreviousActions(
            previous=context.action.description if context.action else "",
            done=context.records.done_of(hour),
        ),
        current_area=context.area,
        next_number=_next_number(context, so_far),
    )
    so_far = record(context, so_far, planned)
    return so_far.intending(Perform(step=step_of(planned.items[0]), cause=so_far.last_event))


def today_of(context: TurnContext) -> str:
    """Return the date of the plan-day that holds this tick, "2023-02-13"."""
    return plan_day_at(context.identity.hours, context.constants.calendar, context.tick).day


def _next_number(context: TurnContext, so_far: TurnOutcome) -> int:
    return so_far.next_plan_item or context.records.next_plan_item
