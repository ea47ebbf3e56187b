"""Reflect on what was perceived, and condense the day at bedtime (R1, R2, R3, P3)."""

from collections.abc import Iterable
from datetime import date, datetime

from apps.agents.events import ActionBegan
from apps.agents.summary import Identity
from apps.memory.commands import agent_summary
from apps.memory.events import (
    FactKind,
    FactSource,
    MemoryKind,
    MemoryOrigin,
    MemorySuperseded,
    ScheduledActivity,
)
from apps.memory.facts import facts_held, relationship_texts
from apps.memory.items import StoredMemory, scheduled_activity
from apps.memory.passing_on import shared_terms
from apps.memory.prompt_lines import memory_text
from apps.memory.rules import CANDIDATES_MAX
from apps.planning.rules import PlanItem, plan_day_at
from apps.reflection import commands as reflection
from apps.reflection.commands import ReflectionContext
from apps.reflection.events import Reflected
from apps.reflection.inputs import ConsolidationInput, HeldFact
from apps.reflection.rules import (
    KEPT_BEFORE_MAX,
    NIGHT_MINUTES_MIN,
    RECENT_TOKENS_MAX,
    REFLECTIONS_COMPARED_MAX,
)
from apps.simulation.ports import Constants
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.records import AgentRecords
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.fact_changes import change_fact, ends_by_evidence

# Memories of these origins expect what is scheduled in them. A plan of a day is no event, and
# the memory of having agreed stays true when the agreement is kept.
_EXPECTING = frozenset(
    {
        MemoryOrigin.LEARNED,
        MemoryOrigin.PLAN_NOTE,
        MemoryOrigin.INSIGHT,
        MemoryOrigin.CONSOLIDATION,
    }
)


def reflect(turn: Turn) -> Turn:
    """Reflect; insights become memories with their evidence, and end those they replace."""
    reflected = reflection.reflect(
        turn.llm, turn.retrieval, _reflection_context(turn), next_number=turn.next_memory
    )
    return with_reflection(turn, reflected, origin=MemoryOrigin.INSIGHT)


def with_reflection(turn: Turn, reflected: Reflected, *, origin: MemoryOrigin) -> Turn:
    """Return the turn with a reflection, its memories, and the end of those they replace.

    What rests on memories that are not for everybody is told on the terms of all of them.
    """
    turn = turn.record(reflected)
    event = turn.last_event
    cited = {number for insight in reflected.insights for number in insight.evidence}
    evidence = turn.retrieval.numbered(cited) if cited else ()
    ends = _ends_of_evidence(turn, evidence)
    terms = {memory.number: memory.passing_on for memory in evidence if memory.passing_on}
    for insight in reflected.insights:
        passing_on = shared_terms(
            (terms[one] for one in insight.evidence if one in terms), turn.now
        )
        ending = max((ends[one] for one in insight.evidence if one in ends), default=None)
        turn = turn.with_memory(
            insight.statement,
            cause=event,
            evidence=insight.evidence,
            importance=insight.importance,
            origin=origin,
            scheduled=None if ending is None else ScheduledActivity(activity="", ends=ending),
            passing_on=passing_on,
        )
        assert turn.last_memory == insight.memory, "an event names the memory of its insight"
        if insight.replaces:
            superseded = MemorySuperseded(number=insight.replaces, event=event)
            turn = turn.record(superseded, cause=event)
        if insight.changes is not None:
            turn = change_fact(
                turn,
                insight.changes,
                sentence=insight.statement,
                evidence=(insight.memory, *insight.evidence),
                source=FactSource.INSIGHT,
                cause=event,
                passing_on=passing_on,
            )
    return turn


def _ends_of_evidence(
    context: TurnContext, evidence: Iterable[StoredMemory]
) -> dict[int, datetime]:
    """Return the ends of the events that the cited memories expect, by their numbers.

    Such an event is ahead, or is the end of a pursuit. What rests on it is over with it.
    """
    ends = ends_by_evidence(context.records.facts)
    for memory in evidence:
        scheduled = scheduled_activity(memory.scheduled)
        if memory.origin in _EXPECTING and scheduled is not None and scheduled.ends is not None:
            ends[memory.number] = max(scheduled.ends, ends.get(memory.number, scheduled.ends))
    return {number: end for number, end in ends.items() if end > context.now}


