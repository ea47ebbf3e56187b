"""What a person does next: wake and plan the day, plan the hour just in time, act (P1)."""

from apps.memory.events import MemoryKind
from apps.planning import commands as planning
from apps.planning import queries as plan_queries
from apps.planning.circumstances import Circumstances
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.rules import Level, PlanItem, plan_day_at
from apps.self_summary import commands as self_summary
from apps.self_summary import queries as summary_queries
from apps.simulation.acting import Errand, act_out
from apps.simulation.situation import Turn


def next_action(turn: Turn) -> None:
    """Do what the plan has for now, making as much of the plan as is needed for it."""
    action: PlanItem | PlannedAction | None = _planned(turn, "action")
    cause = ""
    if action is None:
        hour = _planned(turn, "hour") or _plan_the_day(turn)
        action, cause = _plan_actions(turn, hour)
    act_out(turn, errand_of(action), cause=cause)


def errand_of(action: PlanItem | PlannedAction) -> Errand:
    """Return what is to be done, where, with what, until when."""
    return Errand(
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
    action = _planned(turn, "action")
    return None if action is None else errand_of(action)


def _planned(turn: Turn, level: Level) -> PlanItem | None:
    return plan_queries.item_at(
        turn.constants.simulation_id,
        turn.identity.slug,
        level=level,
        tick=turn.tick,
        as_of_tick=turn.before,
    )


def _plan_the_day(turn: Turn) -> PlannedItem:
    """Plan from waking to the next waking; return the hour that it begins with."""
    name = turn.identity.name
    summary = _summary(turn)
    calendar = turn.constants.calendar
    today = plan_day_at(turn.identity.hours, calendar, turn.tick).day
    plan = planning.plan_day(
        turn.mind,
        _circumstances(turn, summary, f"what {name} does on a usual day, where and when"),
        now_tick=turn.tick,
        yesterday=_yesterday(turn, today),
        next_number=turn.next_plan_number(),
    )
    outlined = turn.say(plan.outlined)
    turn.say(plan.hours, cause=outlined)
    for chunk in plan.outline_memories:
        turn.remember(MemoryKind.PLAN, chunk, cause=outlined)
    return plan.hour_at(turn.tick)


def _yesterday(turn: Turn, today: str) -> str:
    """Return what was planned for the day before and what is remembered of it (P3)."""
    simulation_id, agent = turn.constants.simulation_id, turn.identity.slug
    day = plan_queries.latest_day(simulation_id, agent, as_of_tick=turn.before)
    if day is None:
        return ""
    remembered = turn.recollection.recall(
        f"what {turn.identity.name} did on {day} and what came of it",
        "yesterday",
        token_budget=turn.constants.settings.retrieval_tokens // 4,
    )
    return plan_queries.yesterday_in_words(
        simulation_id,
        agent,
        name=turn.identity.name,
        today=today,
        calendar=turn.constants.calendar,
        as_of_tick=turn.before,
        became=tuple(memory.description for memory in remembered),
    )


def _plan_actions(turn: Turn, hour: PlanItem | PlannedItem) -> tuple[PlannedAction, str]:
    """Divide what is left of the hour into actions; return the first and the event."""
    summary = summary_queries.current_summary(
        turn.constants.simulation_id, turn.identity.slug, as_of_tick=turn.before
    )
    planned = planning.plan_actions(
        turn.mind,
        _circumstances(
            turn,
            summary.text if summary else "",
            f"{turn.identity.name} is about to {hour.description}",
        ),
        hour=hour,
        now_tick=turn.tick,
        before=turn.action.description if turn.action else "",
        current_area=turn.area,
        next_number=turn.next_plan_number(),
    )
    return planned.items[0], turn.say(planned)


def _circumstances(turn: Turn, summary: str, query: str) -> Circumstances:
    memories = turn.recollection.recall(
        query, "planning", token_budget=turn.constants.settings.retrieval_tokens
    )
    return Circumstances(
        identity=turn.identity,
        summary=summary,
        memories=tuple(memory.description for memory in memories),
        known=turn.known,
        tree=turn.constants.world.tree,
        calendar=turn.constants.calendar,
        settings=turn.constants.settings.planning,
    )


def _summary(turn: Turn) -> str:
    """Return the person's summary description, renewed when it is due (S1)."""
    current = summary_queries.current_summary(
        turn.constants.simulation_id, turn.identity.slug, as_of_tick=turn.before
    )
    if current is not None and current.due_tick > turn.tick:
        return current.text
    settings = turn.constants.settings
    due = turn.constants.calendar.ticks_of(minutes=settings.summary_refresh_hours * 60)
    renewed = self_summary.renew_summary(
        turn.mind,
        turn.identity,
        turn.recollection,
        now=turn.now,
        due_tick=turn.tick + due,
        token_budget=settings.retrieval_tokens,
    )
    turn.say(renewed)
    return renewed.text
