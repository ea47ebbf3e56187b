"""What happens in a memory stream: memories are formed, and retrieved (M1, M4)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import Event


class MemoryKind(StrEnum):
    """What sort of thing is remembered (M1)."""

    OBSERVATION = "observation"
    REFLECTION = "reflection"
    PLAN = "plan"
    DIALOGUE = "dialogue"


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
    reflections do not. The vector of the description is kept by content, under the model
    `embedded_by` with `dimensions` numbers.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesRecalled(Event):
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


EVENTS = (MemoryFormed, MemoriesRecalled)
