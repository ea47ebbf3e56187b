"""The memory stream of an agent during one turn or interview (M4, M5)."""

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
    """The settings of retrieval, from the first event of the simulation."""

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
        """Return the top-ranked memories within the token budget, best first (M5).

        `purpose` is recorded; `weights` replace those of the simulation (M4).
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
        """Return one event for each retrieval, in order."""
        ...


@dataclass(slots=True, kw_only=True)
class StoredRetrievalSession:
    """Retrieves from the memory stream of the database, as it was before the turn.

    A retrieval does not affect a later one of the same session: its event takes effect when
    it is appended. The stream is read as of the end of `as_of_tick`; `kinds` limits the
    memories, None for all (E2).
    """

    simulation_id: UUID
    agent: str
    as_of_tick: int
    llm: AgentLLM
    settings: RetrievalSettings
    kinds: Collection[MemoryKind] | None = None
    _events: list[MemoriesRetrieved] = field(default_factory=list, init=False)

    def retrieve(
        self,
        query: str,
        purpose: str,
        *,
        token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
        weights: Weights | None = None,
    ) -> list[RankedMemory]:
        """Return the top-ranked memories within the token budget, best first (M5).

        At most MEMORIES_PER_PROMPT_MAX; the first that does not fit ends the list.
        `purpose` is recorded; `weights` replace those of the simulation (M4).
        """
        query = clean_text(query)
        weights = weights or self.settings.weights
        ranked = retrieve(
            self.simulation_id,
            self.agent,
            self.llm.vector(query),
            as_of_tick=self.as_of_tick,
            tick_seconds=self.settings.tick_seconds,
            weights=weights,
            decay=self.settings.decay,
            limit=MEMORIES_PER_PROMPT_MAX,
            kinds=self.kinds,
        )
        fitting = ranked[
            : self.llm.fits([memory.description for memory in ranked], token_budget)
        ]
        self._events.append(
            MemoriesRetrieved(
                purpose=str(purpose),
                query=query,
                weights=weights,
                decay=self.settings.decay,
                numbers=tuple(memory.number for memory in fitting),
            )
        )
        return fitting

    def recent(
        self, *, count: int = RECENT_MEMORIES_DEFAULT, kinds: Collection[MemoryKind] = ()
    ) -> list[MemoryRow]:
        """Return the latest memories of the kinds or, without kinds, of all; newest first."""
        tick = self.as_of_tick
        return queries.recent(
            self.simulation_id, self.agent, as_of_tick=tick, count=count, kinds=kinds
        )

    def contains(self, description: str) -> bool:
        """Return whether the stream has a memory with exactly this description."""
        return queries.remembers(
            self.simulation_id, self.agent, description, as_of_tick=self.as_of_tick
        )

    def events(self) -> list[MemoriesRetrieved]:
        """Return one event for each retrieval, in order."""
        return list(self._events)
