"""What comes to a person's mind during one turn, and what that leaves in the log (M4, M5)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from apps.llm.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.memory import queries
from apps.memory.events import MemoriesRetrieved, MemoryKind, Weights
from apps.memory.items import StoredMemory
from apps.memory.models import MemoryRow
from apps.memory.retrieval import RECENCY_DECAY_DEFAULT, RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import (
    MEMORIES_PER_PROMPT_MAX,
    RECENT_MEMORIES_DEFAULT,
    RETRIEVAL_TOKENS_DEFAULT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """How a simulation ranks memories; it stands in its first event."""

    tick_seconds: int
    decay: float = RECENCY_DECAY_DEFAULT
    weights: Weights = field(default_factory=Weights)


class RetrievalSession(Protocol):
    """The memory stream of an agent during one turn, as of the end of the tick before.

    Nothing that the turn does changes what a later question of the same turn finds.
    """

    def retrieve(
        self,
        query: str,
        purpose: str,
        *,
        token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
        weights: Weights | None = None,
    ) -> list[RankedMemory]:
        """Return the top-ranked memories that fit the budget of tokens, best first (M5).

        `purpose`, mostly a RetrievalPurpose, is recorded; `weights` replace those of the
        simulation in this one request (M4).
        """
        ...

    def recent(
        self, *, count: int = RECENT_MEMORIES_DEFAULT, kinds: Collection[MemoryKind] = ()
    ) -> Sequence[StoredMemory]:
        """Return the latest memories of the kinds or, without kinds, of all; newest first."""
        ...

    def contains(self, description: str) -> bool:
        """Return whether the stream has a memory with exactly this description."""
        ...

    def events(self) -> list[MemoriesRetrieved]:
        """Return one event for each retrieval of the turn, in their order."""
        ...


class StoredRetrievalSession:
    """Retrieves from the stream as it was when the turn began.

    Nothing that the turn does changes what a later retrieval of the same turn finds: that
    memories were retrieved is written at the turn's end, and only if `events` are.
    """

    def __init__(
        self,
        *,
        simulation_id: UUID,
        agent: str,
        as_of_tick: int,
        llm: AgentLLM,
        settings: RetrievalSettings,
        kinds: Collection[MemoryKind] | None = None,
    ) -> None:
        """Take whose stream is read, and as of the end of which tick: the one before.

        `kinds` are those that may come to mind, None for all (E2).
        """
        self._simulation_id = simulation_id
        self._agent = agent
        self._as_of_tick = as_of_tick
        self._llm = llm
        self._settings = settings
        self._kinds = kinds
        self._recalled: list[MemoriesRetrieved] = []

    def retrieve(
        self,
        query: str,
        purpose: str,
        *,
        token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
        weights: Weights | None = None,
    ) -> list[RankedMemory]:
        """Return the top-ranked memories that fit the budget of tokens, best first (M5).

        At most MEMORIES_PER_PROMPT_MAX; the first that does not fit ends the list.
        `purpose`, mostly a RetrievalPurpose, is recorded; `weights` replace those of the
        simulation in this one request (M4).
        """
        query = clean_text(query)
        weights = weights or self._settings.weights
        ranked = retrieve(
            self._simulation_id,
            self._agent,
            self._llm.vector(query),
            as_of_tick=self._as_of_tick,
            tick_seconds=self._settings.tick_seconds,
            weights=weights,
            decay=self._settings.decay,
            limit=MEMORIES_PER_PROMPT_MAX,
            kinds=self._kinds,
        )
        fitting = ranked[
            : self._llm.fits([memory.description for memory in ranked], token_budget)
        ]
        self._recalled.append(
            MemoriesRetrieved(
                purpose=str(purpose),
                query=query,
                weights=weights,
                decay=self._settings.decay,
                numbers=tuple(memory.number for memory in fitting),
            )
        )
        return fitting

    def recent(
        self, *, count: int = RECENT_MEMORIES_DEFAULT, kinds: Collection[MemoryKind] = ()
    ) -> list[MemoryRow]:
        """Return the latest memories of the kinds or, without kinds, of all; newest first."""
        return queries.recent(
            self._simulation_id,
            self._agent,
            as_of_tick=self._as_of_tick,
            count=count,
            kinds=kinds,
        )

    def contains(self, description: str) -> bool:
        """Return whether the stream has a memory with exactly this description."""
        return queries.remembers(
            self._simulation_id, self._agent, description, as_of_tick=self._as_of_tick
        )

    def events(self) -> list[MemoriesRetrieved]:
        """Return one event for each retrieval of the turn, in their order."""
        return list(self._recalled)
