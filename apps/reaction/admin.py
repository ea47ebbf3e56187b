"""Reactions as operators see them: to be read, never edited."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.reaction.models import WeighedRow


@admin.register(WeighedRow)
class WeighedRowAdmin(ReadOnlyAdmin):
    """What agents decided about, and what they chose."""

    list_display = ("agent", "tick", "subject", "choice", "decisive", "what")
    list_filter = ("choice", "decisive", "agent")
    search_fields = ("what", "subject", "=agent", "=simulation_id")
    ordering = ("simulation_id", "agent", "-tick")
