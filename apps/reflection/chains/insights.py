"""Chain: from what a question brings to mind to insights that cite their evidence (R2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, game_time, number
from apps.llm.wording import Wording
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.reflection.chains.statements import Statement, listed
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    INSIGHTS_PER_QUESTION_MAX,
    looked_up,
    normalised,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionToAnswer:
    """What the chain is given: a question, and what it brought to mind, best first.

    `summary` is the summary description, "" where there is none yet; `now` is the game time
    in words.
    """

    agent_name: str
    summary: str
    now: str
    question: str
    statements: tuple[Statement, ...]


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


def no_insight(given: QuestionToAnswer) -> Insights:  # noqa: ARG001 (a fallback's signature)
    """Conclude nothing: nobody's thoughts are made up for them. The named fallback."""
    return Insights(insights=())


def _fills(given: QuestionToAnswer) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary or given.agent_name),
        "now": game_time(given.now),
        "statements": listed(given.statements),
        "question": data(given.question),
        "count": number(INSIGHTS_PER_QUESTION_MAX),
    }


def _check(given: QuestionToAnswer, answer: Insights) -> None:
    """Ask again only where nothing could be kept; single bad citations are dropped later."""
    if any(not normalised(insight.statement) for insight in answer.insights):
        raise ValueError("an insight is blank: say it in one sentence, or leave it out")
    offered = range(1, len(given.statements) + 1)
    founded = [looked_up(insight.because_of, offered)[0] for insight in answer.insights]
    if founded and not any(founded):
        raise ValueError(
            "no insight cites a statement that there is: cite numbers from 1 to "
            f"{len(given.statements)}"
        )


INSIGHTS = Chain(
    name="reflection.insights",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "insights.md",
        trusted={"agent_name", "now", "count"},
        data={"summary", "statements", "question"},
    ),
    given=QuestionToAnswer,
    answer=Insights,
    fills=_fills,
    fallback=no_insight,
    check=_check,
)
