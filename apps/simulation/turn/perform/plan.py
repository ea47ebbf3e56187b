"""Plan: outline the day on waking, divide each hour when it begins, begin actions (P1).

The actions of a known hour are done again, with a variation, where nothing is new (ADR 38).
"""

from collections.abc import Iterator
from dataclasses import replace

from apps.dialogue.events import TalkEnded
from apps.dialogue.utterances import Ending
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import phrase
from apps.memory.commands import agent_summary
from apps.memory.events import MemoryOrigin
from apps.memory.rules import PLAN_IMPORTANCE
from apps.planning import commands as planning
from apps.planning.actions import HourSoFar, plan_actions
from apps.planning.commands import DayPlan
from apps.planning.events import ActionsPlanned, HoursPlanned, PlannedItem
from apps.planning.reuse import Variation, fitting_hours, reuse_hour
from apps.planning.revision import revise_hours, stored_hour, subject_of
from apps.planning.rules import PlanItem, PlannedHour
from apps.planning.surroundings import known_areas
from apps.planning.tiling import Span
from apps.simulation.turn.context.outcome import FollowPlan, Perform, RevisePlan, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.speak import talking_text
from apps.simulation.turn.perceive.relationships import open_agreements
from apps.simulation.turn.perceive.situation import object_states, surroundings_of
from apps.simulation.turn.perform.hindrance import barred_objects
from apps.simulation.turn.perform.plan_context import planning_context_of, step_now, step_of
from apps.simulation.turn.perform.stay import pass_time
from apps.simulation.turn.remember.activities import activity_of
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.remember import agreed_query, hour_query, usual_day_query

# The memories in the prompt of a revision, which has the plan and all agreements. Unit: tokens.
REVISION_TOKENS_MAX = 100
# The talks so lately are among what is done when the actions of an hour are planned.
TALKED_MINUTES = 60


def follow_plan(turn: Turn) -> Turn:
    """Decide to do what is planned."""
    return turn.intending(FollowPlan())


def plan(turn: Turn) -> Turn:
    """Find the action to perform now; what the plan lacks for it is planned first."""
    if isinstance(turn.intention, RevisePlan):
        return _revise(turn, turn.intention)
    assert isinstance(turn.intention, FollowPlan), "the pipeline plans for nothing else"
    begins = turn.intention.begins
    if isinstance(begins, PlanItem):
        return turn.intending(Perform(step=step_of(begins), cause=turn.last_event))
    if begins is not None:
        return _plan_actions(turn, begins)
    return _follow(turn)


def _follow(turn: Turn, *, hour: PlanItem | None = None, until: int = FOREVER_TICK) -> Turn:
    """Find the planned action of this tick; plan the day and the actions of the hour first.

    `hour` is the hour of a plan that was made in this turn; what is planned ends at `until`.
    """
    step = step_now(turn)
    given_up = turn.records.given_up_at(turn.tick) | barred_objects(
        turn, "" if step is None else activity_of(turn, step.hour)
    )
    if step is not None and (step.asleep or step.object not in given_up):
        return turn.intending(Perform(step=replace(step, to_tick=min(step.to_tick, until))))
    now: PlanItem | PlannedItem | None = hour or turn.records.hour_at(turn.tick)
    if now is None:
        turn, day = _plan_the_day(turn)
        now = day.hour_at(turn.tick)
    now = replace(now, to_tick=min(now.to_tick, until))
    if _is_nearly_over(turn, now):
        return pass_time(turn, until=now.to_tick)
    may_reuse = hour is None and not given_up
    reused = reused_actions(turn, now) if may_reuse else None
    if reused is not None:
        return _begin_actions(turn, reused)
    return _plan_actions(turn, now)


def _is_nearly_over(context: TurnContext, hour: PlanItem | PlannedItem) -> bool:
    """Return whether too little is left of an hour that has begun to be planned.

    No two actions fit into it; no single one where its action was given up.
    """
    if any(context.records.done_of(hour)):
        actions = 2
    elif context.records.action is not None:
        actions = 1
    else:
        return False
    shortest = context.ticks_of(minutes=context.settings.planning.action_minutes_min)
    return hour.to_tick - context.tick < actions * shortest


def _revise(turn: Turn, intention: RevisePlan) -> Turn:
    """Change the rest of the day's plan, and perform what comes first in it (X2, D3).

    Without a change at this tick, the agent goes on with its plan.
    """
    turn, rest = _rest_of_the_day(turn)
    turn, summary = with_summary(turn)
    revised = revise_hours(
        turn.llm,
        planning_context_of(
            turn,
            summary,
            " ".join(map(subject_of, intention.reasons)) or turn.identity.name,
            tokens_max=REVISION_TOKENS_MAX,
        ),
        rest=rest,
        now_tick=turn.tick,
        reasons=intention.reasons,
        first=intention.first,
        next_number=turn.next_plan_item,
    )
    if revised is None:
        return _follow(turn, hour=rest[0])
    turn = turn.record(revised, cause=intention.cause)
    begins = revised.items[0].from_tick
    if begins > turn.tick:
        return _follow(turn, hour=rest[0], until=begins)
    return _plan_actions(turn, revised.items[0])


def _rest_of_the_day(turn: Turn) -> tuple[Turn, list[PlanItem]]:
    """Return the planned hours that are not over; without a plan one is made."""
    if turn.records.hours:
        return turn, list(turn.records.hours)
    turn, day = _plan_the_day(turn)
    return turn, [stored_hour(day.hours.day, item) for item in day.hours.items]


