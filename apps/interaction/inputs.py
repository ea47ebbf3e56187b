"""Typed inputs of the LLM tasks of interviews. English is printed by the task alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import AgentStatus, Agreement, Deed, PlannedTime
from apps.agents.summary import AgentSummary
from apps.interaction.answer_forms import AnswerForm
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewInput:
    """The input of an interview (U1).

    `persona` is the interviewer in the user's words: "a reporter". `status` is None where a
    condition excludes it; `place` and the activity of the status are "" after the agent has
    left; `wake_minute` and `bed_minute` count from midnight; `home` and `workplace` are
    places in words, "" for none; `plans` are of today, in order; `agreements` are
    open, in order of time; `spent` is what was done
    yesterday and today so far, in order; `memories` are best first;
    `earlier` are memories of interviews by the same persona, the oldest first;
    `question_before` is the one that "it" in the question means, "" for a question by itself.
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
    spent: tuple[Deed, ...]
    memories: tuple[MemoryItem, ...]
    earlier: tuple[MemoryItem, ...]
    question: str
    agreements: tuple[Agreement, ...] = ()
    question_before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedQuestionInput:
    """The input of an interview whose answer has a value, an option or a number (E1)."""

    interview: InterviewInput
    form: AnswerForm
