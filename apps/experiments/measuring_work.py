"""Surveys and news searches that measure runs: requested, found and carried out alike."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from apps.evaluation.limited_work import LimitedWorkRow
from apps.evaluation.models import NewsSearchRow, SurveyRow
from apps.evaluation.news_searches.commands import (
    carry_out_news_search,
    pause_news_searches,
    resume_news_search,
)
from apps.evaluation.surveys.commands import answer_survey, pause_surveys, resume_survey
from apps.experiments.design import ExperimentDesign
from apps.experiments.events import ExperimentEvent, NewsSearchStarted, SurveyStarted
from apps.experiments.progress import RunProgress
from apps.experiments.run_news_searches import search_for
from apps.experiments.run_surveys import request_for
from apps.simulation.ports import Ports


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

    `noun` names it in messages. `measures` returns those of a design by name, `ids` the work of
    a run by tick and name of the measure, and `started` the event that records a request, given
    the run, tick, name and id. The others are the commands of the kind.
    """

    noun: str
    model: type[LimitedWorkRow]
    measures: Callable[[ExperimentDesign], Mapping[str, Any]]
    ids: Callable[[RunProgress], Mapping[tuple[int, str], UUID]]
    started: Callable[[str, int, str, UUID], ExperimentEvent]
    request: RequestOfWork
    carry_out: Callable[[Ports, UUID], bool]
    pause: Callable[[Collection[UUID], str, str], None]
    resume: Callable[..., LimitedWorkRow]

    def row(self, run: RunProgress, tick: int, name: str) -> LimitedWorkRow | None:
        """Return the work for a measure; None if it is not requested yet, or was deleted."""
        work_id = self.ids(run).get((tick, name))
        if work_id is None:
            return None
        return self.model._default_manager.filter(pk=work_id).first()

    def rows(self, run: RunProgress, *states: str) -> list[LimitedWorkRow]:
        """Return the work of a run in one of the states, the earliest first."""
        rows = self.model._default_manager.filter(
            pk__in=self.ids(run).values(), state__in=states
        )
        return list(rows.order_by("requested_at"))


SURVEYS = MeasuringWork(
    noun="survey",
    model=SurveyRow,
    measures=lambda design: {one.questionnaire.name: one for one in design.surveys},
    ids=lambda run: run.surveys,
    started=lambda run, tick, name, work_id: SurveyStarted(
        run=run, tick=tick, questionnaire=name, survey=str(work_id)
    ),
    request=request_for,
    carry_out=answer_survey,
    pause=pause_surveys,
    resume=resume_survey,
)
NEWS_SEARCHES = MeasuringWork(
    noun="news search",
    model=NewsSearchRow,
    measures=lambda design: {one.name: one for one in design.searched_news},
    ids=lambda run: run.news_searches,
    started=lambda run, tick, name, work_id: NewsSearchStarted(
        run=run, tick=tick, measure=name, search=str(work_id)
    ),
    request=search_for,
    carry_out=carry_out_news_search,
    pause=pause_news_searches,
    resume=resume_news_search,
)
MEASURING_WORK = (SURVEYS, NEWS_SEARCHES)
