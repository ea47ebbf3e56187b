"""What a request would rank: conditions, questions, and the answers to each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

from pydantic import Field

from apps.evaluation.models import RankingTaskRow, SurveyRow
from apps.evaluation.rankings.queries import (
    CONDITIONS_MAX,
    HUMAN,
    SurveyQuestion,
    answers_by_question,
    in_random_order,
)
from apps.evaluation.rankings.written_answers import draw_written_answers
from apps.kernel.errors import Conflict, DomainError
from apps.kernel.request_models import Listed, RequestModel
from apps.kernel.requested_values import Name, Seed
from apps.llm.calls.budget import Tokens
from apps.work.rows import WorkState

CONDITIONS_MIN = 2
JUDGE_CHARACTERS_MAX = 64
QUESTIONS_MAX = 1_000


class UnusableRanking(DomainError):
    """There is nothing to rank: too few conditions, or no question with all answers."""


class SurveyNotFinished(Conflict):
    """Only the answers of a finished survey can be ranked."""


class RankingRequest(RequestModel):
    """Who ranks the answers of a survey, and which of them."""

    judge: Annotated[str, Field(max_length=JUDGE_CHARACTERS_MAX)]
    """`people` submit ranks over HTTP. `model` is the simulation's model; others are listed by
    `GET /judges`. `rule` ranks by the share of an answer that the agent's memories support,
    without a model."""
    seed: Seed = 0
    """Of the random orders, of the bootstrap intervals, and of the choice among the answers
    that several people have written to one question."""
    conditions: Annotated[Listed[Name], Field(max_length=CONDITIONS_MAX)] = ()
    """Conditions of the survey, and `human` for written answers; all that have answers, if left
    out."""
    questions_per_category: Annotated[int, Field(ge=1, le=QUESTIONS_MAX)] | None = None
    """So many random questions of each category for each agent and moment; all, if left out.
    Each evaluator of the paper had one."""
    tokens_max: Tokens | None = None
    """The work pauses when its model calls have used so many tokens; it may exceed them by
    those of one of its parts. The budget of the simulation holds besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPlan:
    """The conditions in the order of the survey, and the unsaved tasks in the order of asking.

    `left_out` is the number of questions without an answer under one of the conditions.
    """

    conditions: Sequence[str]
    tasks: Sequence[RankingTaskRow]
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
            RankingTaskRow(
                agent=asked.agent,
                as_of_tick=asked.tick,
                question=asked.question,
                category=asked.category,
                text=asked.text,
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
