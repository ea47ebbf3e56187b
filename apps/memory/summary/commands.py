"""Renewing the summary description of an agent (S1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from apps.agents.identity import Identity
from apps.agents.summary import AgentSummary
from apps.kernel.text import one_line
from apps.llm.agent_llm import AgentLLM
from apps.llm.task import LLMTask
from apps.memory.inputs import SummaryInput
from apps.memory.items import ToItems
from apps.memory.purposes import RetrievalPurpose
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.memory.summary.events import SelfSummarised
from apps.memory.summary.llm_tasks import (
    CORE_CHARACTERISTICS,
    DAILY_OCCUPATION,
    RECENT_PROGRESS,
    Summary,
)
from apps.memory.summary.queries import CurrentSummary
from apps.memory.summary.query_texts import (
    core_characteristics_query,
    daily_occupation_query,
    recent_progress_query,
)

# Each task with its query, in the order of the event's fields.
_TASKS: tuple[tuple[LLMTask[SummaryInput, Summary], Callable[[str], str]], ...] = (
    (CORE_CHARACTERISTICS, core_characteristics_query),
    (DAILY_OCCUPATION, daily_occupation_query),
    (RECENT_PROGRESS, recent_progress_query),
)


# Both have the three summaries of memories.
SummaryParts = SelfSummarised | CurrentSummary


def agent_summary(identity: Identity, renewed: SummaryParts | None) -> AgentSummary:
    """Return the summary description, of the identity alone if `renewed` is None."""
    return AgentSummary(
        name=identity.name,
        age=identity.age,
        traits=identity.traits,
        core=renewed.core if renewed else "",
        occupation=renewed.occupation if renewed else "",
        feeling=renewed.feeling if renewed else "",
    )


def renew_summary(
    llm: AgentLLM,
    identity: Identity,
    retrieval: RetrievalSession,
    *,
    items: ToItems,
    now: datetime,
    due_tick: int,
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
) -> SelfSummarised:
    """Return the event of a new summary, after three retrievals and three calls at once.

    `token_budget` is that of each retrieval; `items` converts retrieved memories. Without
    memories a summary is "" and not requested.
    """
    inputs = [
        SummaryInput(
            agent_name=identity.name,
            now=now,
            memories=items(
                retrieval.retrieve(
                    query(identity.name),
                    RetrievalPurpose(task.name),
                    token_budget=token_budget,
                )
            ),
        )
        for task, query in _TASKS
    ]
    core, occupation, feeling = _summaries(llm, inputs)
    renewed = SelfSummarised(
        core=core, occupation=occupation, feeling=feeling, text="", due_tick=due_tick
    )
    return replace(renewed, text=agent_summary(identity, renewed).text)


def _summaries(llm: AgentLLM, inputs: Sequence[SummaryInput]) -> list[str]:
    """Return the three summaries in order, "" without memories."""
    requests = [
        (task, one) for (task, _), one in zip(_TASKS, inputs, strict=True) if one.memories
    ]
    answers = iter(llm.ask_together(requests) if requests else [])
    return [one_line(next(answers).summary) if one.memories else "" for one in inputs]
