"""What a request would rank: conditions, questions, and the answers to each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from apps.evaluation.models import SurveyRow
from apps.evaluation.rankings.blinding import CONDITIONS_MAX, in_random_order
from apps.evaluation.rankings.paper_conditions import HUMAN
from apps.evaluation.rankings.queries import SurveyQuestion, answers_by_question
from apps.evaluation.rankings.written_answers import draw_written_answers
from apps.kernel.errors import DomainError
from apps.work.rows import WorkState

CONDITIONS_MIN = 2


class UnusableRanking(DomainError):
    """There is nothing to rank: too few conditions, or no question with all answers."""


class SurveyNotFinished(DomainError):
    """Only the answers of a finished survey can be ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRequest:
    """How the answers of a survey are ranked.

    `judge` is a value of `RankingRow.Judge`, or the name of a registered judge. `conditions`
    are those of the survey, and HUMAN if there are written answers; all of them, if it is
    empty. Of the written answers of several people to one question, the seed draws one. With
    `questions_per_category` so many random questions of each category are taken for each agent
    and moment, as each evaluator of the paper had one; all, if it is None.
    """

    judge: str
    seed: int = 0
    conditions: Sequence[str] = ()
    questions_per_category: int | None = None
    tokens_max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask:
    """The answers to a question by condition; `written_by` is the writer of the human one."""

    question: SurveyQuestion
    answers: Mapping[str, str]
    written_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPlan:
    """The conditions in the order of the survey, and the tasks in the order of asking.

    `left_out` is the number of questions without an answer under one of the conditions.
    """

    conditions: Sequence[str]
    tasks: Sequence[PlannedTask]
    left_out: int


def plan_ranking(survey: SurveyRow, request: RankingRequest) -> RankingPlan:
    """Return what the request ranks; nothing is recorded.

    :raises SurveyNotFinished: if the survey still asks.
    :raises UnusableRanking: if a condition has no answers, or there is nothing to compare.
    """
    if survey.state != WorkState.DONE:
        raise SurveyNotFinished(
            f"the survey is {survey.state}; rank its answers when it is over"
        )
    written = draw_written_answers(survey, request.seed)
    answers = answers_by_question(survey, {key: row.answer for key, row in written.items()})
    chosen = _conditions(survey, request, answers)
    conditions = [name for name in (*survey.conditions, HUMAN) if name in chosen]
    complete = [asked for asked, given in answers.items() if chosen <= given.keys()]
    if not complete:
        raise UnusableRanking("no question has an answer under each of the conditions")
    writers = {key: row.by for key, row in written.items() if HUMAN in chosen}
    return RankingPlan(
        conditions=conditions,
        tasks=[
            PlannedTask(
                question=asked,
                answers={name: answers[asked][name] for name in conditions},
                written_by=writers.get(asked.key, ""),
            )
            for asked in _chosen(complete, request)
        ],
        left_out=len(answers) - len(complete),
    )


def _conditions(
    survey: SurveyRow,
    request: RankingRequest,
    answers: Mapping[SurveyQuestion, Mapping[str, str]],
) -> set[str]:
    """Return the conditions to compare.

    :raises UnusableRanking: if they are too few or too many, or one has no answers.
    """
    there = {name for given in answers.values() for name in given}
    chosen = set(request.conditions) or there
    if unknown := sorted(chosen - there):
        raise UnusableRanking(
            f"the survey has no answers under {', '.join(unknown)}; it has: "
            f"{', '.join(name for name in (*survey.conditions, HUMAN) if name in there)}"
        )
    if not CONDITIONS_MIN <= len(chosen) <= CONDITIONS_MAX:
        raise UnusableRanking(
            f"compare {CONDITIONS_MIN} to {CONDITIONS_MAX} conditions; these are {len(chosen)}"
        )
    return chosen


def _chosen(complete: list[SurveyQuestion], request: RankingRequest) -> list[SurveyQuestion]:
    """Return the questions to rank: all, or random ones of each category."""
    if request.questions_per_category is None:
        return complete

    def group(asked: SurveyQuestion) -> tuple[int, str, str]:
        return asked.tick, asked.agent, asked.category

    chosen = []
    for key, asked in groupby(sorted(complete, key=group), key=group):
        by_name = {one.question: one for one in asked}
        names = in_random_order(by_name, request.seed, "questions", *key)
        chosen += [by_name[name] for name in names[: request.questions_per_category]]
    return chosen
