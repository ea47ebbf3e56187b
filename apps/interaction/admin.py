"""Interviews in the admin, read-only (A4)."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.interaction.models import InterviewRow


@admin.register(InterviewRow)
class InterviewAdmin(ReadOnlyAdmin):
    """Interviews, the latest first."""

    list_display = (
        "asked_at", "agent", "persona", "question", "answer", "conditions", "as_of_tick",
        "state", "by", "simulation_id",
    )  # fmt: skip
    list_filter = ("state", "conditions")
    search_fields = ("question", "answer", "=agent", "=simulation__id")
    ordering = ("-asked_at",)
