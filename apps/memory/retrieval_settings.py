"""The settings of retrieval: the paper's formula, and named variants of it (ADR 61, 77)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from apps.memory.events import RetrievalPurpose, Weights
from apps.memory.focus import Focus
from apps.memory.retrieval import RECENCY_DECAY_DEFAULT, Subject

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
