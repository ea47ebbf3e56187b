"""Forming the memories of a turn: numbered as they come, rated in one request (M1, M3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.agents.identity import Identity
from apps.llm.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.llm.model_spec import ModelSpec
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.inputs import ImportanceInput, NewMemory
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.rules import (
    DESCRIPTION_CHARACTERS_MAX,
    IMPORTANCE_MAX,
    IMPORTANCE_MIN,
    MEMORIES_PER_REQUEST_MAX,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedMemory:
    """A numbered memory of a turn, which may still lack its importance."""

    number: int
    kind: MemoryKind
    description: str
    importance: int | None
    evidence: tuple[int, ...]
    subject: str
    perceived: bool
    origin: MemoryOrigin
    scheduled: ScheduledActivity | None


def draft_memory(  # noqa: PLR0913 (the fields of a memory)
    number: int,
    kind: MemoryKind,
    description: str,
    *,
    importance: int | None = None,
    evidence: Iterable[int] = (),
    subject: str = "",
    perceived: bool = False,
    origin: MemoryOrigin = MemoryOrigin.UNKNOWN,
    scheduled: ScheduledActivity | None = None,
) -> DraftedMemory:
    """Return a memory of the number (`queries.next_number`).

    Without an importance the model is asked for it; the state of an idle object has
    IDLE_IMPORTANCE without a call (M3). The description loses what cannot be stored, and is
    cut off at DESCRIPTION_CHARACTERS_MAX.

    :raises ValueError: if nothing is left of the description, if the importance does not lie
        between 1 and 10, or if a memory is its own or a later one's evidence.
    """
    clean = clean_text(description).strip()[:DESCRIPTION_CHARACTERS_MAX].rstrip()
    evidence = tuple(evidence)
    if not clean:
        raise ValueError("a memory needs a description")
    if importance is not None and not IMPORTANCE_MIN <= importance <= IMPORTANCE_MAX:
        raise ValueError(f"importance lies between 1 and 10, not at {importance}")
    if any(not 0 < other < number for other in evidence):
        raise ValueError(f"memory {number} cannot rest on {evidence}: evidence is earlier")
    return DraftedMemory(
        number=number,
        kind=kind,
        description=clean,
        importance=importance,
        evidence=evidence,
        subject=subject,
        perceived=perceived,
        origin=origin,
        scheduled=scheduled,
    )


def form_memories(
    drafts: Sequence[DraftedMemory], llm: AgentLLM, agent: Identity, model: ModelSpec
) -> list[MemoryFormed]:
    """Return the events of the memories, in the same order, and embed their descriptions.

    Those without an importance are rated in one request, of more than
    MEMORIES_PER_REQUEST_MAX in several together (M3).
    """
    llm.embed([draft.description for draft in drafts])
    return [_formed(draft, model) for draft in _rated(drafts, llm, agent)]


def _formed(draft: DraftedMemory, model: ModelSpec) -> MemoryFormed:
    assert draft.importance is not None, "every memory was rated"
    return MemoryFormed(
        number=draft.number,
        kind=draft.kind,
        description=draft.description,
        importance=draft.importance,
        evidence=draft.evidence,
        subject=draft.subject,
        perceived=draft.perceived,
        origin=draft.origin,
        scheduled=draft.scheduled,
        embedded_by=model.embedding_model,
        dimensions=model.embedding_dimensions,
    )


def _rated(
    drafts: Sequence[DraftedMemory], llm: AgentLLM, agent: Identity
) -> list[DraftedMemory]:
    """Return the memories, each with an importance."""
    unrated = [memory for memory in drafts if memory.importance is None]
    batches = [
        ImportanceInput(
            agent_name=agent.name,
            age=agent.age,
            traits=agent.traits,
            memories=tuple(map(_new_memory, unrated[first : first + MEMORIES_PER_REQUEST_MAX])),
        )
        for first in range(0, len(unrated), MEMORIES_PER_REQUEST_MAX)
    ]
    answers = llm.ask_together([(IMPORTANCE, batch) for batch in batches]) if batches else []
    ratings = iter([rating for answer in answers for rating in answer.importances])
    return [
        replace(memory, importance=next(ratings)) if memory.importance is None else memory
        for memory in drafts
    ]


def _new_memory(draft: DraftedMemory) -> NewMemory:
    return NewMemory(
        kind=draft.kind,
        origin=draft.origin,
        description=draft.description,
        subject=draft.subject,
        scheduled=draft.scheduled,
    )
