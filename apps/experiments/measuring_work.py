"""Surveys and news searches that measure runs: requested, found, and the values of surveys."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import mean
from typing import Any
from uuid import UUID

from apps import history
from apps.evaluation.models import SurveyRow
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
from apps.experiments.progress import RunProgress
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.work.limited_work import LimitedWorkKind
from apps.work.rows import LimitedWorkRow, WorkState

Measured = SurveyMeasure | NewsMeasure
MEASURING_KINDS: tuple[LimitedWorkKind[Any], ...] = (SURVEYS, NEWS_SEARCHES)
_REASON = "a measure of an experiment"


def measures_by_work(design: ExperimentDesign) -> dict[str, Measured]:
    """Return the measures that agents or a model answer, by name."""
    surveys = {one.questionnaire.name: one for one in design.surveys}
    return surveys | {one.name: one for one in design.searched_news}


def kind_of(measure: Measured) -> LimitedWorkKind[Any]:
    """Return the kind of the work that measures."""
    return SURVEYS if isinstance(measure, SurveyMeasure) else NEWS_SEARCHES


def request_work(
    simulation_id: UUID, measure: Measured, *, tick: int, tokens_max: int | None, by: str
) -> LimitedWorkRow:
    """Request the work that measures a run as of the end of a tick.

    :raises DomainError: if nobody is asked, such as agents that have left.
    """
    present = [row.agent for row in history.list_agents(simulation_id, as_of_tick=tick)]
    if isinstance(measure, NewsMeasure):
        search = NewsSearchRequest(
            news=measure.news,
            agents=present,
            as_of_tick=tick,
            verifier=measure.verifier,
            tokens_max=tokens_max,
        )
        return request_news_search(simulation_id, search, by=by, reason=_REASON)
    survey = SurveyRequest(
        questionnaire=measure.questionnaire,
        agents={tick: [one for one in present if not measure.agents or one in measure.agents]},
        conditions=[condition_named(measure.condition)],
        tokens_max=tokens_max,
    )
    return request_survey(simulation_id, survey, by=by, reason=_REASON)


def work_of(
    run: RunProgress, *states: str
) -> Iterator[tuple[LimitedWorkKind[Any], LimitedWorkRow]]:
    """Yield the work of a run in one of the states with its kind, the earliest first."""
    for kind in MEASURING_KINDS:
        rows = kind.rows.filter(pk__in=run.work.values(), state__in=states)
        for row in rows.order_by("requested_at"):
            yield kind, row


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
