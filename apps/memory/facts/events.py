"""Events of lasting facts: a fact is established, and revised (ADR 53)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.agents.status import Standing, TieKind
from apps.eventlog.event import Event


class FactKind(StrEnum):
    """The kinds of lasting facts about an agent."""

    OCCUPATION = "occupation"
    PURSUIT = "pursuit"
    ROUTINE = "routine"
    RELATIONSHIP = "relationship"


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
    other kinds they are "" and None. `until` is the ISO date after which the fact no longer
    holds, or the ISO time from which it does not, "" for none.
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


EVENTS = (FactEstablished, FactRevised)
