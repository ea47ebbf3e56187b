"""Events of a memory stream: memories are formed, repeated, rated, retrieved (M1 to M4)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from apps.agents.events import ActionKind
from apps.agents.status import Standing, TieKind
from apps.eventlog.event import Event


class RetrievalPurpose(StrEnum):
    """The purpose of a retrieval: mostly the LLM task whose prompt has the memories."""

    PLANNING = "planning"
    REACTION = "reaction.decision"
    UTTERANCE = "dialogue.utterance"
    INSIGHTS = "reflection.insights"
    CORE_CHARACTERISTICS = "self_summary.core_characteristics"
    DAILY_OCCUPATION = "self_summary.daily_occupation"
    RECENT_PROGRESS = "self_summary.recent_progress"
    INTERVIEW = "interview.answer"


# One for each of the three summaries of a summary description (S1).
SUMMARY_PURPOSES = (
    RetrievalPurpose.CORE_CHARACTERISTICS,
    RetrievalPurpose.DAILY_OCCUPATION,
    RetrievalPurpose.RECENT_PROGRESS,
)


class MemoryKind(StrEnum):
    """The kinds of memories (M1)."""

    OBSERVATION = "observation"
    REFLECTION = "reflection"
    PLAN = "plan"
    DIALOGUE = "dialogue"


class MemoryOrigin(StrEnum):
    """The source of a memory; UNKNOWN where none is stated."""

    UNKNOWN = ""
    DESCRIPTION = "description"  # a phrase of the initial description
    OWN_ACTION = "own-action"
    PERCEIVED_AGENT = "perceived-agent"  # what another agent was seen doing
    PERCEIVED_OBJECT = "perceived-object"  # the state of an object
    TURNED_AWAY = "turned-away"  # an area or object that was closed or taken
    CLOSING = "closing"  # the place of the agent closes
    UTTERANCE = "utterance"  # a heard utterance without a reply
    OWN_UTTERANCE = "own-utterance"  # an own utterance without a reply
    UNHEARD = "unheard"  # an utterance that was cut off
    OVERHEARD = "overheard"  # an utterance of another agent to somebody else
    CONVERSATION = "conversation"  # the gist of a conversation
    LEARNED = "learned"  # learned in a conversation; the subject is the other agent
    AGREED = "agreed"
    DECLINED = "declined"
    OPINION = "opinion"  # an opinion of another agent after a conversation
    PLAN_NOTE = "plan-note"  # the consequence of a conversation for plans
    PLANNED = "planned"  # a chunk of a day's outline
    INSIGHT = "insight"
    CONSOLIDATION = "consolidation"  # what is kept of a day
    INNER_VOICE = "inner-voice"
    DECIDED = "decided"  # the decision after an inner voice
    TOLD_OBSERVATION = "told-observation"
    INTERVIEW = "interview"
    PROMISED = "promised"  # a promise to pass something on
    RIGHTED = "righted"  # a danger or a damage that the agent has seen to
    ENDED = "ended"  # the end of an agreement: kept, missed or dropped

    @property
    def kind(self) -> MemoryKind:
        """The kind of memories of this origin."""
        return _KINDS.get(self, MemoryKind.OBSERVATION)

    @property
    def is_perceived(self) -> bool:
        """Whether they count towards a reflection: observations, not thoughts (paper 4.1)."""
        return self in _PERCEIVED


_KINDS: dict[MemoryOrigin, MemoryKind] = {
    **dict.fromkeys(
        (
            MemoryOrigin.UTTERANCE,
            MemoryOrigin.OVERHEARD,
            MemoryOrigin.CONVERSATION,
            MemoryOrigin.LEARNED,
            MemoryOrigin.DECLINED,
            MemoryOrigin.INTERVIEW,
        ),
        MemoryKind.DIALOGUE,
    ),
    **dict.fromkeys(
        (
            MemoryOrigin.OPINION,
            MemoryOrigin.PLAN_NOTE,
            MemoryOrigin.INSIGHT,
            MemoryOrigin.CONSOLIDATION,
            MemoryOrigin.INNER_VOICE,
        ),
        MemoryKind.REFLECTION,
    ),
    MemoryOrigin.AGREED: MemoryKind.PLAN,
    MemoryOrigin.PLANNED: MemoryKind.PLAN,
    MemoryOrigin.DECIDED: MemoryKind.PLAN,
    MemoryOrigin.PROMISED: MemoryKind.PLAN,
}
_PERCEIVED = frozenset(
    {
        MemoryOrigin.PERCEIVED_AGENT,
        MemoryOrigin.PERCEIVED_OBJECT,
        MemoryOrigin.OWN_ACTION,
        MemoryOrigin.TURNED_AWAY,
        MemoryOrigin.CLOSING,
        MemoryOrigin.UTTERANCE,
        MemoryOrigin.UNHEARD,
        MemoryOrigin.OVERHEARD,
        MemoryOrigin.CONVERSATION,
        MemoryOrigin.LEARNED,
        MemoryOrigin.TOLD_OBSERVATION,
        MemoryOrigin.INTERVIEW,
        MemoryOrigin.ENDED,
    }
)


class AgreementOutcome(StrEnum):
    """How an agreement ended for an agent."""

    KEPT = "kept"  # the agent was there, with one of the others
    ALONE = "alone"  # the agent was there, and none of the others was
    MISSED = "missed"  # it was in the plan of the day, and the agent was not there
    DROPPED = "dropped"  # the agent had planned something else


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledActivity:
    """An activity that an agent has planned, agreed to or decided.

    `activity` is an infinitive without "to", "" where the memory tells of what others do;
    `place` is in words, "" for none; the times are game times, None where not known.
    `cancelled` marks an agreement not to do it. `outcome` is set in the memory of its end, with
    the full names of the other agents that the agent saw there (`present`), and of those that
    it had agreed with and did not see (`absent`).
    """

    activity: str
    place: str = ""
    starts: datetime | None = None
    ends: datetime | None = None
    cancelled: bool = False
    outcome: AgreementOutcome | None = None
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the three scaled parts of a score; none is negative (M4)."""

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFormed(Event):
    """A memory was formed (M1).

    `number` counts from 1 in the agent's stream and identifies the memory; `importance` is
    between 1 and 10, and provisional if the memory is not `rated`: a `MemoriesRated` then
    gives it (ADR 30); `evidence` has the numbers of the memories that it rests on. `subject`
    is the slug of an agent or the path of a node, "" for neither. `perceived` memories count
    towards reflection (R1): seeds, plans and reflections do not. `origin`,
    `scheduled`, and of an action that was performed or seen the kind (`action`) and the
    `activity` that it is a part of, are the facts behind the description. `passing_on` are the
    terms on which it may be told (`apps.memory.passing_on`). The vector of the
    description is stored by content, under the model `embedded_by` with `dimensions` numbers.
    """

    type: ClassVar[str] = "memory.formed.v1"
    number: int
    kind: MemoryKind
    description: str
    importance: int
    embedded_by: str
    dimensions: int
    evidence: tuple[int, ...] = ()
    subject: str = ""
    perceived: bool = False
    origin: MemoryOrigin = MemoryOrigin.UNKNOWN
    scheduled: ScheduledActivity | None = None
    rated: bool = True
    action: ActionKind | None = None
    activity: str = ""
    passing_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesRepeated(Event):
    """Memories were repeated: the same was perceived or done again, and none is formed (M1).

    `numbers` are in ascending order. A repetition renews the recency of a memory as its
    forming did, and counts towards reflection if the memory is of a perception (R1, ADR 45).
    """

    type: ClassVar[str] = "memory.repeated.v1"
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesRated(Event):
    """Memories of earlier turns were rated, before the retrievals of this turn (M3, ADR 30).

    `importances` are between 1 and 10, in the order of `numbers`. A memory is rated once.
    """

    type: ClassVar[str] = "memory.rated.v1"
    numbers: tuple[int, ...]
    importances: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySuperseded(Event):
    """The memory of an agreement or an insight no longer holds (D3, R2).

    `number` is that memory, or the gist of the conversation that brought the agreement;
    `event` is the end of the conversation that changed or cancelled the agreement, or the
    reflection that revised the insight.
    """

    type: ClassVar[str] = "memory.superseded.v1"
    number: int
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesRetrieved(Event):
    """Memories were retrieved for a prompt, which renews their recency (M4).

    `numbers` are the memories in the prompt, in order of rank. Scores are not stored: they
    follow from the query, the weights, the decay per game hour, and the stream as of the end
    of the tick before, with the ratings of this turn.
    """

    type: ClassVar[str] = "memory.retrieved.v1"
    purpose: str
    query: str
    weights: Weights
    decay: float
    numbers: tuple[int, ...]


