"""Remember: form the memories of the turn, and record what was retrieved (M1, M3, M4)."""

from apps.memory.formation import form_memories
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.outcome import TurnOutcome, record


def remember(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Form the memories, rated in one request, and record the retrievals of the turn."""
    drafts = [memory.draft for memory in so_far.memories]
    formed = form_memories(drafts, context.llm, context.identity, context.model)
    for event, memory in zip(formed, so_far.memories, strict=True):
        so_far = record(context, so_far, event, cause=memory.cause)
    for retrieved in context.retrieval.events():
        so_far = record(context, so_far, retrieved)
    return so_far
