"""Reflect on what was perceived, when its importance passes the threshold (R1, R2, R3)."""

from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.summary.commands import agent_summary
from apps.memory.summary.queries import current_summary
from apps.reflection import commands as reflection
from apps.reflection import queries as reflection_queries
from apps.reflection.commands import ReflectionContext
from apps.reflection.rules import REFLECTIONS_COMPARED_MAX, is_due
from apps.simulation.turn.context import Turn


def reflect_if_due(turn: Turn) -> None:
    """Reflect if it is due; insights become memories that name their evidence.

    While the agent sleeps, the reflection stays due.
    """
    if turn.sleeps_on:
        return
    importance = reflection_queries.importance_since_last(
        turn.constants.simulation_id, turn.identity.slug, as_of_tick=turn.before
    )
    if not is_due(importance, turn.constants.settings.reflection_threshold):
        return
    reflected = reflection.reflect(
        turn.llm,
        turn.retrieval,
        _reflection_context(turn, importance),
        next_number=turn.memories.next_number,
    )
    event = turn.say(reflected)
    for insight in reflected.insights:
        number = turn.remember(
            MemoryKind.REFLECTION,
            insight.statement,
            cause=event,
            evidence=insight.evidence,
            origin=MemoryOrigin.INSIGHT,
        )
        assert number == insight.memory, "an insight is the memory that its event names"


def _reflection_context(turn: Turn, importance: int) -> ReflectionContext:
    """Return what there is to reflect on, as of the end of the tick before."""
    simulation_id, agent = turn.constants.simulation_id, turn.identity.slug
    summary = current_summary(simulation_id, agent, as_of_tick=turn.before)
    recent = memory_queries.recent(simulation_id, agent, as_of_tick=turn.before)
    known = memory_queries.recent(
        simulation_id,
        agent,
        as_of_tick=turn.before,
        count=REFLECTIONS_COMPARED_MAX,
        kinds=[MemoryKind.REFLECTION],
    )
    return ReflectionContext(
        agent_name=turn.identity.name,
        summary=agent_summary(turn.identity, summary) if summary else None,
        now=turn.now,
        recent=turn.items(reversed(recent)),
        known=[memory.description for memory in known],
        importance=importance,
        items=turn.items,
        token_budget=turn.constants.settings.retrieval_tokens,
    )
