"""Commands of rankings: request one, judge its tasks, submit answers and ranks (E2, E3)."""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from apps.django_support.background_work import WorkStopped
from apps.evaluation.limited_work import LimitedWork, OnProgress, unwatched
from apps.evaluation.models import (
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyRow,
)
from apps.evaluation.rankings.blinding import in_random_order, presented_conditions
from apps.evaluation.rankings.judging import judge_name, judge_task, judging_model
from apps.evaluation.rankings.queries import NotRankedByPeople
from apps.evaluation.rankings.ranking_plan import RankingRequest, plan_ranking
from apps.evaluation.statistics.rank_tests import fractional_ranks
from apps.kernel.errors import DomainError
from apps.simulation.locks import lock_simulation_row
from apps.simulation.numbers import take_numbers
from apps.simulation.ports import Ports

LIMIT_OF_RANKING_REACHED = "ranking-limit-reached"


class UnusableRanks(DomainError):
    """The ranks are not one for each answer of the task."""

    code: ClassVar[str] = "unusable-ranks"


class RankingNotPaused(DomainError):
    """Only a ranking that is paused can be resumed."""

    code: ClassVar[str] = "ranking-not-paused"


RANKINGS = LimitedWork(
    model=RankingRow,
    noun="ranking",
    limit_reached=LIMIT_OF_RANKING_REACHED,
    not_paused=RankingNotPaused,
)


def request_ranking(
    survey: SurveyRow, request: RankingRequest, *, by: str, reason: str = ""
) -> RankingRow:
    """Record the ranking with a task for each question that is answered under all conditions.

    :raises JudgeUnknown: if there is no such judge.
    :raises SurveyNotFinished: if the survey still asks.
    :raises UnusableRanking: if a condition has no answers, or there is nothing to compare.
    """
    judging_model(survey.simulation_id, request.judge)
    plan = plan_ranking(survey, request)
    places = {str(place): task for place, task in enumerate(plan.tasks)}
    with transaction.atomic():
        simulation = lock_simulation_row(survey.simulation_id)
        row = RankingRow.objects.create(
            survey=survey,
            judge=request.judge,
            seed=request.seed,
            conditions=plan.conditions,
            left_out=plan.left_out,
            state=RankingRow.State.OPEN
            if request.judge == RankingRow.Judge.PEOPLE
            else RankingRow.State.PENDING,
            tokens_max=request.tokens_max,
            by=by,
            reason=reason,
        )
        numbers = take_numbers(simulation, "ranking-tasks", len(places))
        shuffled = in_random_order(places, request.seed, "tasks")
        RankingTaskRow.objects.bulk_create(
            RankingTaskRow(
                ranking=row,
                number=number,
                agent=task.question.agent,
                as_of_tick=task.question.tick,
                question=task.question.question,
                category=task.question.category,
                text=task.question.text,
                answers=task.answers,
                written_by=task.written_by,
            )
            for number, task in zip(numbers, map(places.__getitem__, shuffled), strict=True)
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
    if RANKINGS.take(ranking_id) is None:
        return
    with suppress(WorkStopped), RANKINGS.carried_out(ranking_id):
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
        if not RANKINGS.may_go_on(ranking_id):
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
    RANKINGS.end(ranking_id, RankingRow.State.FINISHED)


def waiting_rankings() -> list[UUID]:
    """Return the rankings that no worker is at, the earliest first."""
    return RANKINGS.ids()


def unfinished_problem(row: RankingRow) -> str:
    """Return why the ranking by a judge is not finished, and what to do."""
    return RANKINGS.unfinished_problem(row)


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
    return RANKINGS.resume_with_limit(row.pk, tokens_max)


def _record(ranking_id: UUID, judgement: RankingJudgementRow) -> bool:
    """Record the judgement and its tokens; return False if the ranking is gone."""
    simulation_id = judgement.task.ranking.survey.simulation_id
    with transaction.atomic():
        if not RANKINGS.record_use(ranking_id, simulation_id, judgement.model_calls):
            return False
        judgement.save()
    return True
