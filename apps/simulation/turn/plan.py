"""What a person does next: wake and plan the day, plan the hour just in time, act (P1)."""

from datetime import datetime

from apps.agents import queries as agent_queries
from apps.kernel.game_time import format_clock
from apps.memory.events import MemoryKind
from apps.planning import commands as planning
from apps.planning import queries as plan_queries
from apps.planning.circumstances import Circumstances
from apps.planning.commands import DayPlan, SoFar
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.revision import FirstThing, hour_as_item, revise_hours
from apps.planning.rules import Level, PlanItem, plan_day_at
from apps.reflection.queries import last_reflected
from apps.self_summary import commands as self_summary
from apps.self_summary import queries as summary_queries
from apps.simulation.turn.act import act_out
from apps.simulation.turn.context import Turn
from apps.simulation.turn.errand import Errand

LAST_TICK = 2**31 - 1
# Hours that go on after a longer time are begun anew.
RESUMED_MINUTES = 180
DONE_MAX = 8
# So many hours of the plan are in mind when somebody talks or reacts.
HOURS_IN_MIND = 3


def next_action(turn: Turn) -> None:
    """Do what the plan has for now, making as much of the plan as is needed for it."""
    action: PlanItem | PlannedAction | None = _planned(turn, "action")
    cause = ""
    if action is None:
        hour = _planned(turn, "hour") or _plan_the_day(turn).hour_at(turn.tick)
        action, cause = _plan_actions(turn, hour)
    act_out(turn, errand_of(action), cause=cause)


def revise_plans(
    turn: Turn, *, happened: str, first: FirstThing | None = None, cause: str = ""
) -> None:
    """Plan the rest of the day anew from now on, and do what comes first in it (X2, D3)."""
    rest = _rest_of_the_day(turn)
    name, today = turn.identity.name, rest[0].day
    revised = revise_hours(
        turn.mind,
        _circumstances(
            turn,
            summary_of(turn),
            f"what {name} agreed to, is invited to and plans on {_day_in_words(today)}",
        ),
        rest=rest,
        now_tick=turn.tick,
        happened=happened,
        first=first,
        next_number=turn.next_plan_number(),
    )
    planned = turn.say(revised, cause=cause)
    action, cause = _plan_actions(turn, revised.items[0])
    act_out(turn, errand_of(action), cause=cause or planned)


def _rest_of_the_day(turn: Turn) -> list[PlanItem]:
    """Return the planned hours that are not over; whoever has no plan makes one."""
    rest = plan_queries.items_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        level="hour",
        from_tick=turn.tick,
        to_tick=LAST_TICK,
        as_of_tick=turn.before,
    )
    if rest:
        return rest
    hours = _plan_the_day(turn).hours
    return [hour_as_item(hours.day, item) for item in hours.items]


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
    action = planned_action(turn)
    return None if action is None else errand_of(action)


def planned_action(turn: Turn) -> PlanItem | None:
    """Return what is planned for this tick, None where the plan has nothing yet."""
    return _planned(turn, "action")


def next_hours(turn: Turn) -> list[PlanItem]:
    """Return the hours of the plan that somebody has in mind: this one and the next."""
    return plan_queries.items_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        level="hour",
        from_tick=turn.tick,
        to_tick=turn.tick + turn.constants.calendar.ticks_of(minutes=HOURS_IN_MIND * 60),
        as_of_tick=turn.before,
    )[:HOURS_IN_MIND]


def next_hours_in_words(turn: Turn) -> tuple[str, ...]:
    """Return them as "until 8:30 am: have breakfast (Hobbs Cafe)"."""
    return tuple(_hour_in_words(turn, hour) for hour in next_hours(turn))


def _hour_in_words(turn: Turn, hour: PlanItem) -> str:
    until = format_clock(turn.constants.calendar.time_at(hour.to_tick))
    return f"until {until}: {hour.description} ({hour.place})"


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
    name = turn.identity.name
    summary = summary_of(turn)
    calendar = turn.constants.calendar
    today = plan_day_at(turn.identity.hours, calendar, turn.tick).day
    plan = planning.plan_day(
        turn.mind,
        _circumstances(
            turn,
            summary,
            f"what {name} does on a usual day, where and when",
            f"what {name} agreed to, is invited to and plans on {_day_in_words(today)}",
        ),
        now_tick=turn.tick,
        yesterday=_yesterday(turn, today),
        next_number=turn.next_plan_number(),
    )
    outlined = turn.say(plan.outlined)
    turn.say(plan.hours, cause=outlined)
    for chunk in plan.outline_memories:
        turn.remember(MemoryKind.PLAN, chunk, cause=outlined)
    return plan


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
    planned = planning.plan_actions(
        turn.mind,
        _circumstances(
            turn,
            "" if hour.asleep else summary_of(turn),
            f"{turn.identity.name} is about to {hour.description}",
        ),
        hour=hour,
        now_tick=turn.tick,
        so_far=SoFar(
            before=turn.action.description if turn.action else "",
            done=_done_of(turn, hour),
        ),
        current_area=turn.area,
        next_number=turn.next_plan_number(),
    )
    return planned.items[0], turn.say(planned)


def _done_of(turn: Turn, hour: PlanItem | PlannedItem) -> tuple[str, ...]:
    """Return what the person did of an hour that something came between and that goes on."""
    parts = plan_queries.items_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        level="hour",
        from_tick=turn.tick - turn.constants.calendar.ticks_of(minutes=RESUMED_MINUTES),
        to_tick=turn.tick,
        as_of_tick=turn.before,
    )
    begun = [part.from_tick for part in parts if part.description == hour.description]
    if not begun:
        return ()
    actions = agent_queries.actions_between(
        turn.constants.simulation_id,
        turn.identity.slug,
        from_tick=min(begun),
        to_tick=turn.before,
    )
    did = (action.description for action in actions if not action.towards and action.plan_item)
    return tuple(dict.fromkeys(did))[-DONE_MAX:]


def _day_in_words(day: str) -> str:
    """Return the date as memories have it: "Tuesday, February 14"."""
    date = datetime.fromisoformat(day)
    return f"{date:%A, %B} {date.day}"


def _circumstances(turn: Turn, summary: str, *queries: str) -> Circumstances:
    """Return what planning is given; the queries share the budget of a prompt (M5)."""
    budget = turn.constants.settings.retrieval_tokens // len(queries)
    memories = {
        memory.number: memory
        for query in queries
        for memory in turn.recollection.recall(query, "planning", token_budget=budget)
    }.values()
    return Circumstances(
        identity=turn.identity,
        summary=summary,
        memories=tuple(memory.description for memory in memories),
        known=turn.known,
        tree=turn.constants.world.tree,
        calendar=turn.constants.calendar,
        settings=turn.constants.settings.planning,
    )


def summary_of(turn: Turn) -> str:
    """Return the person's summary description, renewed when it is due (S1)."""
    if turn.summary is None:
        turn.summary = _current_or_renewed_summary(turn)
    return turn.summary


def _current_or_renewed_summary(turn: Turn) -> str:
    current = summary_queries.current_summary(
        turn.constants.simulation_id, turn.identity.slug, as_of_tick=turn.before
    )
    if current is not None and current.due_tick > turn.tick:
        # One that was made in the turn of a reflection does not know of it yet.
        reflected = last_reflected(
            turn.constants.simulation_id, turn.identity.slug, as_of_tick=turn.before
        )
        if reflected is None or reflected < current.from_tick:
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