def perceived_importance(context: TurnContext) -> int:
    """Return the importance of the perceptions since the last reflection, all rated (R1)."""
    ratings = context.retrieval.rate()
    unrated = (memory for memory in context.records.unrated if memory.perceived)
    return context.records.importance + sum(ratings[memory.number] for memory in unrated)


def _reflection_context(context: TurnContext) -> ReflectionContext:
    """Return what there is to reflect on, as of the end of the tick before."""
    summary, last = context.records.summary, context.records.last_reflected
    known = context.retrieval.recent(
        count=REFLECTIONS_COMPARED_MAX, kinds=[MemoryKind.REFLECTION]
    )
    recent = context.items(context.retrieval.recent())
    fitting = recent[: context.llm.fits(list(map(memory_text, recent)), RECENT_TOKENS_MAX)]
    return ReflectionContext(
        agent_name=context.identity.name,
        summary=agent_summary(context.identity, summary) if summary else None,
        now=context.now,
        recent=fitting[::-1],
        known=[memory.description for memory in known],
        importance=perceived_importance(context),
        items=context.items,
        dealings=context.records.dealings,
        facts=_held_facts(context),
        since=None if last is None else context.calendar.time_at(last),
        token_budget=context.settings.retrieval_tokens,
    )


def _held_facts(context: TurnContext) -> list[HeldFact]:
    """Return the facts that an insight may revise."""
    calendar = context.calendar
    held = facts_held(context.records.facts, calendar, context.tick)
    return [
        HeldFact(
            number=one.number,
            kind=one.kind,
            statements=(
                relationship_texts(one, calendar.time_at) if one.other else one.statements
            ),
            other=context.name_known(one.other),
            standing=one.standing,
            until=one.until,
        )
        for one in held
        if one.kind not in (FactKind.ROUTINE, FactKind.SECRET)
    ]


# These memories are not of the day: the description, those that are kept of other days, and
# plans, in place of which the prompt has the performed activities.
_NOT_OF_DAY = frozenset(
    {MemoryOrigin.DESCRIPTION, MemoryOrigin.CONSOLIDATION, MemoryOrigin.PLANNED}
)


def consolidate(turn: Turn) -> Turn:
    """Condense the day into memories that name their evidence."""
    summary, last = turn.records.summary, turn.records.last_consolidated
    recent = turn.retrieval.recent(count=CANDIDATES_MAX)
    of_day = [
        memory
        for memory in reversed(recent)
        if memory.origin not in _NOT_OF_DAY
        and (last is None or max(memory.formed_tick, memory.last_repeated_tick or 0) > last)
    ]
    if not of_day:
        return turn
    kept = [one for one in recent if one.origin is MemoryOrigin.CONSOLIDATION]
    reflected = reflection.consolidate(
        turn.llm,
        ConsolidationInput(
            agent_name=turn.identity.name,
            summary=agent_summary(turn.identity, summary) if summary else None,
            now=turn.now,
            date=date.fromisoformat(turn.plan_day_of(turn.tick)),
            memories=turn.items(of_day),
            kept=turn.items(reversed(kept[:KEPT_BEFORE_MAX])),
            performed=turn.deeds_today(),
        ),
        next_number=turn.next_memory,
    )
    return with_reflection(turn, reflected, origin=MemoryOrigin.CONSOLIDATION)


def goes_to_sleep(turn: Turn) -> bool:
    """Return whether the agent goes to sleep for the night and its day is not condensed yet."""
    was_asleep = turn.action is not None and turn.action.asleep
    begun = [new.event for new in turn.events if isinstance(new.event, ActionBegan)]
    hour = turn.records.hour_at(turn.tick)
    return (
        not was_asleep
        and bool(begun)
        and begun[-1].asleep
        and hour is not None
        and is_night(turn.constants, hour)
        and not is_consolidated(turn.constants, turn.identity, turn.records, turn.tick)
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
