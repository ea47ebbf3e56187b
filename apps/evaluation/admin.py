"""Surveys and questionnaires in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.evaluation.models import QuestionnaireRow, SurveyInterviewRow, SurveyRow

site.register(
    QuestionnaireRow,
    ReadOnlyAdmin,
    list_display=("added_at", "name", "title", "owner_id"),
    search_fields=("name", "title"),
    ordering=("-added_at",),
)
site.register(
    SurveyRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at", "state", "questionnaire", "conditions", "ticks", "tokens", "tokens_max",
        "by", "simulation_id",
    ),
    list_filter=("state",),
    search_fields=("=simulation__id",),
    ordering=("-requested_at",),
)  # fmt: skip
site.register(
    SurveyInterviewRow,
    ReadOnlyAdmin,
    list_display=("survey_id", "question", "category", "interview_id"),
    search_fields=("question", "=survey__id"),
    ordering=("-pk",),
)
