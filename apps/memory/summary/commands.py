"""Renewing the summary description of an agent (S1)."""

from dataclasses import replace
from datetime import datetime

from apps.agents.summary import NO_FACTS, AgentSummary, Identity, LastingFacts
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import SUMMARY_PURPOSES
from apps.memory.inputs import SummaryInput
from apps.memory.items import ToItems
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.memory.summary.events import SelfSummarised
from apps.memory.summary.llm_tasks import SUMMARIES
from apps.memory.summary.queries import CurrentSummary
from apps.memory.summary.query_texts import (
    core_characteristics_query,
    daily_occupation_query,
    recent_progress_query,
)

SHARES_OF_BUDGET = 2
# The queries of the three summaries, each with its purpose.
_QUERIES = tuple(
    zip(
        SUMMARY_PURPOSES,
        (core_characteristics_query, daily_occupation_query, recent_progress_query),
        strict=True,
    )
)


# Both have the three summaries of memories.
SummaryParts = SelfSummarised | CurrentSummary


def agent_summary(
    identity: Identity, renewed: SummaryParts | None, lasting: LastingFacts = NO_FACTS
) -> AgentSummary:
    """Return the summary description, of the identity alone if `renewed` is None."""
    return AgentSummary(
        name=identity.name,
        age=identity.age,
        traits=identity.traits,
        core=renewed.core if renewed else "",
        occupation=renewed.occupation if renewed else "",
        feeling=renewed.feeling if renewed else "",
        lasting=lasting,
    )


def renew_summary(  # noqa: PLR0913 (the parts of a summary)
    llm: AgentLLM,
    identity: Identity,
    retrieval: RetrievalSession,
    *,
    items: ToItems,
    now: datetime,
    due_tick: int,
    lasting: LastingFacts = NO_FACTS,
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
) -> SelfSummarised:
    """Return the event of a new summary, after three retrievals and one call.

    Each retrieval has half of `token_budget`: they overlap, and a memory that several of them
    find is given once. `items` converts retrieved memories; `lasting` holds besides. Without
    memories all summaries are "".
    """
    memories = items(_retrieved(retrieval, identity.name, token_budget).values())
    renewed = SelfSummarised(core="", occupation="", feeling="", text="", due_tick=due_tick)
    if memories:
        answer = llm.ask(
            SUMMARIES,
            SummaryInput(agent_name=identity.name, now=now, memories=memories, lasting=lasting),
        )
        renewed = replace(
            renewed,
            core=one_line(answer.core),
            occupation=one_line(answer.occupation),
            feeling=one_line(answer.feeling),
        )
    return replace(renewed, text=agent_summary(identity, renewed).text)


def _retrieved(
    retrieval: RetrievalSession, name: str, token_budget: int
) -> dict[int, RankedMemory]:
    """Return the memories for the three queries by number, those of the first query first."""
    retrieval.embed([query(name) for _, query in _QUERIES])
    itself = retrieval.itself()
    return {
        memory.number: memory
        for purpose, query in _QUERIES
        for memory in retrieval.retrieve(
            query(name),
            purpose,
            token_budget=token_budget // SHARES_OF_BUDGET,
            subject=itself,
        )
    }
