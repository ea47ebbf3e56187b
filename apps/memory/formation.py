"""Forming the memories of a turn: numbered as they come, rated in one request (M1, M3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafted:
    """A memory that may still lack its importance."""

    number: int
    kind: MemoryKind
    description: str
    importance: int | None
    evidence: tuple[int, ...]
    subject: str
    perceived: bool
    origin: MemoryOrigin
    scheduled: ScheduledActivity | None


class MemoryDraft:
    """Collects the memories of one turn, then forms them all at once."""

    def __init__(self, *, next_number: int, embedded_by: str, dimensions: int) -> None:
        """Begin at the person's next number (`queries.next_number`).

        `embedded_by` and `dimensions` are the simulation's embedding model and how many
        numbers its vectors have.
        """
        self._next_number = next_number
        self._embedded_by = embedded_by
        self._dimensions = dimensions
        self._drafted: list[_Drafted] = []

    @property
    def next_number(self) -> int:
        """The number of the memory that is added next."""
        return self._next_number

    @property
    def pending(self) -> int:
        """How many memories were added since they were last formed."""
        return len(self._drafted)

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

        Without an importance the model is asked for it; an idle object's state has
        IDLE_IMPORTANCE without asking (M3). The description is cleaned of what cannot be
        stored, and what exceeds DESCRIPTION_CHARACTERS_MAX is cut off.

        :raises ValueError: if nothing is left of the description, if the importance does
            not lie between 1 and 10, or if a memory is its own or a later one's evidence.
        """
        clean = clean_text(description).strip()[:DESCRIPTION_CHARACTERS_MAX].rstrip()
        number = self._next_number
        evidence = tuple(evidence)
        if not clean:
            raise ValueError("a memory needs a description")
        if importance is not None and not IMPORTANCE_MIN <= importance <= IMPORTANCE_MAX:
            raise ValueError(f"importance lies between 1 and 10, not at {importance}")
        if any(not 0 < other < number for other in evidence):
            raise ValueError(f"memory {number} cannot rest on {evidence}: evidence is earlier")
        self._drafted.append(
            _Drafted(
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
        )
        self._next_number += 1
        return number

    def form(self, llm: AgentLLM, person: Identity) -> list[MemoryFormed]:
        """Return the events of what was added since the last time, in order of number.

        Rates those that lack an importance, all in one request (of at most
        MEMORIES_PER_REQUEST_MAX, else in several together), and embeds every description.
        """
        drafted, self._drafted = self._drafted, []
        llm.embed([memory.description for memory in drafted])
        return [self._event(memory) for memory in _rated(drafted, llm, person)]

    def _event(self, memory: _Drafted) -> MemoryFormed:
        assert memory.importance is not None, "every memory was rated"
        return MemoryFormed(
            number=memory.number,
            kind=memory.kind,
            description=memory.description,
            importance=memory.importance,
            evidence=memory.evidence,
            subject=memory.subject,
            perceived=memory.perceived,
            origin=memory.origin,
            scheduled=memory.scheduled,
            embedded_by=self._embedded_by,
            dimensions=self._dimensions,
        )


def _rated(drafted: Sequence[_Drafted], llm: AgentLLM, person: Identity) -> list[_Drafted]:
    """Return the memories, each with an importance."""
    unrated = [memory for memory in drafted if memory.importance is None]
    batches = [
        ImportanceInput(
            agent_name=person.name,
            age=person.age,
            traits=person.traits,
            memories=tuple(map(_new_memory, unrated[first : first + MEMORIES_PER_REQUEST_MAX])),
        )
        for first in range(0, len(unrated), MEMORIES_PER_REQUEST_MAX)
    ]
    answers = llm.ask_together([(IMPORTANCE, batch) for batch in batches]) if batches else []
    ratings = iter([rating for answer in answers for rating in answer.importances])
    return [
        replace(memory, importance=next(ratings)) if memory.importance is None else memory
        for memory in drafted
    ]


def _new_memory(drafted: _Drafted) -> NewMemory:
    return NewMemory(
        kind=drafted.kind,
        origin=drafted.origin,
        description=drafted.description,
        subject=drafted.subject,
        scheduled=drafted.scheduled,
    )
