"""Consolidate: condense the day into a few memories when the agent goes to sleep (R2, P3)."""

from datetime import date

from apps.agents.events import ActionBegan
from apps.agents.summary import Identity
from apps.memory.commands import agent_summary
from apps.memory.events import MemoryOrigin
from apps.memory.rules import CANDIDATES_MAX
from apps.planning.rules import PlanItem, plan_day_at
from apps.reflection import consolidation
from apps.reflection.consolidation import Day
from apps.reflection.rules import KEPT_BEFORE_MAX, NIGHT_MINUTES_MIN
from apps.simulation.ports import Constants
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.records import AgentRecords
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.reflect import with_reflection

# These memories are not of the day: the description, those that are kept of other days, and
# plans, in place of which the prompt has the performed activities.
_NOT_OF_DAY = frozenset(
    {MemoryOrigin.DESCRIPTION, MemoryOrigin.CONSOLIDATION, MemoryOrigin.PLANNED}
)


def consolidate(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Condense the day into memories that name their evidence."""
    summary, last = context.records.summary, context.records.last_consolidated
    recent = context.retrieval.recent(count=CANDIDATES_MAX)
    of_day = [
        memory
        for memory in reversed(recent)
        if memory.origin not in _NOT_OF_DAY
        and (last is None or max(memory.formed_tick, memory.last_repeated_tick or 0) > last)
    ]
    if not of_day:
        return outcome
    kept = [one for one in recent if one.origin is MemoryOrigin.CONSOLIDATION]
    reflected = consolidation.consolidate(
        context.llm,
        Day(
            agent_name=context.identity.name,
            summary=agent_summary(context.identity, summary) if summary else None,
            now=context.now,
            date=date.fromisoformat(context.plan_day_of(context.tick)),
            memories=context.items(of_day),
            kept=context.items(reversed(kept[:KEPT_BEFORE_MAX])),
            performed=context.performed_today(),
        ),
        next_number=outcome.next_memory,
    )
    return with_reflection(context, outcome, reflected, origin=MemoryOrigin.CONSOLIDATION)


def goes_to_sleep(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent goes to sleep for the night and its day is not condensed yet."""
    was_asleep = context.action is not None and context.action.asleep
    begun = [new.event for new in outcome.events if isinstance(new.event, ActionBegan)]
    hour = context.records.hour_at(context.tick)
    return (
        not was_asleep
        and bool(begun)
        and begun[-1].asleep
        and hour is not None
        and is_night(context.constants, hour)
        and not is_consolidated(
            context.constants, context.identity, context.records, context.tick
        )
    )


def is_night(constants: Constants, hour: PlanItem) -> bool:
    """Return whether the planned hour is a sleep that ends a day."""
    minutes = constants.calendar.minutes_of(hour.to_tick - hour.from_tick)
    return hour.asleep and minutes >= NIGHT_MINUTES_MIN


def is_consolidated(
    constants: Constants, identity: Identity, records: AgentRecords, tick: int
) -> bool:
    """Return whether the plan-day that holds the tick has been condensed."""
    last = records.last_consolidated
    if last is None:
        return False
    return _day_of(constants, identity, last) == _day_of(constants, identity, tick)


def _day_of(constants: Constants, identity: Identity, tick: int) -> str:
    return plan_day_at(identity.hours, constants.calendar, tick).day
