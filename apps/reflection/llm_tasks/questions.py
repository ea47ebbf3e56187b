"""LLM task: the most salient questions about an agent's latest memories (R2)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import agent_variables
from apps.kernel.language import noted, phrase
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    Trusted,
    data_list,
    game_time,
    joined,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.memory.prompt_lines import memory_texts
from apps.reflection.inputs import QuestionsInput
from apps.reflection.rules import QUESTION_CHARACTERS_MAX, QUESTIONS_PER_REFLECTION, normalised

# The questions of the fallback, which fit any agent at any time.
LASTING_QUESTIONS = (
    noted("What matters most to {name} these days?"),
    noted("How do {name} and the people around {name} get along?"),
    noted("What has {name} yet to do, and for whom?"),
)

Question = Annotated[str, Field(min_length=1, max_length=QUESTION_CHARACTERS_MAX)]


class SalientQuestions(TaskAnswer):
    """The questions, all different."""

    questions: tuple[Question, ...] = Field(
        min_length=QUESTIONS_PER_REFLECTION,
        max_length=QUESTIONS_PER_REFLECTION,
        description="each a single question that names whom and what it is about",
    )


def lasting_questions(inputs: QuestionsInput) -> SalientQuestions:
    """Return LASTING_QUESTIONS: the named fallback."""
    return SalientQuestions(
        questions=tuple(phrase(text, name=inputs.agent_name) for text in LASTING_QUESTIONS)
    )


def _variables(inputs: QuestionsInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "now": game_time(inputs.now),
        "statements": data_list(memory_texts(inputs.memories)),
        "count": number(QUESTIONS_PER_REFLECTION),
        "new": _new(inputs),
    }


def _new(inputs: QuestionsInput) -> Trusted:
    """Return the sentence with the time of the reflection before, "" without one."""
    if inputs.since is None:
        return joined(())
    return sentence(
        " The last reflection was on {time}: ask about what is new or different since, and "
        "compare it with what was before.",
        time=game_time(inputs.since),
    )


def _check(_: QuestionsInput, answer: SalientQuestions) -> None:
    different = {normalised(question) for question in answer.questions} - {""}
    if len(different) < len(answer.questions):
        raise ValueError(
            phrase(
                "give {count} questions, no two of them alike", count=QUESTIONS_PER_REFLECTION
            )
        )


QUESTIONS = LLMTask(
    name="reflection.questions",
    template=task_templates(
        "reflection/questions", trusted={"agent_name", "now", "count", "new"}
    ),
    input_type=QuestionsInput,
    answer_type=SalientQuestions,
    variables=_variables,
    fallback=lasting_questions,
    decision=None,
    check=_check,
)
