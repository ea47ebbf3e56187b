"""Renewing the summary description of an agent (S1)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Protocol

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

# The queries are the paper's (appendix A), in the order of the event's fields.
_TASKS: tuple[tuple[LLMTask[SummaryInput, Summary], str], ...] = (
    (CORE_CHARACTERISTICS, "{name}'s core characteristics"),
    (DAILY_OCCUPATION, "{name}'s current daily occupation"),
    (RECENT_PROGRESS, "{name}'s feeling about their recent progress in life"),
)


class SummaryParts(Protocol):
    """The three summaries of memories, each "" where nothing is known."""

    @property
    def core(self) -> str: ...  # noqa: D102
    @property
    def occupation(self) -> str: ...  # noqa: D102
    @property
    def feeling(self) -> str: ...  # noqa: D102


def agent_summary(identity: Identity, renewed: SummaryParts | None) -> AgentSummary:
    """Return the summary description; without summaries it is the identity alone."""
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
    """Return the new summary: three retrievals, and three tasks asked together.

    `token_budget` is that of each retrieval; `items` turns what is retrieved into inputs. A
    summary of no memories is "" and is not asked for. The retrievals are on the
    recollection's events.
    """
    all_inputs = [
        SummaryInput(
            agent_name=identity.name,
            now=now,
            memories=items(
                retrieval.retrieve(
                    query.format(name=identity.name),
                    RetrievalPurpose(task.name),
                    token_budget=token_budget,
                )
            ),
        )
        for task, query in _TASKS
    ]
    core, occupation, feeling = _summaries(llm, all_inputs)
    renewed = SelfSummarised(
        core=core, occupation=occupation, feeling=feeling, text="", due_tick=due_tick
    )
    return replace(renewed, text=agent_summary(identity, renewed).text)


def _summaries(llm: AgentLLM, all_inputs: Iterable[SummaryInput]) -> list[str]:
    """Return the three summaries in order, "" where there are no memories."""
    tasks = [(task, inputs) for (task, _), inputs in zip(_TASKS, all_inputs, strict=True)]
    asked = [(task, inputs) for task, inputs in tasks if inputs.memories]
    answers = iter(llm.ask_together(asked) if asked else [])
    return [one_line(next(answers).summary) if inputs.memories else "" for _, inputs in tasks]
