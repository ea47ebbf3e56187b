"""Surveys and news searches that measure runs: requested, found and carried out alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from apps import history
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    request_news_search,
)
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.argued_measures import NewsMeasure
from apps.experiments.design import ExperimentDesign
from apps.experiments.events import ExperimentEvent, NewsSearchStarted, SurveyStarted
from apps.experiments.progress import RunProgress
from apps.experiments.run_surveys import request_for
from apps.work.limited_work import LimitedWorkKind
from apps.work.rows import LimitedWorkRow, WorkState


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
