"""Summary descriptions as operators see them: to be read, never edited."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.summary.models import SelfSummaryRow


@admin.register(SelfSummaryRow)
class SelfSummaryRowAdmin(ReadOnlyAdmin):
    """Summary descriptions, and since when each holds."""

    list_display = ("agent", "from_tick", "to_tick", "due_tick", "text")
    list_filter = ("agent",)
    search_fields = ("text", "=agent", "=simulation_id")
    ordering = ("simulation_id", "agent", "-from_tick")
    show_full_result_count = False
