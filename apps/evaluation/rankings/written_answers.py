"""Answers that people write in the voice of an agent: the human condition (paper 6.2, E2)."""

from typing import ClassVar

from apps.evaluation.models import SurveyRow, WrittenAnswerRow
from apps.evaluation.rankings.queries import questions_of
from apps.kernel.errors import DomainError
from apps.llm.cleaning import in_one_line


class UnusableWrittenAnswer(DomainError):
    """The survey asks no such question of such an agent at that moment."""

    code: ClassVar[str] = "unusable-written-answer"


def write_answer(
    survey: SurveyRow, *, agent: str, tick: int, question: str, answer: str, by: str
) -> WrittenAnswerRow:
    """Record what a person answers in the voice of an agent; a later answer replaces it.

    :raises UnusableWrittenAnswer: if the survey does not ask the question there and then, or
        the answer is blank.
    """
    if not any(
        (one.agent, one.tick, one.question) == (agent, tick, question)
        for one in questions_of(survey)
    ):
        raise UnusableWrittenAnswer(
            f"the survey does not ask {question!r} of {agent!r} at that moment"
        )
    if not in_one_line(answer):
        raise UnusableWrittenAnswer("the answer has no words")
    row, _ = WrittenAnswerRow.objects.update_or_create(
        survey=survey,
        agent=agent,
        as_of_tick=tick,
        question=question,
        defaults={"answer": in_one_line(answer), "by": by},
    )
    return row
