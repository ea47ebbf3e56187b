"""Reflect on what was perceived, when its importance passes the threshold (R1, R2, R3)."""

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.summary.commands import agent_summary
from apps.reflection import commands as reflection
from apps.reflection.commands import ReflectionContext
from apps.reflection.rules import REFLECTIONS_COMPARED_MAX
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.outcome import TurnOutcome, record


def reflect(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Reflect; insights become memories that name their evidence."""
    reflected = reflection.reflect(
        context.llm,
        context.retrieval,
        _reflection_context(context),
        next_number=so_far.next_memory,
    )
    so_far = record(context, so_far, reflected)
    event = so_far.last_event
    for insight in reflected.insights:
        so_far = so_far.with_memory(
            MemoryKind.REFLECTION,
            insight.statement,
            cause=event,
            evidence=insight.evidence,
            importance=insight.importance,
            origin=MemoryOrigin.INSIGHT,
        )
        assert so_far.last_memory == insight.memory, "an event names the memory of its insight"
    return so_far


def perceived_importance(context: TurnContext) -> int:
    """Return the importance of the perceptions since the last reflection, all rated (R1)."""
    ratings = context.retrieval.rate()
    unrated = (memory for memory in context.records.unrated if memory.perceived)
    return context.records.importance + sum(ratings[memory.number] for memory in unrated)


def _reflection_context(context: TurnContext) -> ReflectionContext:
    """Return what there is to reflect on, as of the end of the tick before."""
    summary = context.records.summary
    known = context.retrieval.recent(
        count=REFLECTIONS_COMPARED_MAX, kinds=[MemoryKind.REFLECTION]
    )
    return ReflectionContext(
        agent_name=context.identity.name,
        summary=agent_summary(context.identity, summary) if summary else None,
        now=context.now,
        recent=context.items(reversed(context.retrieval.recent())),
        known=[memory.description for memory in known],
        importance=perceived_importance(context),
        items=context.items,
        token_budget=context.constants.settings.retrieval_tokens,
    )
