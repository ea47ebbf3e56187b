"""Consolidation: a day is condensed into a few memories with their evidence (R2, R3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from apps.agents.status import PlannedTime
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import format_date
from apps.kernel.language import phrase
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.memory.items import MemoryItem
from apps.memory.prompt_lines import memory_text
from apps.reflection.events import Reflected, ReflectionKind
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.rules import DAY_TOKENS, Proposed, validate_insights


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day of an agent: its memories and its performed activities, both in order.

    `now` is its end, which may be past midnight; `date` is that of its waking; `kept` are the
    latest memories that were kept of earlier days, in order.
    """

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    date: date
    memories: Sequence[MemoryItem]
    kept: tuple[MemoryItem, ...] = ()
    performed: tuple[PlannedTime, ...] = ()


def consolidate(llm: AgentLLM, day: Day, *, next_number: int) -> Reflected:
    """Return the event of the consolidation; its memories are numbered from `next_number`.

    The model is called once, with the most important memories that fit into DAY_TOKENS.
    """
    ranked = sorted(day.memories, key=lambda one: (-one.importance, -one.number))
    fitting = ranked[: llm.fits([memory_text(one) for one in ranked], DAY_TOKENS)]
    memories = tuple(sorted(fitting, key=lambda one: one.number))
    answer = llm.ask(
        CONSOLIDATION,
        ConsolidationInput(
            agent_name=day.agent_name,
            summary=day.summary,
            now=day.now,
            date=day.date,
            memories=memories,
            kept=day.kept,
            performed=day.performed,
        ),
    )
    kept, dropped = validate_insights(
        [
            Proposed(
                question=0,
                statement=in_one_line(one.statement),
                cited=one.because_of,
                importance=one.importance,
            )
            for one in answer.memories
        ],
        cited_from=[memories],
        known=[one.description for one in (*day.kept, *memories)],
        next_number=next_number,
        dealings={},
    )
    return Reflected(
        importance=sum(one.importance for one in memories),
        questions=(phrase("What is left of {date}?", date=format_date(day.date)),),
        insights=kept,
        dropped=dropped,
        kind=ReflectionKind.CONSOLIDATION,
    )
