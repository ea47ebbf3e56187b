"""Surveys and news searches that measure runs: requested, found and carried out alike."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Protocol
from uuid import UUID

from apps import history
from apps.evaluation.models import NewsSearchRow, SurveyRow
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    request_news_search,
)
from apps.evaluation.questionnaires.typed_questions import TypedQuestion
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey
from apps.evaluation.surveys.queries import interviews_of
from apps.experiments.argued_measures import (
    NUMBERS,
    NewsMeasure,
    SurveyMeasure,
    names_of_question,
)
from apps.experiments.design import ExperimentDesign
from apps.experiments.progress import (
    ExperimentEvent,
    NewsSearchStarted,
    RunProgress,
    SurveyStarted,
)
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.work.limited_work import LimitedWorkKind
from apps.work.rows import LimitedWorkRow, WorkState


def request_for(
    simulation_id: UUID, measure: SurveyMeasure, *, tick: int, tokens_max: int | None, by: str
) -> SurveyRow:
    """Request the survey of a run as of the end of a tick.

    :raises DomainError: if it asks nothing, such as of agents that have left.
    """
    present = list(history.slugs_in_simulation(simulation_id, as_of_tick=tick))
    agents = [one for one in present if not measure.agents or one in measure.agents]
    request = SurveyRequest(
        questionnaire=measure.questionnaire,
        agents={tick: agents},
        conditions=[condition_named(measure.condition)],
        tokens_max=tokens_max,
    )
    return request_survey(simulation_id, request, by=by, reason="a measure of an experiment")


def values_of_survey(measure: SurveyMeasure, survey: SurveyRow) -> dict[str, float | None]:
    """Return the values of a finished survey by name.

    In any case there is the share of answered interviews; of numbers, scales and choices the
    share of these answers that have a value, and the number of those without one by `NoValue`;
    of numbers and scales the mean of the values, and of a choice the share of each option in
    all answers. A mean or a share of nothing is None.
    """
    found: dict[str, float | None] = {}
    for question in measure.questionnaire.questions:
        rows = list(interviews_of(survey, question=question.name))
        answered = [row for row in rows if row.state == WorkState.DONE]
        answered_share = len(answered) / len(rows) if rows else None
        counted = (answered_share, *_counted(question, answered))
        found |= dict(zip(names_of_question(measure, question), counted, strict=True))
    return found


def _counted(
    question: TypedQuestion, answered: Sequence[InterviewRow]
) -> Iterable[float | None]:
    """Yield the share with a value, the counts of the others, and the mean or the shares."""
    if question.answer.kind is AnswerKind.OPEN:
        return
    values = [row.value for row in answered if row.value is not None]
    yield len(values) / len(answered) if answered else None
    reasons = [row.no_value for row in answered]
    yield from map(reasons.count, NoValue)
    if question.answer.kind in NUMBERS:
        yield mean(map(float, values)) if values else None
    for option in question.answer.options:
        yield values.count(option) / len(answered) if answered else None


class RequestOfWork(Protocol):
    """Requests the work for a measure of a run as of the end of a tick."""

    def __call__(
        self, simulation_id: UUID, measure: Any, *, tick: int, tokens_max: int | None, by: str
    ) -> LimitedWorkRow:
        """Return the row of the work."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuringWork:
    """A kind of limited work that measures runs.

    `measures` returns those of a design by name, `ids` the work of a run by tick and name of
    the measure, and `started` the event that records a request, given the run, tick, name and
    id.
    """

    kind: LimitedWorkKind[Any]
    measures: Callable[[ExperimentDesign], Mapping[str, Any]]
    ids: Callable[[RunProgress], Mapping[tuple[int, str], UUID]]
    started: Callable[[str, int, str, UUID], ExperimentEvent]
    request: RequestOfWork

    def row(self, run: RunProgress, tick: int, name: str) -> LimitedWorkRow | None:
        """Return the work for a measure; None if there is none, or a user has ended it."""
        rows = self.kind.rows.filter(pk=self.ids(run).get((tick, name)))
        row: LimitedWorkRow | None = rows.exclude(state=WorkState.CANCELLED).first()
        return row

    def rows(self, run: RunProgress, *states: str) -> list[LimitedWorkRow]:
        """Return the work of a run in one of the states, the earliest first."""
        rows = self.kind.rows.filter(pk__in=self.ids(run).values(), state__in=states)
        return list(rows.order_by("requested_at"))


def search_for(
    simulation_id: UUID, measure: NewsMeasure, *, tick: int, tokens_max: int | None, by: str
) -> NewsSearchRow:
    """Request the search for the news of a measure in a run, as of the end of a tick.

    :raises DomainError: if no agent is there.
    """
    request = NewsSearchRequest(
        news=measure.news,
        agents=history.slugs_in_simulation(simulation_id, as_of_tick=tick),
        as_of_tick=tick,
        verifier=measure.verifier,
        tokens_max=tokens_max,
    )
    return request_news_search(
        simulation_id, request, by=by, reason="a measure of an experiment"
    )


OF_SURVEYS = MeasuringWork(
    kind=SURVEYS,
    measures=lambda design: {one.questionnaire.name: one for one in design.surveys},
    ids=lambda run: run.surveys,
    started=lambda run, tick, name, work_id: SurveyStarted(
        run=run, tick=tick, questionnaire=name, survey=str(work_id)
    ),
    request=request_for,
)
OF_NEWS_SEARCHES = MeasuringWork(
    kind=NEWS_SEARCHES,
    measures=lambda design: {one.name: one for one in design.searched_news},
    ids=lambda run: run.news_searches,
    started=lambda run, tick, name, work_id: NewsSearchStarted(
        run=run, tick=tick, measure=name, search=str(work_id)
    ),
    request=search_for,
)
MEASURING_WORK = (OF_SURVEYS, OF_NEWS_SEARCHES)
