"""The retrievals of one turn or interview, and their events (M4, M5)."""

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from apps.llm.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.memory.events import MemoriesRetrieved, MemoryKind, Weights
from apps.memory.retrieval import RECENCY_DECAY_DEFAULT, RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX, RETRIEVAL_TOKENS_DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """The settings of retrieval, from the first event of the simulation."""

    tick_seconds: int
    decay: float = RECENCY_DECAY_DEFAULT
    weights: Weights = field(default_factory=Weights)


@dataclass(slots=True, kw_only=True)
class RetrievalSession:
    """Retrieves from the memory stream as it was before the turn.

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

    def events(self) -> list[MemoriesRetrieved]:
        """Return one event for each retrieval, in order."""
        return list(self._events)
