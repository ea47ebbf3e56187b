"""Forming the memories of a turn, numbered as they come (M1)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from apps.agents.events import ActionKind
from apps.agents.summary import Identity
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.llm.model_spec import ModelSpec
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.memory.items import ImportanceInput, RatedExample, UnratedMemory
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.rules import (
    DESCRIPTION_CHARACTERS_MAX,
    IMPORTANCE_MAX,
    IMPORTANCE_MIN,
    MEMORIES_PER_REQUEST_MAX,
    UNRATED_IMPORTANCE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedMemory(UnratedMemory):
    """A numbered memory of a turn; `importance` is None for one that is rated later (ADR 30).

    The description loses what cannot be stored, and is cut off at DESCRIPTION_CHARACTERS_MAX.

    :raises ValueError: if nothing is left of the description, if the importance does not lie
        between 1 and 10, or if a memory is its own or a later one's evidence.
    """

    origin: MemoryOrigin = MemoryOrigin.UNKNOWN
    importance: int | None = None
    evidence: tuple[int, ...] = ()
    action: ActionKind | None = None
    activity: str = ""
    passing_on: str = ""

    def __post_init__(self) -> None:
        """Clean the description and check the facts."""
        clean, importance = stored_description(self.description), self.importance
        if not clean:
            raise ValueError("a memory needs a description")
        if importance is not None and not IMPORTANCE_MIN <= importance <= IMPORTANCE_MAX:
            raise ValueError(f"importance lies between 1 and 10, not at {importance}")
        if any(not 0 < other < self.number for other in self.evidence):
            raise ValueError(
                f"memory {self.number} cannot rest on {self.evidence}: evidence is earlier"
            )
        object.__setattr__(self, "description", clean)


def stored_description(description: str) -> str:
    """Return the description as it is stored, "" if nothing is left of it."""
    return clean_text(description).strip()[:DESCRIPTION_CHARACTERS_MAX].rstrip()


def form_memories(
    drafts: Sequence[DraftedMemory], llm: AgentLLM, model: ModelSpec
) -> list[MemoryFormed]:
    """Return the events of the memories, in the same order, and embed their descriptions."""
    llm.embed([draft.description for draft in drafts])
    return [_formed(draft, model) for draft in drafts]


def _formed(draft: DraftedMemory, model: ModelSpec) -> MemoryFormed:
    facts = {field.name: getattr(draft, field.name) for field in fields(draft)}
    importance = UNRATED_IMPORTANCE if draft.importance is None else draft.importance
    return MemoryFormed(
        **facts | {"importance": importance},
        rated=draft.importance is not None,
        embedded_by=model.embedding_model,
        dimensions=model.embedding_dimensions,
    )


def rate_memories(
    llm: AgentLLM,
    agent: Identity,
    memories: Sequence[UnratedMemory],
    anchors: Sequence[RatedExample] = (),
    *,
    lasting: Sequence[str] = (),
) -> dict[int, int]:
    """Return the importance of each memory, 1 to 10, by its number.

    `anchors` are memories that the agent has rated before, to compare with; `lasting` are
    sentences of its lasting facts that matter most to it.

    It is one call, or several together for more than MEMORIES_PER_REQUEST_MAX.
    """
    requests = [
        ImportanceInput(
            agent_name=agent.name,
            age=agent.age,
            traits=agent.traits,
            lasting=tuple(lasting),
            anchors=tuple(anchors),
            memories=tuple(memories[first : first + MEMORIES_PER_REQUEST_MAX]),
        )
        for first in range(0, len(memories), MEMORIES_PER_REQUEST_MAX)
    ]
    if not requests:
        return {}
    answers = llm.ask_together([(IMPORTANCE, request) for request in requests])
    ratings = (rating for answer in answers for rating in answer.importances)
    return {memory.number: rating for memory, rating in zip(memories, ratings, strict=True)}
