"""LLM task: insights from the memories for a question (R2)."""

from collections.abc import Mapping

from pydantic import Field

from apps.agents.prompt_variables import agent_variables
from apps.kernel.language import phrase
from apps.llm.prompt_sets import task_templates
from apps.llm.prompt_values import PromptValue, data, data_list, game_time, number
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.memory.llm_tasks.importance import importance_field
from apps.memory.llm_tasks.stored_text import DATED
from apps.memory.prompt_lines import memory_texts
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.reflection.inputs import InsightsInput
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    INSIGHTS_PER_QUESTION_MAX,
    normalised,
    resolve_citations,
)


class CitedInsight(TaskAnswer):
    """An insight with the statements that it follows from."""

    statement: str = Field(
        min_length=1,
        max_length=INSIGHT_CHARACTERS_MAX,
        description=f"one sentence in the third person, without the numbers; {DATED}",
    )
    because_of: tuple[int, ...] = Field(
        max_length=MEMORIES_PER_PROMPT_MAX,
        description="the numbers of the statements that it follows from, most telling first",
    )
    importance: int = importance_field("of the insight")


class Insights(TaskAnswer):
    """The insights, possibly none."""

    insights: tuple[CitedInsight, ...] = Field(max_length=INSIGHTS_PER_QUESTION_MAX)


def no_insight(inputs: InsightsInput) -> Insights:  # noqa: ARG001 (a fallback's signature)
    """Return no insights: the named fallback."""
    return Insights(insights=())


def _variables(inputs: InsightsInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "now": game_time(inputs.now),
        "statements": data_list(memory_texts(inputs.memories)),
        "question": data(inputs.question),
        "count": number(INSIGHTS_PER_QUESTION_MAX),
    }


def _check(inputs: InsightsInput, answer: Insights) -> None:
    """Reject answers without any valid citation; single invalid citations are dropped later."""
    if any(not normalised(insight.statement) for insight in answer.insights):
        raise ValueError(phrase("an insight is blank: say it in one sentence, or leave it out"))
    listed = range(1, len(inputs.memories) + 1)
    cited = [resolve_citations(insight.because_of, listed)[0] for insight in answer.insights]
    if cited and not any(cited):
        raise ValueError(
            phrase(
                "no insight cites a statement that there is: cite numbers from 1 to {count}",
                count=len(inputs.memories),
            )
        )


INSIGHTS = LLMTask(
    name="reflection.insights",
    template=task_templates("reflection/insights", trusted={"agent_name", "now", "count"}),
    input_type=InsightsInput,
    answer_type=Insights,
    variables=_variables,
    fallback=no_insight,
    check=_check,
)
