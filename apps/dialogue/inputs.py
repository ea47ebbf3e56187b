"""Typed inputs of the LLM tasks of dialogue. Only the tasks print English."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import (
    Acquaintance,
    AgentStatus,
    Agreement,
    Deed,
    Departure,
    PlannedTime,
    PromiseToTell,
)
from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An utterance of a conversation, with the full name of the speaker."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UtteranceInput:
    """The input of an utterance (D1, D4).

    `agreements` are those of the agent that are open, in order of time; `promises` are the open
    ones to tell something to the other agent, or to anybody;
    `place` is in words; `intent` is the agent's reason for the conversation, "" without one, or
    once it is carried out; `since` is what the two have talked about since that was planned, ""
    for nothing; `outline` is the plan of the day in broad strokes, `performed` what was done of
    the day, and `coming` are the actions of this hour that have not begun;
    `memories` are about the other agent and the topic, best first; `lines` are the utterances
    so far, none for the opening; `utterances_left` includes this one; `besides` are the names
    of the participants other than the two, `ties_besides` what these are to the agent, in the
    same order, and `within_hearing` the names of the others that can hear them;
    `by_phone` is whether the two talk on the telephone;
    `departure` is the next item of the plan elsewhere, None if the plan keeps the agent here.
    """

    agent_name: str
    other_name: str
    summary: AgentSummary
    now: datetime
    place: str
    status: AgentStatus
    other_status: AgentStatus
    intent: str
    acquaintance: Acquaintance
    memories: tuple[MemoryItem, ...]
    lines: tuple[Line, ...]
    utterances_left: int
    agreements: tuple[Agreement, ...] = ()
    promises: tuple[PromiseToTell, ...] = ()
    outline: tuple[PlannedTime, ...] = ()
    performed: tuple[Deed, ...] = ()
    coming: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    ties_besides: tuple[Acquaintance, ...] = ()
    within_hearing: tuple[str, ...] = ()
    by_phone: bool = False
    departure: Departure | None = None
    since: str = ""

    @property
    def has_spoken(self) -> bool:
        """Whether one of the lines is the agent's."""
        return any(line.speaker == self.agent_name for line in self.lines)

    @property
    def may_be_silent(self) -> bool:
        """Whether the agent may have nothing to say."""
        return bool(self.since) or self.has_spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAgreement:
    """An agreement that holds, with the key that an answer names it by.

    `activity` is an infinitive without "to", `starts` its time; "" and None where not known.
    """

    key: str
    text: str
    activity: str = ""
    starts: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierPromise:
    """A promise that is open, with the key that an answer names it by."""

    key: str
    promise: PromiseToTell


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsToTell:
    """A memory that the agent may have told, with the key that an answer names it by."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeawaysInput:
    """The input of the digest of a conversation by one of its agents (D3, R4).

    `besides` are the names of the participants other than the two, `ties_besides` what these
    are to the agent, in the same order; `agreements` are those of the agent that hold and are
    not over, with anybody; `promises` are its open ones; `news` is what it may have told.
    """

    agent_name: str
    other_name: str
    summary: AgentSummary
    acquaintance: Acquaintance
    now: datetime
    place: str
    lines: tuple[Line, ...]
    agreements: tuple[EarlierAgreement, ...] = ()
    promises: tuple[EarlierPromise, ...] = ()
    news: tuple[NewsToTell, ...] = ()
    besides: tuple[str, ...] = ()
    ties_besides: tuple[Acquaintance, ...] = ()
