"""Reflect on what was perceived, when its importance passes the threshold (R1, R2, R3)."""

from datetime import datetime

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
from apps.memory.items import scheduled_activity
from apps.memory.prompt_lines import memory_text
from apps.reflection import commands as reflection
from apps.reflection.commands import ReflectionContext
from apps.reflection.events import Reflected
from apps.reflection.inputs import HeldFact
from apps.reflection.rules import RECENT_TOKENS_MAX, REFLECTIONS_COMPARED_MAX
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.fact_changes import change_fact, ends_by_evidence

# Memories of these origins expect what is scheduled in them. A plan of a day is no event.
_EXPECTING = frozenset(
    {
        MemoryOrigin.AGREED,
        MemoryOrigin.LEARNED,
        MemoryOrigin.PLAN_NOTE,
        MemoryOrigin.INSIGHT,
        MemoryOrigin.CONSOLIDATION,
    }
)


def reflect(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Reflect; insights become memories with their evidence, and end those they replace."""
    reflected = reflection.reflect(
        context.llm,
        context.retrieval,
        _reflection_context(context),
        next_number=outcome.next_memory,
    )
    return with_reflection(context, outcome, reflected, origin=MemoryOrigin.INSIGHT)


def with_reflection(
    context: TurnContext, outcome: TurnOutcome, reflected: Reflected, *, origin: MemoryOrigin
) -> TurnOutcome:
    """Return the outcome with a reflection, its memories, and the end of those they replace."""
    outcome = record(context, outcome, reflected)
    event = outcome.last_event
    ends = _ends_of_evidence(context, reflected)
    for insight in reflected.insights:
        ending = max((ends[one] for one in insight.evidence if one in ends), default=None)
        outcome = outcome.with_memory(
            MemoryKind.REFLECTION,
            insight.statement,
            cause=event,
            evidence=insight.evidence,
            importance=insight.importance,
            origin=origin,
            scheduled=None if ending is None else ScheduledActivity(activity="", ends=ending),
        )
        assert outcome.last_memory == insight.memory, "an event names the memory of its insight"
        if insight.replaces:
            superseded = MemorySuperseded(number=insight.replaces, event=event)
            outcome = record(context, outcome, superseded, cause=event)
        if insight.changes is not None:
            outcome = change_fact(
                context,
                outcome,
                insight.changes,
                sentence=insight.statement,
                evidence=(insight.memory, *insight.evidence),
                source=FactSource.INSIGHT,
                cause=event,
            )
    return outcome


def _ends_of_evidence(context: TurnContext, reflected: Reflected) -> dict[int, datetime]:
    """Return the ends of the events that the cited memories expect, by their numbers.

    Such an event is ahead, or is the end of a pursuit. What rests on it is over with it.
    """
    cited = {number for insight in reflected.insights for number in insight.evidence}
    ends = ends_by_evidence(context.records.facts)
    for memory in context.retrieval.numbered(cited) if cited else ():
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
        since=None if last is None else context.constants.calendar.time_at(last),
        token_budget=context.constants.settings.retrieval_tokens,
    )


def _held_facts(context: TurnContext) -> list[HeldFact]:
    """Return the facts that an insight may revise."""
    calendar = context.constants.calendar
    held = facts_held(context.records.facts, calendar, context.tick)
    return [
        HeldFact(
            number=one.number,
            kind=one.kind,
            statements=(
                relationship_texts(one, calendar.time_at) if one.other else one.statements
            ),
            other=context.name_of(one.other) if one.other else "",
            standing=one.standing,
            until=one.until,
        )
        for one in held
        if one.kind is not FactKind.ROUTINE
    ]
