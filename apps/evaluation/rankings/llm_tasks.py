"""LLM task: a judge ranks the answers to a question of an interview (E3).

Its name begins as those of interviews do: their calls are no part of a history.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from apps.interaction.inputs import InterviewInput
from apps.interaction.llm_tasks import TRUSTED, interview_variables
from apps.kernel.language import phrase
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data_list, number
from apps.llm.task import LLMTask


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingInput:
    """What a judge knows of the agent, and the answers without their conditions.

    `interview` is the input that the agent itself has under the full condition: the evaluators
    of the paper could read the whole memory stream (6.1). `answers` are in random order.
    """

    interview: InterviewInput
    answers: tuple[str, ...]


_OF_THE_INTERVIEWER = frozenset({"earlier", "persona"})


class RankingAnswer(TaskAnswer):
    """The rank of each answer."""

    ranks: list[int] = Field(
        description="for each answer, in the given order, its rank: 1 for the most believable; "
        "answers that are equally believable have the same rank"
    )


def all_equal(inputs: RankingInput) -> RankingAnswer:
    """Return equal ranks: the named fallback, which is counted nowhere."""
    return RankingAnswer(ranks=[1] * len(inputs.answers))


def _variables(inputs: RankingInput) -> Mapping[str, PromptValue]:
    variables = interview_variables(inputs.interview)
    shown = {
        name: value for name, value in variables.items() if name not in _OF_THE_INTERVIEWER
    }
    return shown | {"answers": data_list(inputs.answers), "count": number(len(inputs.answers))}


def _check(inputs: RankingInput, answer: RankingAnswer) -> None:
    count = len(inputs.answers)
    if len(answer.ranks) != count:  # for servers that keep to no schema
        raise ValueError(phrase("give exactly {count} ranks, one for each answer", count=count))
    if not all(1 <= rank <= count for rank in answer.ranks):
        raise ValueError(phrase("each rank must be from 1 to {count}", count=count))


RANKING = LLMTask(
    name="interview.ranking",
    template=task_templates("evaluation/ranking", trusted=TRUSTED | {"count"}),
    input_type=RankingInput,
    answer_type=RankingAnswer,
    variables=_variables,
    fallback=all_equal,
    decision=lambda answer: enumerate(answer.ranks, start=1),
    check=_check,
    lengths=lambda inputs: {"ranks": (len(inputs.answers), len(inputs.answers))},
)

LLM_TASKS = (RANKING,)
