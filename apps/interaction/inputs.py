"""Typed input of the LLM task of interviews. English is printed by the task alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import AgentStatus, PlannedTime
from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewInput:
    """What is known when an agent is interviewed (U1).

    `persona` is the asker in the user's words: "a reporter". `status` is None where the
    agent must not know it; `place` is "", and so is the status' activity, after the agent
    has left; `wake_minute` and `bed_minute` count from midnight; `home` and `workplace` are
    places in words, "" for none; `plans` are of today, in order; `spent` is
    how yesterday and today went so far, in order, with activities in progress form;
    `memories` are best first; `earlier` are those of interviews by the same persona, the
    oldest first.
    """

    agent_name: str
    summary: AgentSummary
    wake_minute: int
    bed_minute: int
    home: str
    workplace: str
    persona: str
    now: datetime
    place: str
    status: AgentStatus | None
    plans: tuple[PlannedTime, ...]
    spent: tuple[PlannedTime, ...]
    memories: tuple[MemoryItem, ...]
    earlier: tuple[MemoryItem, ...]
    question: str
