"""Remember: form or count the memories of the turn, record what was rated and retrieved.

Requirements M1 to M4; an observation in the words of an earlier one is counted (ADR 45).
"""

from dataclasses import replace
from itertools import groupby
from typing import Any

from apps.memory.events import MemoriesRepeated, MemoryKind, MemoryOrigin
from apps.memory.formation import form_memories, stored_description
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.expected_texts import expect_texts


def remember_or_count(
    context: TurnContext, outcome: TurnOutcome, kind: MemoryKind, description: str, **facts: Any
) -> TurnOutcome:
    """Count the memory of the same subject and origin in these words, or form one (M1, ADR 45).

    `facts` are the other fields of `TurnOutcome.with_memory`.
    """
    return remember_numbered(context, outcome, kind, description, **facts)[0]


def remember_numbered(
    context: TurnContext,
    outcome: TurnOutcome,
    kind: MemoryKind,
    description: str,
    *,
    origin: MemoryOrigin,
    subject: str = "",
    cause: str = "",
    **facts: Any,
) -> tuple[TurnOutcome, int]:
    """Do as `remember_or_count`, and return the number of the memory too."""
    words = stored_description(description)
    earlier = context.retrieval.earlier(words, subject=subject, origin=origin)
    if earlier is not None:
        return outcome.with_repetition(earlier, cause=cause), earlier
    outcome = outcome.with_memory(
        kind, description, origin=origin, subject=subject, cause=cause, **facts
    )
    return outcome, outcome.last_memory


def remember(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Form and count memories, and record the ratings and the retrievals of the turn."""
    expect_texts(context, outcome)
    drafts = [memory.draft for memory in outcome.memories]
    formed = form_memories(drafts, context.llm, context.model)
    for event, memory in zip(formed, outcome.memories, strict=True):
        outcome = record(context, outcome, event, cause=memory.cause)
    ordered = sorted(outcome.repetitions, key=lambda one: (one.cause, one.number))
    for cause, repeated in groupby(ordered, key=lambda one: one.cause):
        again = MemoriesRepeated(numbers=tuple(one.number for one in repeated))
        outcome = record(context, outcome, again, cause=cause)
    return replace(outcome, events=(*outcome.events, *context.retrieval.events()))


def rate_perceptions(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Rate what is not rated yet, because a reflection depends on it (R1)."""
    context.retrieval.rate()
    return outcome
