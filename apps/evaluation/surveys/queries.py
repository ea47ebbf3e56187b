"""Queries of surveys: the surveys of a simulation, their progress and their interviews."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from apps.django_support.text_search import contains
from apps.evaluation.models import SurveyInterviewRow, SurveyRow
from apps.interaction.answer_forms import AnswerKind
from apps.interaction.models import InterviewRow
from apps.kernel.errors import NotFound


class SurveyUnknown(NotFound):
    """The simulation has no survey of that id."""

    code: ClassVar[str] = "survey-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many interviews a survey has, by their outcome.

    `invalid` are those of `answered` in which the fallback stands for an answer that could not
    be parsed; `without_value` are the other ones to typed questions whose answer has no value.
    """

    interviews: int = 0
    answered: int = 0
    failed: int = 0
    invalid: int = 0
    without_value: int = 0


def list_surveys(simulation_id: UUID) -> QuerySet[SurveyRow]:
    """Return the surveys of the simulation, without an order."""
    return SurveyRow.objects.filter(simulation_id=simulation_id)


def get_survey(simulation_id: UUID, survey_id: UUID) -> SurveyRow:
    """Return the survey.

    :raises SurveyUnknown: if the simulation has none of the id.
    """
    row = list_surveys(simulation_id).filter(pk=survey_id).first()
    if row is None:
        raise SurveyUnknown(f"there is no survey {survey_id} in this simulation")
    return row


def progress_of(survey_ids: Iterable[UUID]) -> dict[UUID, Progress]:
    """Return the progress of each survey, by one query."""
    is_answered = Q(interview__state=InterviewRow.State.ANSWERED)
    is_typed = ~Q(interview__form__kind=AnswerKind.OPEN.value)
    is_valid = Q(interview__parse_error="")
    rows: Iterable[Any] = (
        SurveyInterviewRow.objects.filter(survey_id__in=list(survey_ids))
        .values("survey_id")
        .annotate(
            interviews=Count("pk"),
            answered=Count("pk", filter=is_answered),
            failed=Count("pk", filter=Q(interview__state=InterviewRow.State.FAILED)),
            invalid=Count("pk", filter=is_answered & ~is_valid),
            without_value=Count(
                "pk",
                filter=is_answered & is_typed & is_valid & Q(interview__value__isnull=True),
            ),
        )
        .order_by()
    )
    return {
        row["survey_id"]: Progress(
            **{field.name: row[field.name] for field in fields(Progress)}
        )
        for row in rows
    }


def interviews_of(
    survey: SurveyRow,
    *,
    agent: str | None = None,
    question: str | None = None,
    conditions: str | None = None,
    state: str | None = None,
    search: str | None = None,
) -> QuerySet[InterviewRow]:
    """Return the interviews without an order, with the name and category of the question.

    The annotations are `question_name` and `category`; each argument is a filter. `search` is a
    text in question or answer.
    """
    filters = {
        "agent": agent,
        "surveyinterviewrow__question": question,
        "conditions": conditions,
        "state": state,
    }
    given = {name: value for name, value in filters.items() if value is not None}
    rows = InterviewRow.objects.filter(surveyinterviewrow__survey=survey, **given)
    if search is not None:
        rows = rows.filter(contains(search, "question", "answer"))
    return rows.annotate(
        question_name=F("surveyinterviewrow__question"),
        category=F("surveyinterviewrow__category"),
    )
