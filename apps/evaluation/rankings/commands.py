"""Rankings: the request of one, how its tasks are judged, and ranks of people (E2, E3)."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.evaluation.models import (
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyRow,
)
from apps.evaluation.rankings.judging import judge_task, judging_model
from apps.evaluation.rankings.queries import (
    NotRankedByPeople,
    in_random_order,
    presented_conditions,
    ranking_progress,
)
from apps.evaluation.rankings.ranking_plan import RankingRequest, plan_ranking
from apps.evaluation.statistics.rank_tests import fractional_ranks
from apps.kernel.errors import DomainError
from apps.simulation.locks import lock_simulation_row, take_numbers
from apps.work.kinds import TakenWork, Wait, WorkProgress
from apps.work.limited_work import Batches, LimitedWorkKind
from apps.work.rows import OPEN, WorkState


class UnusableRanks(DomainError):
    """The ranks are not one for each answer of the task."""


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
            state=WorkState.RUNNING
            if request.judge == RankingRow.Judge.PEOPLE
            else WorkState.PENDING,
            tokens_max=request.tokens_max,
            by=by,
            reason=reason,
        )
        numbers = take_numbers(simulation, "ranking-tasks", len(places))
        shuffled = in_random_order(places, request.seed, "tasks")
        for number, place in zip(numbers, shuffled, strict=True):
            places[place].ranking, places[place].number = row, number
        RankingTaskRow.objects.bulk_create(places[place] for place in shuffled)
    return row


def _judge_waiting(taken: TakenWork[RankingRow]) -> None:
    """Let the judge rank the tasks that wait, in order, until all are ranked."""
    row = taken.row
    tasks = RankingTaskRow.objects.filter(ranking=row)
    waiting = list(tasks.filter(rankingjudgementrow=None).order_by("number"))

    def judge(task: RankingTaskRow, batches: Batches) -> None:
        judgement = judge_task(taken.ports, row, task, batches)
        with transaction.atomic():
            RANKINGS.record_use(row.pk, row.survey.simulation_id, judgement.model_calls)
            judgement.save()

    RANKINGS.answer_parts(taken, waiting, judge, total=tasks.count())
    RANKINGS.end(row.pk, WorkState.DONE)


class _RankingKind(LimitedWorkKind[RankingRow]):
    """Rankings, of which processes carry out those by a judge."""

    @property
    def rows(self) -> QuerySet[RankingRow]:
        """All rankings with their surveys."""
        return super().rows.select_related("survey")

    def is_free(self) -> Q:
        """Return the condition of a ranking by a judge that no process is at."""
        return super().is_free() & ~Q(judge=RankingRow.Judge.PEOPLE)

    def wait_of(self, row: RankingRow) -> Wait | None:
        """Return what the ranking waits for, which may be people."""
        if row.judge == RankingRow.Judge.PEOPLE and row.state in OPEN:
            return Wait("people who rank the answers", row.requested_at)
        return super().wait_of(row)

    def resume(self, work_id: UUID, *, by: str, **changes: Any) -> None:
        """Let the judge, or people, go on."""
        super().resume(work_id, by=by, **changes)
        by_people = self.rows.filter(pk=work_id, judge=RankingRow.Judge.PEOPLE)
        by_people.update(state=WorkState.RUNNING)

    def progress_of(self, rows: Sequence[RankingRow]) -> Mapping[UUID, WorkProgress]:
        """Return the tasks of each ranking and those with a judgement."""
        return ranking_progress([row.pk for row in rows])


RANKINGS = _RankingKind(
    name="ranking", model=RankingRow, parts="questions", step=_judge_waiting
)


def submit_ranks(
    task: RankingTaskRow, ranks: Mapping[str, int], *, by: str, reason: str = ""
) -> RankingJudgementRow:
    """Record the ranks that a person gives by letter; later ones replace its earlier ones.

    :raises NotRankedByPeople: if a judge ranks, or the ranking is paused or cancelled.
    :raises UnusableRanks: if there is not one for each letter.
    """
    ranking = task.ranking
    if ranking.judge != RankingRow.Judge.PEOPLE or ranking.state not in OPEN:
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
