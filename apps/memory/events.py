"""What happens in a memory stream: memories are formed, and retrieved (M1, M4)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import Event


class MemoryKind(StrEnum):
    """What sort of thing is remembered (M1)."""

    OBSERVATION = "observation"
    REFLECTION = "reflection"
    PLAN = "plan"
    DIALOGUE = "dialogue"


class MemoryOrigin(StrEnum):
    """How a memory came about. Memories on older logs have none (UNKNOWN)."""

    UNKNOWN = ""
    DESCRIPTION = "description"  # a phrase of the description that the agent began with
    OWN_ACTION = "own-action"
    PERCEIVED_AGENT = "perceived-agent"  # what another agent was seen doing
    PERCEIVED_OBJECT = "perceived-object"  # the state of an object
    TURNED_AWAY = "turned-away"  # a place or an object could not be entered or used
    CLOSING = "closing"  # the place that the agent is in closes
    UTTERANCE = "utterance"  # words heard and not answered
    OWN_UTTERANCE = "own-utterance"  # own words that ended a conversation, or had no answer
    UNHEARD = "unheard"  # words that were cut off
    CONVERSATION = "conversation"  # what a conversation was about
    LEARNED = "learned"  # what another agent told; the subject is the teller
    AGREED = "agreed"
    DECLINED = "declined"
    OPINION = "opinion"  # what the agent thinks of another after a conversation
    PLAN_NOTE = "plan-note"  # what a conversation means for the agent's plans
    PLANNED = "planned"  # a chunk of a day's outline
    INSIGHT = "insight"
    INNER_VOICE = "inner-voice"
    DECIDED = "decided"  # what an inner voice made the agent decide
    TOLD_OBSERVATION = "told-observation"
    INTERVIEW = "interview"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledActivity:
    """What a memory says that its agent means to do: planned, agreed or decided.

    `activity` is an infinitive without "to"; `place` is as it was called, "" for none; the
    times are game times, None where none was said.
    """

    activity: str
    place: str = ""
    starts: datetime | None = None
    ends: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each of the three scaled parts counts in the score; none negative (M4)."""

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFormed(Event):
    """A person came to remember something; the memory never changes afterwards (M1).

    `number` counts 1, 2, 3… in the person's stream and is the memory's identity;
    `importance` lies between 1 and 10; `evidence` are the numbers of the memories that it
    was derived from. `subject` is the slug of the person or the path of the node that it
    is about, "" when it is about neither. `perceived` says that perception formed it, so
    that it counts towards reflection (R1): seeds, the person's own actions, plans and
    reflections do not. `origin` and `scheduled` are the facts behind the description. The
    vector of the description is kept by content, under the model `embedded_by` with
    `dimensions` numbers.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesRetrieved(Event):
    """Memories were retrieved for a prompt, which makes them recent again (M4).

    `numbers` are those that went into the prompt, in order of rank. Scores are not kept:
    they follow from the query, the weights, the decay per game hour, and the stream as it
    was at the end of the tick before.
    """

    type: ClassVar[str] = "memory.recalled.v1"
    purpose: str
    query: str
    weights: Weights
    decay: float
    numbers: tuple[int, ...]


EVENTS = (MemoryFormed, MemoriesRetrieved)
