"""Chain: from a person's recent memories to the questions worth thinking over (R2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, game_time, number
from apps.llm.wording import Wording
from apps.reflection.chains.statements import Statement, listed
from apps.reflection.rules import (
    QUESTION_CHARACTERS_MAX,
    QUESTIONS_PER_REFLECTION,
    normalised,
)

Question = Annotated[str, Field(min_length=1, max_length=QUESTION_CHARACTERS_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentMemories:
    """What the chain is given: the latest memories, the oldest first, at least one.

    `summary` is the summary description, "" where there is none yet; `now` is the game time
    in words.
    """

    agent_name: str
    summary: str
    now: str
    memories: tuple[Statement, ...]


class SalientQuestions(BaseModel):
    """What the model must answer: so many questions, no two alike."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    questions: tuple[Question, ...] = Field(
        min_length=QUESTIONS_PER_REFLECTION,
        max_length=QUESTIONS_PER_REFLECTION,
        description="each a single question that names whom and what it is about",
    )


def lasting_questions(given: RecentMemories) -> SalientQuestions:
    """Ask what anybody may ask themselves at any time: the named fallback."""
    name = given.agent_name
    return SalientQuestions(
        questions=(
            f"What matters most to {name} these days?",
            f"How do {name} and the people around {name} get along?",
            f"What has {name} yet to do, and for whom?",
        )
    )


def _fills(given: RecentMemories) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary or given.agent_name),
        "now": game_time(given.now),
        "statements": listed(given.memories),
        "count": number(QUESTIONS_PER_REFLECTION),
    }


def _check(_: RecentMemories, answer: SalientQuestions) -> None:
    different = {normalised(question) for question in answer.questions} - {""}
    if len(different) < len(answer.questions):
        raise ValueError(f"give {QUESTIONS_PER_REFLECTION} questions, no two of them alike")


QUESTIONS = Chain(
    name="reflection.questions",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "questions.md",
        trusted={"agent_name", "now", "count"},
        data={"summary", "statements"},
    ),
    given=RecentMemories,
    answer=SalientQuestions,
    fills=_fills,
    fallback=lasting_questions,
    check=_check,
)
