"""Reflection: insights from what questions retrieve, and a day in a few memories (R2, R3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from apps.agents.summary import AgentSummary
from apps.kernel.game_time import format_date
from apps.kernel.language import phrase
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.memory.events import FactChange, RetrievalPurpose
from apps.memory.items import MemoryItem, ToItems
from apps.memory.prompt_lines import memory_text
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.reflection.dealings import Dealings, dealings_in
from apps.reflection.events import Reflected, ReflectionKind
from apps.reflection.inputs import (
    AskedQuestion,
    ConsolidationInput,
    HeldFact,
    InsightsInput,
    QuestionsInput,
)
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.llm_tasks.insights import INSIGHTS, CitedInsight, Insights
from apps.reflection.llm_tasks.questions import QUESTIONS
from apps.reflection.rules import (
    DAY_TOKENS,
    DEALINGS_MAX,
    DEALINGS_TOKENS,
    Proposed,
    ProposedClaim,
    validate_insights,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionContext:
    """The context of a reflection.

    `recent` are the latest memories, the oldest first; `known` are the statements of earlier
    insights; `importance` is the sum that made the reflection due; `summary` is None before
    the first; `items` converts retrieved memories. `dealings` are those with all other agents;
    `since` is the game time of the reflection before, None for the first one; `facts` are the
    occupation, the pursuits and all relationships.
    """

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    recent: tuple[MemoryItem, ...]
    known: Sequence[str]
    importance: int
    items: ToItems
    dealings: Sequence[Dealings] = ()
    since: datetime | None = None
    facts: Sequence[HeldFact] = ()
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT


def reflect(
    llm: AgentLLM, retrieval: RetrievalSession, context: ReflectionContext, *, next_number: int
) -> Reflected:
    """Return the event of the reflection; its insights are numbered from `next_number` (R2).

    The model is called for the questions, then for the insights on all of them, unless there
    are no memories.
    """
    questions = llm.ask(
        QUESTIONS,
        QuestionsInput(
            agent_name=context.agent_name,
            summary=context.summary,
            now=context.now,
            memories=context.recent,
            since=context.since,
        ),
    ).questions
    retrieval.embed(questions)
    inputs = _insights_input(retrieval, context, questions)
    answer = llm.ask(INSIGHTS, inputs) if inputs.memories else Insights(insights=())
    dealings = {one.name: one for one in context.dealings}
    insights, dropped = validate_insights(
        [
            Proposed(
                question=insight.question - 1,
                statement=in_one_line(insight.statement),
                cited=insight.because_of,
                importance=insight.importance,
                replaces=insight.replaces or 0,
                claim=_proposed_claim(insight),
                changes=_change(insight, dealings, context.facts),
            )
            for insight in answer.insights
        ],
        cited_from=inputs.memories,
        known=[*context.known, *(memory.description for memory in inputs.memories)],
        next_number=next_number,
        dealings=dealings,
    )
    return Reflected(
        importance=context.importance,
        questions=questions,
        insights=insights,
        dropped=dropped,
    )


def _insights_input(
    retrieval: RetrievalSession, context: ReflectionContext, questions: Sequence[str]
) -> InsightsInput:
    """Return the questions with their memories, and counts and ties of the agents in them."""
    budget = (
        context.token_budget - DEALINGS_TOKENS if context.dealings else context.token_budget
    )
    retrieved = [
        retrieval.retrieve(question, RetrievalPurpose.INSIGHTS, token_budget=budget)
        for question in questions
    ]
    listed = {one.number: one for one in chain.from_iterable(retrieved)}
    places = {number: place for place, number in enumerate(listed, start=1)}
    memories = context.items(listed.values())
    dealings = dealings_in(memories, context.dealings, count=DEALINGS_MAX)
    named = {"", *(one.name for one in dealings)}
    return InsightsInput(
        agent_name=context.agent_name,
        summary=context.summary,
        now=context.now,
        questions=tuple(
            AskedQuestion(text=text, places=tuple(places[one.number] for one in found))
            for text, found in zip(questions, retrieved, strict=True)
        ),
        memories=memories,
        dealings=dealings,
        since=context.since,
        facts=tuple(one for one in context.facts if one.other in named),
    )


def _proposed_claim(insight: CitedInsight) -> ProposedClaim | None:
    claim = insight.claim
    if claim is None:
        return None
    return ProposedClaim(about=claim.about, kind=claim.of, frequency=claim.how_often)


def _change(
    insight: CitedInsight, dealings: Mapping[str, Dealings], facts: Sequence[HeldFact]
) -> FactChange | None:
    """Return the change of a lasting fact by an insight, None without one."""
    changes = insight.changes
    if changes is None:
        return None
    return FactChange(
        kind=changes.kind,
        number={one.key: one.number for one in facts if one.key}.get(changes.revises, 0),
        other=dealings[changes.other].slug if changes.other in dealings else "",
        tie=changes.tie,
        standing=changes.standing,
        until=changes.until,
        ends=changes.ends,
    )


def consolidate(llm: AgentLLM, day: ConsolidationInput, *, next_number: int) -> Reflected:
    """Return the event of the consolidation; its memories are numbered from `next_number`.

    The model is called once, with the most important memories of the `day` that fit into
    DAY_TOKENS.
    """
    ranked = sorted(day.memories, key=lambda one: (-one.importance, -one.number))
    fitting = ranked[: llm.fits([memory_text(one) for one in ranked], DAY_TOKENS)]
    memories = tuple(sorted(fitting, key=lambda one: one.number))
    answer = llm.ask(CONSOLIDATION, replace(day, memories=memories))
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
        cited_from=memories,
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