def _plan_the_day(turn: Turn) -> tuple[Turn, DayPlan]:
    """Plan from waking to the next waking."""
    turn, summary = with_summary(turn)
    usual = usual_day_query(turn.identity.name)
    day = planning.plan_day(
        turn.llm,
        planning_context_of(
            turn,
            summary,
            usual,
            agreed_query(turn.identity.name, turn.plan_day_of(turn.tick)),
            about_itself=usual,
        ),
        now_tick=turn.tick,
        yesterday=turn.records.yesterday,
        next_number=turn.next_plan_item,
    )
    turn = turn.record(day.outlined)
    outlined = turn.last_event
    turn = turn.record(day.hours, cause=outlined)
    for memory in day.outline_memories:
        turn = turn.with_memory(
            memory.description,
            origin=MemoryOrigin.PLANNED,
            importance=PLAN_IMPORTANCE,
            scheduled=memory.scheduled,
            cause=outlined,
        )
    return turn, day


def _plan_actions(turn: Turn, hour: PlanItem | PlannedItem) -> Turn:
    """Divide what is left of the hour into actions, and perform the first."""
    if hour.asleep:  # one action, without a model call
        summary, queries = agent_summary(turn.identity, None), []
    else:
        turn, summary = with_summary(turn)
        queries = [hour_query(turn.identity.name, hour.description)]
    planned = plan_actions(
        turn.llm,
        planning_context_of(
            turn, summary, *queries, tokens_max=turn.settings.actions_retrieval_tokens
        ),
        hour=hour,
        now_tick=turn.tick,
        so_far=HourSoFar(
            previous=turn.action.description if turn.action else "",
            done=tuple(dict.fromkeys(_done_of(turn, hour))),
            done_before=turn.records.done_before(hour),
            performed=turn.deeds_today(),
            next_activity=_next_activity(turn, hour),
            surroundings=surroundings_of(turn),
            given_up=turn.records.given_up_at(turn.tick)
            | barred_objects(turn, hour.description),
        ),
        next_number=turn.next_plan_item,
    )
    return _begin_actions(turn, planned)


def _begin_actions(turn: Turn, planned: ActionsPlanned) -> Turn:
    """Record the actions of an hour, and perform the first."""
    turn = turn.record(planned, cause=planned.reused_from)
    return turn.intending(Perform(step=step_of(turn.actions_ahead()[0]), cause=turn.last_event))


def _done_of(turn: Turn, hour: PlanItem | PlannedItem) -> Iterator[str]:
    """Yield what the agent has done of the hour, its talks and the acts in vain included.

    Talks are those of the last hour, since the activity began, with agents that this turn
    concerns: an act of the new actions does not begin them again.
    """
    yield from turn.records.done_of(hour)
    begun = turn.records.begun_tick(hour)
    since = max(begun, turn.tick - turn.ticks_of(minutes=TALKED_MINUTES))
    talks = turn.records.last_talks
    talked = [other for other, talk in talks.items() if talk.to_tick > since]
    ended = [new.event for new in turn.events if isinstance(new.event, TalkEnded)]
    if begun < turn.tick:
        talked += [one.other for one in ended if one.why == Ending.SAID_ALL]
    for other in talked:
        yield talking_text([turn.name_known(other)])
    action = turn.records.action
    in_vain = {one.plan_item for one in turn.records.act_reports if one.outcome.is_failure}
    if action is not None and action.number in in_vain and action.other:
        yield phrase("looking for {name} in vain", name=turn.name_known(action.other))


def _next_activity(turn: Turn, hour: PlanItem | PlannedItem) -> str:
    """Return the activity of the hour that follows, "" without one.

    A plan of this turn is newer than the records.
    """
    planned = [new.event for new in turn.events if isinstance(new.event, HoursPlanned)]
    hours = planned[-1].items if planned else turn.records.hours
    following = (one.description for one in hours if one.from_tick >= hour.to_tick)
    return next(following, "")


def reused_actions(turn: Turn, hour: PlannedHour) -> ActionsPlanned | None:
    """Return the actions of a known hour for this one, None where something is new.

    New are an agreement for this time, an object that is not idle and was when the known hour
    was planned, and a node that is no longer on offer; `AgentRecords.known_hours` leaves out
    what is older than the news.
    """
    known = turn.records.known_hours
    if not known or _is_agreed(turn, hour):
        return None
    span = Span(max(turn.tick, hour.from_tick), hour.to_tick)
    tree, agent = turn.tree, turn.identity
    fitting = fitting_hours(
        known,
        span=span,
        areas=known_areas(
            tree,
            turn.known,
            place=tree.place_of(hour.place),
            person=agent.name,
            home=agent.home,
        ),
        changed=_objects_in_use(turn),
        previous=turn.action.description if turn.action else "",
        ticks_per_minute=turn.ticks_of(minutes=1),
    )
    if not fitting:
        return None
    settings = turn.settings
    return reuse_hour(
        fitting,
        hour=hour,
        variation=Variation(
            seed=turn.seed,
            agent=agent.slug,
            tick=turn.tick,
            ticks_per_minute=turn.ticks_of(minutes=1),
            ticks_min=turn.ticks_of(minutes=settings.action_minutes_min),
            ticks_max=turn.ticks_of(minutes=settings.action_minutes_max),
        ),
        next_number=turn.next_plan_item,
    )


def _is_agreed(turn: Turn, hour: PlannedHour) -> bool:
    """Return whether something is agreed for the time of the hour."""
    time_at = turn.calendar.time_at
    return any(
        one.starts < time_at(hour.to_tick) and one.ends > time_at(hour.from_tick)
        for one in open_agreements(turn)
    )


def _objects_in_use(context: TurnContext) -> dict[str, int]:
    """Return the objects that are not idle as last seen, with the tick of that sight."""
    new = {one.sight.subject for one in context.news}
    seen = context.acquainted.objects
    return {
        one.path: context.tick if one.path in new else seen[one.path].tick
        for one in object_states(context)
    }
