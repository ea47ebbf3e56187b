"""LLM task: which insights follow from the memories behind a question (R2)."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time, number
from apps.llm.wording import Wording
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.reflection.inputs import InsightsInput
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    INSIGHTS_PER_QUESTION_MAX,
    normalised,
    resolve_citations,
)


class CitedInsight(BaseModel):
    """One insight with the statements that it follows from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str = Field(
        min_length=1,
        max_length=INSIGHT_CHARACTERS_MAX,
        description="one sentence in the third person, without the numbers",
    )
    because_of: tuple[int, ...] = Field(
        max_length=MEMORIES_PER_PROMPT_MAX,
        description="the numbers of the statements that it follows from, most telling first",
    )


class Insights(BaseModel):
    """What the model must answer: a few insights, fewer where little can be inferred."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    insights: tuple[CitedInsight, ...] = Field(max_length=INSIGHTS_PER_QUESTION_MAX)


def no_insight(given: InsightsInput) -> Insights:  # noqa: ARG001 (a fallback's signature)
    """Conclude nothing: the named fallback invents no thoughts."""
    return Insights(insights=())


def _variables(given: InsightsInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary.text if given.summary else given.agent_name),
        "now": game_time(given.now),
        "statements": data_list(memory.description for memory in given.memories),
        "question": data(given.question),
        "count": number(INSIGHTS_PER_QUESTION_MAX),
    }


def _check(given: InsightsInput, answer: Insights) -> None:
    """Ask again only where nothing could be kept; single bad citations are dropped later."""
    if any(not normalised(insight.statement) for insight in answer.insights):
        raise ValueError("an insight is blank: say it in one sentence, or leave it out")
    listed = range(1, len(given.memories) + 1)
    cited = [resolve_citations(insight.because_of, listed)[0] for insight in answer.insights]
    if cited and not any(cited):
        raise ValueError(
            "no insight cites a statement that there is: cite numbers from 1 to "
            f"{len(given.memories)}"
        )


INSIGHTS = Chain(
    name="reflection.insights",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "insights.md",
        trusted={"agent_name", "now", "count"},
        data={"summary", "statements", "question"},
    ),
    given=InsightsInput,
    answer=Insights,
    fills=_variables,
    fallback=no_insight,
    check=_check,
)
