"""Typed inputs of the LLM tasks of reflection. Only the tasks print English."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsInput:
    """The latest memories, the oldest first, at least one (R2)."""

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    memories: tuple[MemoryItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightsInput:
    """A question and the memories retrieved for it, best first (R2)."""

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    question: str
    memories: tuple[MemoryItem, ...]
