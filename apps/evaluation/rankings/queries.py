"""Queries of rankings: answers of a survey, tasks and judgements."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.evaluation.models import (
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyInterviewRow,
    SurveyRow,
)
from apps.interaction.conditions import (
    FULL,
    NO_OBSERVATION,
    NO_REFLECTION,
    NO_REFLECTION_NO_PLANNING,
)
from apps.interaction.models import InterviewRow
from apps.kernel.chance import draw
from apps.kernel.errors import Conflict, NotFound
from apps.work.kinds import WorkProgress
from apps.work.limited_work import progress_by_work
from apps.work.rows import WorkState

HUMAN = "human"
"""The name of the condition of written answers."""
# Mean and deviation of TrueSkill by condition.
RATINGS_OF_PAPER = {
    FULL.name: (29.89, 0.72),
    NO_REFLECTION.name: (26.88, 0.69),
    NO_REFLECTION_NO_PLANNING.name: (25.64, 0.68),
    HUMAN: (22.95, 0.69),
    NO_OBSERVATION.name: (21.21, 0.70),
}


CONDITIONS_MAX = len(ascii_uppercase)


def presented_conditions(task: RankingTaskRow, *, seed: int, evaluator: str) -> dict[str, str]:
    """Return the conditions of the task by letter, in the order for this evaluator.

    The order is random, differs between tasks and evaluators, and is the same at each request.
    """
    shuffled = in_random_order(task.answers, seed, "answers", str(task.pk), evaluator)
    return dict(zip(ascii_uppercase, shuffled, strict=False))


def in_random_order(names: Iterable[str], seed: int, *what: str | int) -> list[str]:
    """Return the names in an order drawn from seed and key, whatever theirs is."""
    return sorted(names, key=lambda name: (draw(seed, *what, name), name))


QuestionKey = tuple[str, int, str]
"""Agent, tick and name of a question of a survey."""


class RankingTaskUnknown(NotFound):
    """The ranking has no task of that id."""


class NotRankedByPeople(Conflict):
    """People do not rank these answers now: a judge does, or the ranking is stopped."""


@dataclass(frozen=True, slots=True)
class SurveyQuestion:
    """A question of a survey to one agent at one moment; `text` has its names filled in."""

    agent: str
    tick: int
    question: str
    category: str
    text: str

    @property
    def key(self) -> QuestionKey:
        """Agent, tick and name of the question."""
        return self.agent, self.tick, self.question


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingProgress(WorkProgress):
    """The questions of a ranking, those with a judgement, and the judgements, valid or not."""

    judgements: int = 0
    invalid: int = 0
    """Of the judgements, those without valid ranks; counted nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTask:
    """The first task that an evaluator has not ranked, None after the last; its progress."""

    task: RankingTaskRow | None
    ranked: int
    tasks: int


def questions_of(survey: SurveyRow) -> list[SurveyQuestion]:
    """Return the questions of a survey, answered or not, in the order of asking."""
    return list(dict.fromkeys(question for question, _ in _asked(survey)))


def answers_by_question(
    survey: SurveyRow, written: Mapping[QuestionKey, str]
) -> dict[SurveyQuestion, dict[str, str]]:
    """Return the answers by question and condition, in the order of asking.

    A fallback that stands for an invalid answer is an answer: an agent that cannot answer is a
    result.

    :param written: the answers of people, which have the condition HUMAN.
    """
    answers: dict[SurveyQuestion, dict[str, str]] = {}
    for question, interview in _asked(survey):
        given = answers.setdefault(question, {})
        if interview.state == WorkState.DONE:
            given[interview.conditions] = interview.answer
        human = written.get(question.key)
        if human is not None:
            given[HUMAN] = human
    return answers


def get_ranking_task(ranking: RankingRow, task_id: UUID) -> RankingTaskRow:
    """Return the task.

    :raises RankingTaskUnknown: if the ranking has none of the id.
    """
    row = tasks_of(ranking).filter(pk=task_id).first()
    if row is None:
        raise RankingTaskUnknown(f"there is no task {task_id} in this ranking")
    return row


def tasks_of(ranking: RankingRow) -> QuerySet[RankingTaskRow]:
    """Return the tasks of the ranking, without an order."""
    return RankingTaskRow.objects.filter(ranking=ranking)


def next_task(ranking: RankingRow, evaluator: str) -> NextTask:
    """Return the next task of an evaluator in the order of the ranking.

    :raises NotRankedByPeople: if a judge ranks.
    """
    if ranking.judge != RankingRow.Judge.PEOPLE:
        raise NotRankedByPeople
    given = judgements_of(ranking).filter(evaluator=evaluator).values("task")
    rows = tasks_of(ranking)
    return NextTask(
        task=rows.exclude(pk__in=given).order_by("number").first(),
        ranked=given.count(),
        tasks=rows.count(),
    )


def judgements_of(ranking: RankingRow) -> QuerySet[RankingJudgementRow]:
    """Return the judgements of the ranking with their tasks, without an order."""
    return RankingJudgementRow.objects.filter(task__ranking=ranking).select_related("task")


def judgements_given(ranking: RankingRow, evaluator: str) -> Mapping[UUID, RankingJudgementRow]:
    """Return the judgements of an evaluator by the id of the task."""
    rows = judgements_of(ranking).filter(evaluator=evaluator)
    return {row.task_id: row for row in rows}


def ranking_progress(ranking_ids: Iterable[UUID]) -> dict[UUID, RankingProgress]:
    """Return the progress of each ranking, by one query."""
    return progress_by_work(
        RankingProgress,
        RankingTaskRow.objects.all(),
        of="ranking_id",
        work_ids=ranking_ids,
        total=Count("pk", distinct=True),
        done=Count("rankingjudgementrow__task", distinct=True),
        judgements=Count("rankingjudgementrow"),
        invalid=Count("rankingjudgementrow", filter=~Q(rankingjudgementrow__parse_error="")),
    )


def _asked(survey: SurveyRow) -> Iterator[tuple[SurveyQuestion, InterviewRow]]:
    rows = SurveyInterviewRow.objects.filter(survey=survey).select_related("interview")
    for row in rows.order_by("interview__number"):
        interview = row.interview
        question = SurveyQuestion(
            interview.agent,
            interview.as_of_tick,
            row.question,
            row.category,
            interview.question,
        )
        yield question, interview
