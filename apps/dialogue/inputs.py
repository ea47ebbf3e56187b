"""Typed inputs of the LLM tasks of dialogue. English is printed by the task alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import AgentStatus, LastTalk, PlannedTime
from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One utterance of a conversation: the speaker's full name and the words."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UtteranceInput:
    """What is known when an agent is about to say something to another (D1, D4).

    `place` is in words; `intent` is why the agent opens the conversation, "" for the agent
    that was addressed; `plans` are the hours from now on, the current one first; `memories`
    are about the other agent and about what is being said, best first; `lines` are the
    utterances so far, none for the opening; `utterances_left` counts this one.
    """

    agent_name: str
    other_name: str
    summary: AgentSummary
    now: datetime
    place: str
    status: AgentStatus
    other_status: AgentStatus
    intent: str
    plans: tuple[PlannedTime, ...]
    last_talk: LastTalk | None
    memories: tuple[MemoryItem, ...]
    lines: tuple[Line, ...]
    utterances_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeawaysInput:
    """A conversation that is over, as one of the two looks back on it (D3, R4)."""

    agent_name: str
    other_name: str
    summary: AgentSummary
    now: datetime
    place: str
    lines: tuple[Line, ...]
