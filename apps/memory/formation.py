"""Forming the memories of a turn: numbered in their order, rated in one request (M1, M3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from apps.agents.identity import Identity
from apps.llm.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.inputs import ImportanceInput, NewMemory
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.rules import (
    DESCRIPTION_CHARACTERS_MAX,
    IMPORTANCE_MAX,
    IMPORTANCE_MIN,
    MEMORIES_PER_REQUEST_MAX,
)

# The importance of a drafted memory until the model has rated it.
_UNRATED = 0


@dataclass(slots=True, kw_only=True)
class MemoryDraft:
    """The memories of one turn before they are formed.

    `next_number` is that of the memory that is added next; `embedded_by` and `dimensions` are
    the simulation's embedding model and the length of its vectors.
    """

    next_number: int
    embedded_by: str
    dimensions: int
    _drafted: list[MemoryFormed] = field(default_factory=list, init=False)

    def add(  # noqa: PLR0913 (the fields of a memory)
        self,
        kind: MemoryKind,
        description: str,
        *,
        importance: int | None = None,
        evidence: Iterable[int] = (),
        subject: str = "",
        perceived: bool = False,
        origin: MemoryOrigin = MemoryOrigin.UNKNOWN,
        scheduled: ScheduledActivity | None = None,
    ) -> int:
        """Add a memory and return its number.

        The model rates a memory without an importance (M3). The description is cleaned of
        characters that cannot be stored and cut at DESCRIPTION_CHARACTERS_MAX.

        :raises ValueError: if the description is blank, if the importance is not between 1
            and 10, or if the evidence is not formed earlier.
        """
        clean = clean_text(description).strip()[:DESCRIPTION_CHARACTERS_MAX].rstrip()
        number = self.next_number
        evidence = tuple(evidence)
        if not clean:
            raise ValueError("a memory needs a description")
        if importance is not None and not IMPORTANCE_MIN <= importance <= IMPORTANCE_MAX:
            raise ValueError(f"importance lies between 1 and 10, not at {importance}")
        if any(not 0 < other < number for other in evidence):
            raise ValueError(f"memory {number} cannot rest on {evidence}: evidence is earlier")
        self._drafted.append(
            MemoryFormed(
                number=number,
                kind=kind,
                description=clean,
                importance=_UNRATED if importance is None else importance,
                embedded_by=self.embedded_by,
                dimensions=self.dimensions,
                evidence=evidence,
                subject=subject,
                perceived=perceived,
                origin=origin,
                scheduled=scheduled,
            )
        )
        self.next_number += 1
        return number

    def form(self, llm: AgentLLM, person: Identity) -> list[MemoryFormed]:
        """Return the events of the memories added since the last call, in order of number.

        Embeds every description, and rates memories without an importance in one request of
        at most MEMORIES_PER_REQUEST_MAX, else in several together.
        """
        drafted, self._drafted = self._drafted, []
        llm.embed([memory.description for memory in drafted])
        return _rated(drafted, llm, person)


def _rated(
    drafted: Sequence[MemoryFormed], llm: AgentLLM, identity: Identity
) -> list[MemoryFormed]:
    """Return the memories, each with an importance."""
    unrated = [_new_memory(memory) for memory in drafted if memory.importance == _UNRATED]
    batches = [
        ImportanceInput(
            agent_name=identity.name,
            age=identity.age,
            traits=identity.traits,
            memories=tuple(unrated[first : first + MEMORIES_PER_REQUEST_MAX]),
        )
        for first in range(0, len(unrated), MEMORIES_PER_REQUEST_MAX)
    ]
    answers = llm.ask_together([(IMPORTANCE, batch) for batch in batches]) if batches else []
    ratings = iter([rating for answer in answers for rating in answer.importances])
    return [
        replace(memory, importance=next(ratings)) if memory.importance == _UNRATED else memory
        for memory in drafted
    ]


def _new_memory(memory: MemoryFormed) -> NewMemory:
    return NewMemory(
        kind=memory.kind,
        origin=memory.origin,
        description=memory.description,
        subject=memory.subject,
        scheduled=memory.scheduled,
    )
