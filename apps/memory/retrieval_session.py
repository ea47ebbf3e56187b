"""The memory stream of an agent during one turn or interview (M4, M5)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from apps.agents.summary import Identity
from apps.eventlog.store import NewEvent
from apps.kernel.game_time import GameCalendar
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import clean_text
from apps.memory import earlier_memories, importance_queries, queries
from apps.memory.earlier_memories import EarlierMemory
from apps.memory.events import MemoriesRated, MemoriesRetrieved, MemoryKind, MemoryOrigin
from apps.memory.focus import Focus, agent_itself
from apps.memory.formation import rate_memories
from apps.memory.items import StoredMemory, UnratedMemory
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.mean_squares import mean_squares, query_vector
from apps.memory.prompt_lines import worth_printing
from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import (
    ENDED_MEMORIES_MAX,
    NEVER_CONDENSED,
    RECENT_MEMORIES_DEFAULT,
    RETRIEVAL_TOKENS_DEFAULT,
)
from apps.memory.selection import RetrievalSettings, choose_memories


@dataclass(slots=True, kw_only=True)
class RetrievalSession:
    """Retrieves from the memory stream of an agent, as it was before the turn.

    A retrieval does not affect a later one of the same session: its event takes effect when
    it is appended. The stream is read as of the end of `as_of_tick`; `kinds` limits the
    memories, None for all (E2). `unrated` are the memories that the session rates when it
    first reads (ADR 30); one that must not change the stream, such as an interview's, has none.
    `lasting` are the sentences of the agent's facts that ratings rest on.
    `condensed_tick` is the tick of the last consolidation of a day.
    """

    simulation_id: UUID
    agent: str
    as_of_tick: int
    llm: AgentLLM
    settings: RetrievalSettings
    calendar: GameCalendar
    identity: Identity | None = None
    unrated: Sequence[UnratedMemory] = ()
    lasting: Sequence[str] = ()
    kinds: Collection[MemoryKind] | None = None
    condensed_tick: int = NEVER_CONDENSED
    _ratings: dict[int, int] = field(default_factory=dict, init=False)
    _rating_calls: tuple[str, ...] = field(default=(), init=False)
    _mean_squares: list[float] | None = field(default=None, init=False)
    _retrievals: list[MemoriesRetrieved] = field(default_factory=list, init=False)

    def rate(self) -> Mapping[int, int]:
        """Rate what is not rated yet; return the ratings of this turn, by number (M3)."""
        if self.unrated and not self._ratings:
            assert self.identity is not None, "only an agent's own turn rates"
            anchors = importance_queries.rated_examples(
                self.simulation_id, self.agent, as_of_tick=self.as_of_tick
            )
            self._ratings = rate_memories(
                self.llm, self.identity, self.unrated, anchors, lasting=self.lasting
            )
            self._rating_calls = self.llm.take_calls_of(IMPORTANCE)
        return self._ratings

    def embed(self, queries: Iterable[str]) -> None:
        """Embed the queries of coming retrievals in one request."""
        self.llm.vectors([clean_text(query) for query in queries])

    def retrieve(
        self,
        query: str,
        purpose: str,
        *,
        token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
        is_question: bool = False,
        subject: Subject | Focus | None = None,
    ) -> list[RankedMemory]:
        """Return the top-ranked memories within the token budget, best first (M5).

        `purpose` is recorded; `is_question` tells that the query asks for one thing, `subject`
        that it asks about an agent or has a focus. The choice is that of `choose_memories`.
        """
        self.rate()
        query, settings = clean_text(query), self.settings
        weights = settings.weights_for(
            purpose, is_question=is_question, has_subject=isinstance(subject, Subject)
        )
        rank = partial(
            retrieve,
            self.simulation_id,
            self.agent,
            self._vector(query),
            as_of_tick=self.as_of_tick,
            tick_seconds=settings.tick_seconds,
            weights=weights,
            decay=settings.decay,
            kinds=self.kinds,
            ratings=self._ratings,
        )
        fitting = choose_memories(
            rank,
            settings,
            purpose,
            token_budget=token_budget,
            calendar=self.calendar,
            subject=subject,
            condensed_tick=self.condensed_tick,
        ).in_prompt
        self._retrievals.append(
            MemoriesRetrieved(
                purpose=str(purpose),
                query=query,
                weights=weights,
                decay=settings.decay,
                numbers=tuple(memory.number for memory in fitting),
            )
        )
        return list(fitting)

    def itself(self) -> Subject:
        """Return the agent itself, as the subject of a retrieval."""
        return agent_itself(self.simulation_id, self.agent, as_of_tick=self.as_of_tick)

    def _vector(self, query: str) -> list[float]:
        """Return the vector of the query as the settings weigh its words."""
        return query_vector(self.llm.vector(query), self.settings.query_words, self._means)

    def _means(self) -> list[float]:
        """Return the mean squares of the stream, which the session reads once."""
        if self._mean_squares is None:
            self._mean_squares = mean_squares(
                self.simulation_id, self.agent, as_of_tick=self.as_of_tick, kinds=self.kinds
            )
        return self._mean_squares

    def recent(
        self, *, count: int = RECENT_MEMORIES_DEFAULT, kinds: Collection[MemoryKind] = ()
    ) -> Sequence[StoredMemory]:
        """Return the latest memories of the kinds or, without kinds, of all; newest first.

        Routine and repetitions among them are left out, and so are memories of little
        importance of condensed days.
        """
        tick, ratings = self.as_of_tick, self.rate()
        rows = queries.recent(
            self.simulation_id,
            self.agent,
            as_of_tick=tick,
            count=count,
            kinds=kinds,
            condensed_tick=self.condensed_tick,
        )
        for row in rows:
            row.importance = ratings.get(row.number, row.importance)
        return worth_printing(rows)

    def contains(self, description: str) -> bool:
        """Return whether the stream has a memory with exactly this description."""
        return earlier_memories.remembers(
            self.simulation_id, self.agent, description, as_of_tick=self.as_of_tick
        )

    def earlier(self, description: str, *, subject: str, origin: MemoryOrigin) -> int | None:
        """Return the number of the latest memory in these words, None without one (M1)."""
        return earlier_memories.earlier_memory(
            self.simulation_id,
            self.agent,
            description,
            subject=subject,
            origin=origin,
            as_of_tick=self.as_of_tick,
        )

    def of_activity(self, activity: str, *, subject: str) -> EarlierMemory | None:
        """Return the latest memory of an agent at an activity, None without one (M2)."""
        return earlier_memories.memory_of_activity(
            self.simulation_id,
            self.agent,
            activity,
            subject=subject,
            as_of_tick=self.as_of_tick,
        )

    def agreements(self, now: datetime) -> Sequence[StoredMemory]:
        """Return the agreements that hold and are not over at the game time, in order."""
        return earlier_memories.agreements_from(
            self.simulation_id, self.agent, now=now, as_of_tick=self.as_of_tick
        )

    def ended(self, since_tick: int) -> Sequence[StoredMemory]:
        """Return the latest ends of agreements that were formed since the tick."""
        rows = queries.memories_of_origin(
            self.simulation_id,
            self.agent,
            origin=MemoryOrigin.ENDED,
            as_of_tick=self.as_of_tick,
            count=ENDED_MEMORIES_MAX,
        )
        return [row for row in rows if row.formed_tick >= since_tick]

    def gists_with(self, agreements: Collection[int]) -> Sequence[int]:
        """Return the numbers of the gists that were formed with the agreements."""
        return earlier_memories.gists_with(
            self.simulation_id, self.agent, agreements, as_of_tick=self.as_of_tick
        )

    def numbered(self, numbers: Collection[int]) -> Sequence[StoredMemory]:
        """Return the memories of the numbers, in order."""
        found = queries.numbered(
            self.simulation_id, self.agent, numbers, as_of_tick=self.as_of_tick
        )
        return [found[number] for number in sorted(found)]

    def events(self) -> list[NewEvent]:
        """Return the event of the ratings, if there are any, and one for each retrieval."""
        retrievals = [NewEvent(event=event) for event in self._retrievals]
        if not self._ratings:
            return retrievals
        rated = MemoriesRated(
            numbers=tuple(self._ratings), importances=tuple(self._ratings.values())
        )
        return [NewEvent(event=rated, model_calls=self._rating_calls), *retrievals]
