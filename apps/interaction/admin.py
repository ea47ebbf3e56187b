"""Interviews in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.interaction.models import InterviewRow

site.register(
    InterviewRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at",
        "agent",
        "persona",
        "question",
        "answer",
        "value",
        "no_value",
        "conditions",
        "as_of_tick",
        "state",
        "by",
        "simulation_id",
    ),
    list_filter=("state", "no_value", "conditions"),
    search_fields=("question", "answer", "=agent", "=simulation__id"),
    ordering=("-requested_at",),
)
