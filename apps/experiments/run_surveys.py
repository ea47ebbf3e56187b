"""The surveys that measure a run: requested at a moment, and their values once answered."""

from collections.abc import Iterable, Sequence
from statistics import mean
from uuid import UUID

from apps import history
from apps.evaluation.models import SurveyRow
from apps.evaluation.questionnaires.typed_questions import TypedQuestion
from apps.evaluation.surveys.commands import SurveyRequest, request_survey
from apps.evaluation.surveys.queries import interviews_of
from apps.experiments.argued_measures import SurveyMeasure
from apps.experiments.measure_names import NUMBERS, names_of_question
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.work.rows import WorkState


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