class FactKind(StrEnum):
    """The kinds of lasting facts about an agent."""

    OCCUPATION = "occupation"
    PURSUIT = "pursuit"
    ROUTINE = "routine"
    RELATIONSHIP = "relationship"
    INTENTION = "intention"  # what the agent means to do or to tell once
    STATE = "state"  # what holds about the agent, such as its health or a worry
    SECRET = "secret"  # noqa: S105 (what is not for everybody, its own or told to it)


class FactSource(StrEnum):
    """What established or revised a fact."""

    DESCRIPTION = "description"
    INSIGHT = "insight"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactEstablished(Event):
    """A lasting fact about an agent was derived from memories.

    `number` counts from 1 among the agent's facts; `statements` say it, and `evidence` has the
    numbers of the memories that it rests on. Of a relationship, `other` is the slug of the
    other agent, `tie` its relation to this one, and `standing` the attitude of this one; of
    other kinds they are "" and None, but `other` of a secret is the agent that told it.
    `passing_on` are the terms on which it may be told. `until` is the ISO date after
    which the fact no longer holds, or the ISO time from which it does not, "" for none.
    """

    type: ClassVar[str] = "facts.established.v1"
    number: int
    kind: FactKind
    statements: tuple[str, ...]
    evidence: tuple[int, ...]
    source: FactSource
    other: str = ""
    tie: TieKind | None = None
    standing: Standing | None = None
    until: str = ""
    passing_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRevised(Event):
    """A lasting fact was revised: it has the contents of the event now, or has `ended`.

    `number` is that of the fact; `evidence` are the memories of the revision. `opinion` is the
    latest opinion of the agent about the other agent of a relationship, "" for none.
    """

    type: ClassVar[str] = "facts.revised.v1"
    number: int
    statements: tuple[str, ...]
    evidence: tuple[int, ...]
    source: FactSource
    tie: TieKind | None = None
    standing: Standing | None = None
    opinion: str = ""
    until: str = ""
    ended: bool = False
    passing_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """A change of a lasting fact in an answer; `other` is a slug, "" for none.

    `number` is that of the changed fact, 0 for a new one and for a relationship, which `other`
    identifies. `tie` and `standing` are None where the answer leaves them as they are, and
    `until` is "" there; `ends` is whether the fact no longer holds.
    """

    kind: FactKind
    number: int = 0
    other: str = ""
    tie: TieKind | None = None
    standing: Standing | None = None
    until: str = ""
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfSummarised(Event):
    """The summary description of an agent was renewed from its memories (S1).

    `core`, `occupation` and `feeling` are the three summaries, each "" without memories;
    `text` is the whole description as printed in prompts. The next renewal is due at
    `due_tick`.
    """

    type: ClassVar[str] = "self_summary.renewed.v1"
    core: str
    occupation: str
    feeling: str
    text: str
    due_tick: int


EVENTS = (
    MemoryFormed,
    MemoriesRepeated,
    MemoriesRated,
    MemorySuperseded,
    MemoriesRetrieved,
    SelfSummarised,
    FactEstablished,
    FactRevised,
)
