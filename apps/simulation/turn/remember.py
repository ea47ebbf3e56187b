"""Remember: form the memories of the turn, and record what was rated and retrieved (M1-M4)."""

from dataclasses import replace

from apps.memory.formation import form_memories
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.expected_texts import expect_texts
from apps.simulation.turn.outcome import TurnOutcome, record


def remember(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Form the memories, and record the ratings and the retrievals of the turn."""
    expect_texts(context, so_far)
    drafts = [memory.draft for memory in so_far.memories]
    formed = form_memories(drafts, context.llm, context.model)
    for event, memory in zip(formed, so_far.memories, strict=True):
        so_far = record(context, so_far, event, cause=memory.cause)
    return replace(so_far, events=(*so_far.events, *context.retrieval.events()))


def rate_perceptions(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Rate what is not rated yet, because a reflection depends on it (R1)."""
    context.retrieval.rate()
    return so_far
