"""Remember: form or count the memories of the turn, record what was rated and retrieved.

Requirements M1 to M4; an observation in the words of an earlier one is counted (ADR 45).
"""

from dataclasses import replace
from itertools import groupby

from apps.memory.events import MemoriesRepeated
from apps.memory.formation import form_memories
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.expected_texts import expect_texts


def remember(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Form and count memories, and record the ratings and the retrievals of the turn."""
    expect_texts(context, so_far)
    drafts = [memory.draft for memory in so_far.memories]
    formed = form_memories(drafts, context.llm, context.model)
    for event, memory in zip(formed, so_far.memories, strict=True):
        so_far = record(context, so_far, event, cause=memory.cause)
    ordered = sorted(so_far.repetitions, key=lambda one: (one.cause, one.number))
    for cause, repeated in groupby(ordered, key=lambda one: one.cause):
        again = MemoriesRepeated(numbers=tuple(one.number for one in repeated))
        so_far = record(context, so_far, again, cause=cause)
    return replace(so_far, events=(*so_far.events, *context.retrieval.events()))


def rate_perceptions(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Rate what is not rated yet, because a reflection depends on it (R1)."""
    context.retrieval.rate()
    return so_far
