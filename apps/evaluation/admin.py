"""Surveys, questionnaires, rankings and news searches in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.evaluation.models import (
    NewsFindingRow,
    NewsSearchRow,
    QuestionnaireRow,
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyInterviewRow,
    SurveyRow,
    WrittenAnswerRow,
)

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
site.register(
    WrittenAnswerRow,
    ReadOnlyAdmin,
    list_display=("written_at", "agent", "question", "by", "survey_id"),
    search_fields=("=survey__id", "agent"),
    ordering=("-written_at",),
)
site.register(
    RankingRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at", "state", "judge", "conditions", "seed", "tokens", "by", "survey_id",
    ),
    list_filter=("state", "judge"),
    search_fields=("=survey__id",),
    ordering=("-requested_at",),
)  # fmt: skip
site.register(
    RankingTaskRow,
    ReadOnlyAdmin,
    list_display=("number", "agent", "question", "category", "ranking_id"),
    search_fields=("=ranking__id", "agent"),
    ordering=("-number",),
)
site.register(
    RankingJudgementRow,
    ReadOnlyAdmin,
    list_display=("judged_at", "evaluator", "ranks", "parse_error", "task_id"),
    search_fields=("=task__ranking__id", "evaluator"),
    ordering=("-judged_at",),
)
site.register(
    NewsSearchRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at", "state", "news", "as_of_tick", "verifier", "tokens", "tokens_max", "by",
        "simulation_id",
    ),
    list_filter=("state", "verifier"),
    search_fields=("=simulation__id",),
    ordering=("-requested_at",),
)  # fmt: skip
site.register(
    NewsFindingRow,
    ReadOnlyAdmin,
    list_display=("verified_at", "agent", "knows", "held", "parse_error", "search_id"),
    list_filter=("knows",),
    search_fields=("=search__id", "agent"),
    ordering=("-pk",),
)
