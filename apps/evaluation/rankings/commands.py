"""Commands of rankings: request one, judge its tasks, submit answers and ranks (E2, E3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from apps.evaluation.limited_work import LimitedWork, OnProgress, unwatched
from apps.evaluation.models import (
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyRow,
)
from apps.evaluation.rankings.blinding import (
    CONDITIONS_MAX,
    in_random_order,
    presented_conditions,
)
from apps.evaluation.rankings.judging import judge_name, judge_task
from apps.evaluation.rankings.paper_conditions import HUMAN
from apps.evaluation.rankings.queries import (
    NotRankedByPeople,
    SurveyQuestion,
    answers_by_question,
)
from apps.evaluation.rankings.written_answers import draw_written_answers
from apps.evaluation.statistics.rank_tests import fractional_ranks
from apps.kernel.errors import DomainError
from apps.simulation.locks import lock_simulation_row
from apps.simulation.ports import Ports

CONDITIONS_MIN = 2
LAPSED = timedelta(minutes=30)
"""Longer than any wait for a model: a ranking without a judgement for so long has lost its
process, and no call of it is under way."""
LIMIT_OF_RANKING_REACHED = "ranking-limit-reached"


class UnusableRanking(DomainError):
    """There is nothing to rank: too few conditions, or no question with all answers."""

    code: ClassVar[str] = "unusable-ranking"


class UnusableRanks(DomainError):
    """The ranks are not one for each answer of the task."""

    code: ClassVar[str] = "unusable-ranks"


class SurveyNotFinished(DomainError):
    """Only the answers of a finished survey can be ranked."""

    code: ClassVar[str] = "survey-not-finished"


class RankingNotPaused(DomainError):
    """Only a ranking that is paused can be resumed."""

    code: ClassVar[str] = "ranking-not-paused"


_WORK = LimitedWork(
    model=RankingRow,
    lapse=LAPSED,
    noun="ranking",
    limit_reached=LIMIT_OF_RANKING_REACHED,
    not_paused=RankingNotPaused,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRequest:
    """How the answers of a survey are ranked.

    `conditions` are those of the survey, and HUMAN if there are written answers; all of them,
    if it is empty. Of the written answers of several people to one question, the seed draws
    one. With `questions_per_category` so many random questions of each category are
    taken for each agent and moment, as each evaluator of the paper had one; all, if it is None.
    """

    judge: RankingRow.Judge
    seed: int = 0
    conditions: Sequence[str] = ()
    questions_per_category: int | None = None
    tokens_max: int | None = None


def request_ranking(
    survey: SurveyRow, request: RankingRequest, *, by: str, reason: str = ""
) -> RankingRow:
    """Record the ranking with a task for each question that is answered under all conditions.

    :raises SurveyNotFinished: if the survey still asks.
    :raises UnusableRanking: if a condition has no answers, or there is nothing to compare.
    """
    if survey.state != SurveyRow.State.FINISHED:
        raise SurveyNotFinished(
            f"the survey is {survey.state}; rank its answers when it is over"
        )
    written = draw_written_answers(survey, request.seed)
    answers = answers_by_question(survey, {key: row.answer for key, row in written.items()})
    conditions = _conditions(survey, request, answers)
    complete = [asked for asked, given in answers.items() if conditions <= given.keys()]
    if not complete:
        raise UnusableRanking("no question has an answer under each of the conditions")
    chosen = _chosen(complete, request)
    places = {str(place): asked for place, asked in enumerate(chosen)}
    with transaction.atomic():
        lock_simulation_row(survey.simulation_id)  # serializes the numbering
        row = RankingRow.objects.create(
            survey=survey,
            judge=request.judge,
            seed=request.seed,
            conditions=[name for name in (*survey.conditions, HUMAN) if name in conditions],
            left_out=len(answers) - len(complete),
            state=RankingRow.State.OPEN
            if request.judge == RankingRow.Judge.PEOPLE
            else RankingRow.State.PENDING,
            tokens_max=request.tokens_max,
            by=by,
            reason=reason,
        )
        tasks = RankingTaskRow.objects.filter(
            ranking__survey__simulation_id=survey.simulation_id
        )
        writers = {key: one.by for key, one in written.items() if HUMAN in row.conditions}
        latest = tasks.aggregate(latest=Max("number"))["latest"] or 0
        shuffled = in_random_order(places, request.seed, "tasks")
        RankingTaskRow.objects.bulk_create(
            RankingTaskRow(
                ranking=row,
                number=number,
                agent=asked.agent,
                as_of_tick=asked.tick,
                question=asked.question,
                category=asked.category,
                text=asked.text,
                answers={name: answers[asked][name] for name in row.conditions},
                written_by=writers.get(asked.key, ""),
            )
            for number, asked in enumerate(map(places.__getitem__, shuffled), start=latest + 1)
        )
    return row


def judge_ranking(
    ports: Ports, ranking_id: UUID, *, on_progress: OnProgress = unwatched
) -> None:
    """Let the judge rank the tasks that wait, in order, until all are ranked or it is paused.

    Does nothing if the ranking has ended, was deleted, or is taken by another process. A call
    that a lost process has completed is used (L6).

    :raises DomainError: if it is paused; the row has the reason.
    :raises Exception: an error of the service, which has paused it, too.
    """
    if _WORK.take(ranking_id) is None:
        return
    with _WORK.ended_by_errors(ranking_id):
        _judge_waiting(ports, ranking_id, on_progress)


def _judge_waiting(ports: Ports, ranking_id: UUID, on_progress: OnProgress) -> None:
    """Judge the tasks that wait, until the ranking ends, is paused or is deleted."""
    row = RankingRow.objects.select_related("survey").get(pk=ranking_id)
    tasks = RankingTaskRow.objects.filter(ranking=row)
    waiting, total = (
        list(tasks.filter(rankingjudgementrow=None).order_by("number")),
        tasks.count(),
    )
    for done, task in enumerate(waiting, start=total - len(waiting) + 1):
        if not _WORK.may_go_on(ranking_id):
            return
        judged = judge_task(ports, row, task)
        judgement = RankingJudgementRow(
            task=task,
            evaluator=judge_name(row),
            ranks=fractional_ranks(judged.ranks),
            parse_error=judged.parse_error,
            model_calls=list(judged.model_calls),
        )
        if not _record(ranking_id, judgement):
            return
        on_progress(done, total)
    _WORK.end(ranking_id, RankingRow.State.FINISHED)


def waiting_rankings() -> list[UUID]:
    """Return the rankings that no worker is at, the earliest first."""
    return _WORK.ids(ordered_by="requested_at")


def unfinished_problem(row: RankingRow) -> str:
    """Return why the ranking by a judge is not finished, and what to do."""
    return _WORK.unfinished_problem(row)


def submit_ranks(
    task: RankingTaskRow, ranks: Mapping[str, int], *, by: str, reason: str = ""
) -> RankingJudgementRow:
    """Record the ranks that a person gives by letter; later ones replace its earlier ones.

    :raises NotRankedByPeople: if a judge ranks.
    :raises UnusableRanks: if there is not one for each letter.
    """
    ranking = task.ranking
    if ranking.judge != RankingRow.Judge.PEOPLE:
        raise NotRankedByPeople
    presented = presented_conditions(task, seed=ranking.seed, evaluator=by)
    if ranks.keys() != presented.keys():
        raise UnusableRanks(f"give a rank for each of the letters {', '.join(presented)}")
    by_condition = {presented[letter]: rank for letter, rank in ranks.items()}
    row, _ = RankingJudgementRow.objects.update_or_create(
        task=task,
        evaluator=by,
        defaults={"ranks": fractional_ranks(by_condition), "reason": reason},
    )
    return row


def resume_ranking(row: RankingRow, *, tokens_max: int | None = None) -> RankingRow:
    """Let a paused ranking go on, with another limit of tokens if one is given.

    :raises RankingNotPaused: if it is not paused.
    """
    return _WORK.resume(row.pk, tokens_max=tokens_max)


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


def _record(ranking_id: UUID, judgement: RankingJudgementRow) -> bool:
    """Record the judgement and its tokens; return False if the ranking is gone."""
    simulation_id = judgement.task.ranking.survey.simulation_id
    with transaction.atomic():
        if not _WORK.record_use(ranking_id, simulation_id, judgement.model_calls):
            return False
        judgement.save()
    return True
