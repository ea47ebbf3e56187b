"""Plan: outline the day on waking, divide each hour when it begins, begin actions (P1)."""

from apps.agents.events import ActionKind
from apps.agents.status import PlannedTime
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import FOREVER_TICK
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.summary.commands import SummaryParts, agent_summary, renew_summary
from apps.memory.summary.queries import current_summary
from apps.planning import commands as planning
from apps.planning import queries as plan_queries
from apps.planning.commands import DayPlan, SoFar
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.inputs import RevisionReason
from apps.planning.revision import FirstThing, hour_as_item, revise_hours
from apps.planning.rules import Level, PlanItem, plan_day_at
from apps.reflection.queries import last_reflected
from apps.simulation.turn.act import act_out
from apps.simulation.turn.context import Turn
from apps.simulation.turn.errand import Errand
from apps.simulation.turn.plan_context import (
    agreed_query,
    circumstances_of,
    done_of,
    yesterday_of,
)

# How many hours of the plan are in mind in a conversation or a reaction.
HOURS_IN_MIND = 3


def next_action(turn: Turn) -> None:
    """Begin the planned action of this tick; what the plan lacks for it is planned first."""
    action: PlanItem | PlannedAction | None = _planned(turn, "action")
    cause = ""
    if action is None:
        hour = _planned(turn, "hour") or _plan_the_day(turn).hour_at(turn.tick)
        action, cause = _plan_actions(turn, hour)
    act_out(turn, errand_of(action), cause=cause)


def revise_plans(
    turn: Turn,
    *,
    reasons: tuple[RevisionReason, ...],
    first: FirstThing | None = None,
    cause: str = "",
) -> None:
    """Revise the rest of the day's plan, and begin what comes first in it (X2, D3)."""
    rest = _rest_of_the_day(turn)
    revised = revise_hours(
        turn.llm,
        circumstances_of(turn, summary_of(turn), agreed_query(turn, rest[0].day)),
        rest=rest,
        now_tick=turn.tick,
        reasons=reasons,
        first=first,
        next_number=turn.next_plan_number(),
    )
    planned = turn.say(revised, cause=cause)
    action, cause = _plan_actions(turn, revised.items[0])
    act_out(turn, errand_of(action), cause=cause or planned)


def _rest_of_the_day(turn: Turn) -> list[PlanItem]:
    """Return the planned hours that are not over; without a plan one is made."""
    rest = plan_queries.items_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        level="hour",
        from_tick=turn.tick,
        to_tick=FOREVER_TICK,
        as_of_tick=turn.before,
    )
    if rest:
        return rest
    hours = _plan_the_day(turn).hours
    return [hour_as_item(hours.day, item) for item in hours.items]


def errand_of(action: PlanItem | PlannedAction) -> Errand:
    """Return the planned action as an errand."""
    return Errand(
        kind=ActionKind.SLEEPING if action.asleep else ActionKind.PLANNED,
        plan_item=action.number,
        description=action.description,
        emoji=action.emoji,
        area=action.area if isinstance(action, PlannedAction) else action.place,
        object=action.object,
        object_state=action.object_state,
        asleep=action.asleep,
        from_tick=action.from_tick,
        to_tick=action.to_tick,
    )


def errand_now(turn: Turn) -> Errand | None:
    """Return the planned action of this tick, None where the plan has none yet."""
    action = planned_action(turn)
    return None if action is None else errand_of(action)


def planned_action(turn: Turn) -> PlanItem | None:
    """Return what is planned for this tick, None where the plan has nothing yet."""
    return _planned(turn, "action")


def next_hours(turn: Turn) -> list[PlanItem]:
    """Return the hours of the plan that the agent has in mind: this one and the next."""
    return plan_queries.items_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        level="hour",
        from_tick=turn.tick,
        to_tick=turn.tick + turn.constants.calendar.ticks_of(minutes=HOURS_IN_MIND * 60),
        as_of_tick=turn.before,
    )[:HOURS_IN_MIND]


def next_planned_times(turn: Turn) -> tuple[PlannedTime, ...]:
    """Return the same hours with their game times."""
    return plan_queries.planned_times(next_hours(turn), turn.constants.calendar)


def _planned(turn: Turn, level: Level) -> PlanItem | None:
    return plan_queries.item_at(
        turn.constants.simulation_id,
        turn.identity.slug,
        level=level,
        tick=turn.tick,
        as_of_tick=turn.before,
    )


def _plan_the_day(turn: Turn) -> DayPlan:
    """Plan from waking to the next waking."""
    today = plan_day_at(turn.identity.hours, turn.constants.calendar, turn.tick).day
    plan = planning.plan_day(
        turn.llm,
        circumstances_of(
            turn,
            summary_of(turn),
            f"what {turn.identity.name} does on a usual day, where and when",
            agreed_query(turn, today),
        ),
        now_tick=turn.tick,
        yesterday=yesterday_of(turn, today),
        next_number=turn.next_plan_number(),
    )
    outlined = turn.say(plan.outlined)
    turn.say(plan.hours, cause=outlined)
    for memory in plan.outline_memories:
        turn.remember(
            MemoryKind.PLAN,
            memory.description,
            origin=MemoryOrigin.PLANNED,
            scheduled=memory.scheduled,
            cause=outlined,
        )
    return plan


def _plan_actions(turn: Turn, hour: PlanItem | PlannedItem) -> tuple[PlannedAction, str]:
    """Divide what is left of the hour into actions; return the first and the event."""
    planned = planning.plan_actions(
        turn.llm,
        circumstances_of(
            turn,
            agent_summary(turn.identity, None) if hour.asleep else summary_of(turn),
            f"{turn.identity.name} is about to {hour.description}",
        ),
        hour=hour,
        now_tick=turn.tick,
        so_far=SoFar(
            previous=turn.action.description if turn.action else "",
            done=done_of(turn, hour),
        ),
        current_area=turn.area,
        next_number=turn.next_plan_number(),
    )
    return planned.items[0], turn.say(planned)


def summary_of(turn: Turn) -> AgentSummary:
    """Return the agent's summary description, renewed when it is due (S1)."""
    if turn.summary is None:
        turn.summary = agent_summary(turn.identity, _current_or_renewed(turn))
    return turn.summary


def _current_or_renewed(turn: Turn) -> SummaryParts:
    simulation_id, agent = turn.constants.simulation_id, turn.identity.slug
    current = current_summary(simulation_id, agent, as_of_tick=turn.before)
    if current is not None and current.due_tick > turn.tick:
        # A summary that was renewed in the turn of a reflection was made before it.
        reflected = last_reflected(simulation_id, agent, as_of_tick=turn.before)
        if reflected is None or reflected < current.from_tick:
            return current
    settings = turn.constants.settings
    due = turn.constants.calendar.ticks_of(minutes=settings.summary_refresh_hours * 60)
    renewed = renew_summary(
        turn.llm,
        turn.identity,
        turn.retrieval,
        items=turn.items,
        now=turn.now,
        due_tick=turn.tick + due,
        token_budget=settings.retrieval_tokens,
    )
    turn.say(renewed)
    return renewed
