"""The settings of retrieval, and the memories that a prompt has by them (M5, ADR 44, 61)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from apps.kernel.game_time import GameCalendar
from apps.llm.tokens import count_fitting
from apps.memory.events import MemoryKind, MemoryOrigin, RetrievalPurpose, Weights
from apps.memory.focus import Focus, attended_event
from apps.memory.prompt_lines import budget_line, worth_printing
from apps.memory.retrieval import RECENCY_DECAY_DEFAULT, RankedMemory, Subject
from apps.memory.rules import (
    CANDIDATES_MAX,
    CONDENSED_IMPORTANCE_MAX,
    CONDENSED_RELEVANCE_MIN,
    MEMORIES_PER_PROMPT_MAX,
    NEVER_CONDENSED,
    STATEMENT_RELEVANCE_MIN,
)

RelevanceEmphasis = Literal["none", "questions", "purposes"]
CondensedMemories = Literal["kept", "left out"]
DistantStatements = Literal["kept", "left out"]
QueryWords = Literal["alike", "rare first"]
FocusedMemories = Literal["ignored", "first"]

# The share of memories about the agent that a retrieval asks about (ADR 61).
SUBJECT_SHARE_DEFAULT = 1.0

# The weight of relevance relative to that of the simulation: for a query that asks for one
# thing, and by purpose. Purposes that are not named have the weights of the simulation where
# they ask about an agent: among the memories about it, the important and recent ones matter, as
# was measured (docs/benchmarks/retrieval_quality.md).
QUESTION_RELEVANCE = 4.0
PURPOSE_RELEVANCE: Mapping[str, float] = {
    RetrievalPurpose.INTERVIEW: 16.0,
    RetrievalPurpose.INSIGHTS: 16.0,
    RetrievalPurpose.RECENT_PROGRESS: 16.0,
}
# For these purposes an agent has in mind what concerns the moment: its identity, its ties and
# its usual day are in the prompts as facts.
OF_THE_MOMENT = frozenset(
    {RetrievalPurpose.PLANNING, RetrievalPurpose.REACTION, RetrievalPurpose.UTTERANCE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """The settings of retrieval, from the first event of the simulation.

    The fields have the names and values of the settings of a simulation
    (`apps.simulation.settings`), which describe them.
    """

    tick_seconds: int
    decay: float = RECENCY_DECAY_DEFAULT
    weights: Weights = field(default_factory=Weights)
    relevance_emphasis: RelevanceEmphasis = "purposes"
    subject_share: float = SUBJECT_SHARE_DEFAULT
    query_words: QueryWords = "rare first"
    condensed_memories: CondensedMemories = "kept"
    distant_statements: DistantStatements = "left out"
    focus: FocusedMemories = "first"

    def weights_for(
        self, purpose: str, *, is_question: bool = False, has_subject: bool = False
    ) -> Weights:
        """Return the weights of a retrieval.

        `is_question` tells that the query asks for one thing: then old facts count as much
        as new ones, and relevance outweighs recency and importance. `has_subject` tells that
        the retrieval asks about an agent.
        """
        is_filtered = has_subject and self.subject_share > 0
        factor = QUESTION_RELEVANCE if is_question else 1.0
        if self.relevance_emphasis == "none":
            factor = 1.0
        elif self.relevance_emphasis == "purposes":
            factor = PURPOSE_RELEVANCE.get(purpose, 1.0 if is_filtered else factor)
        return replace(self.weights, relevance=self.weights.relevance * factor)

    def share_of(self, subject: Subject | Focus | None) -> float:
        """Return the share of the tokens for the memories about the agent or in focus."""
        if isinstance(subject, Focus):
            return subject.share if self.focus == "first" else 0.0
        return 0.0 if subject is None else self.subject_share

    def looks_for_event(self, purpose: str) -> bool:
        """Return whether a query of the purpose may ask about an event."""
        return self.focus == "first" and purpose in PURPOSE_RELEVANCE

    def leaves_out_distant(self, purpose: str) -> bool:
        """Return whether the purpose is without phrases of the description that are distant."""
        return self.distant_statements == "left out" and purpose in OF_THE_MOMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The memories that a prompt has, in order, and all that were ranked for it.

    `ranked` begins with those about the subject of the retrieval; the others follow by score.
    """

    in_prompt: Sequence[RankedMemory]
    ranked: Sequence[RankedMemory]


def choose_memories(  # noqa: PLR0913 (a choice depends on all of them)
    rank: Callable[..., list[RankedMemory]],
    settings: RetrievalSettings,
    purpose: str,
    *,
    token_budget: int,
    calendar: GameCalendar,
    subject: Subject | Focus | None = None,
    condensed_tick: int = NEVER_CONDENSED,
    limit: int = CANDIDATES_MAX,
) -> Choice:
    """Return the choice for a prompt of the purpose.

    `rank` returns a ranking; it takes a `limit` and a `subject`, as `retrieve` does. A prompt
    has at most MEMORIES_PER_PROMPT_MAX, without routine and repetitions; the first whose line
    does not fit into the tokens ends the list. With a `subject` it begins with the memories
    about it that fit into their share of the tokens. Without one, that is the event that the
    best memories are about, if the agent was there (`attended_event`). Up to `limit` memories
    are ranked, of which CANDIDATES_MAX are candidates.
    """

    def fitting(memories: Iterable[RankedMemory], tokens: int) -> list[RankedMemory]:
        printed = worth_printing(memories)
        if settings.condensed_memories == "left out":
            printed = without_condensed(printed, condensed_tick)
        printed = printed[:MEMORIES_PER_PROMPT_MAX]
        return printed[: count_fitting(list(map(budget_line, printed)), tokens)]

    ranked = rank(limit=max(limit, CANDIDATES_MAX))
    candidates, about = ranked[:CANDIDATES_MAX], list[RankedMemory]()
    if subject is None and settings.looks_for_event(purpose):
        subject = attended_event(candidates, calendar)
    if settings.leaves_out_distant(purpose):
        candidates = without_distant_statements(candidates)
    share = settings.share_of(subject)
    if share > 0:
        about = fitting(rank(limit=CANDIDATES_MAX, subject=subject), int(token_budget * share))
    return Choice(
        in_prompt=fitting(combined(about, candidates), token_budget),
        ranked=combined(about, ranked)[:limit],
    )


def without_condensed(
    memories: Iterable[RankedMemory], condensed_tick: int
) -> list[RankedMemory]:
    """Return the memories without those of little importance that were condensed by the tick.

    A memory that is relevant to the query stays (CONDENSED_RELEVANCE_MIN).
    """
    return [
        one
        for one in memories
        if max(one.formed_tick, one.last_repeated_tick or 0) > condensed_tick
        or one.importance > CONDENSED_IMPORTANCE_MAX
        or one.kind == MemoryKind.REFLECTION
        or one.origin == MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= CONDENSED_RELEVANCE_MIN
    ]


def without_distant_statements(memories: Iterable[RankedMemory]) -> list[RankedMemory]:
    """Return the memories without the phrases of the description that are not relevant.

    They are of great importance, so that they would fill the window of each query.
    """
    return [
        one
        for one in memories
        if one.origin != MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= STATEMENT_RELEVANCE_MIN
    ]


def combined(
    first: Iterable[RankedMemory], others: Iterable[RankedMemory]
) -> list[RankedMemory]:
    """Return the memories of both, each once, in this order."""
    return list({memory.number: memory for memory in (*first, *others)}.values())
