"""LLM task: which memories of an agent hold a piece of news (E4).

Its name begins as those of interviews do: their calls are no part of a history.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from apps.kernel.language import phrase
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    agent_name,
    data,
    data_list,
    game_time,
    number,
)
from apps.llm.task import LLMTask
from apps.memory.items import MemoryItem
from apps.memory.prompt_lines import memory_text


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsInput:
    """A piece of news, and the memories of an agent that are nearest to it in meaning.

    `news` is a sentence of a user. It names the agents `names`, by their full names, and
    the places `places`, by the names of the nodes of the world. `memories` are best first.
    """

    agent_name: str
    now: datetime
    news: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    memories: tuple[MemoryItem, ...]


REASON_CHARACTERS_MAX = 200


class NewsExtent(StrEnum):
    """How much of the news a memory holds."""

    WHOLE = "whole"
    PART = "part"


class HoldingMemory(TaskAnswer):
    """A memory that holds the news, and why."""

    memory: int = Field(description="the number of the memory in the list")
    extent: NewsExtent = Field(
        description='"whole" if it holds all of the news, "part" if it leaves something out'
    )
    reason: str = Field(
        max_length=REASON_CHARACTERS_MAX, description="the reason in a few words"
    )


class NewsVerification(TaskAnswer):
    """Whether an agent knows the news, and by which memories."""

    knows: bool = Field(description="whether the person knows the news")
    held: tuple[HoldingMemory, ...] = Field(
        description="the memories that hold the news, wholly or in part; empty if none does"
    )


def not_known(_: NewsInput) -> NewsVerification:
    """Return that no memory holds the news: the named fallback, which is counted nowhere."""
    return NewsVerification(knows=False, held=())


def _variables(inputs: NewsInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "now": game_time(inputs.now),
        "news": data(inputs.news),
        "memories": data_list(map(memory_text, inputs.memories)),
        "count": number(len(inputs.memories)),
    }


def _decision(answer: NewsVerification) -> Iterator[Fact]:
    """Yield which memories hold the news; the reasons are free."""
    yield "knows", answer.knows
    yield from marked("held by", (one.memory for one in answer.held))


def _check(inputs: NewsInput, answer: NewsVerification) -> None:
    count = len(inputs.memories)
    numbers = [one.memory for one in answer.held]
    if not all(1 <= one <= count for one in numbers):
        raise ValueError(phrase("the memories have the numbers 1 to {count}", count=count))
    if len(set(numbers)) < len(numbers):
        raise ValueError(phrase("name each memory once"))
    if answer.held and not answer.knows:
        raise ValueError(
            phrase('a person with a memory that holds the news knows it: "knows" is true')
        )


NEWS_VERIFICATION = LLMTask(
    name="interview.news_verification",
    template=task_templates(
        "evaluation/news_verification", trusted={"agent_name", "now", "count"}
    ),
    input_type=NewsInput,
    answer_type=NewsVerification,
    variables=_variables,
    fallback=not_known,
    decision=_decision,
    check=_check,
)

LLM_TASKS = (NEWS_VERIFICATION,)
