"""Count an observation in the words of an earlier memory instead of remembering it again."""

from typing import Any

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.formation import stored_description
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.turn_context import TurnContext


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
