"""Read-only admin pages of the totals."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.metrics.models import ModelCallTotalRow, TurnTotalRow


@admin.register(ModelCallTotalRow)
class ModelCallTotalAdmin(ReadOnlyAdmin):
    """Totals of model calls."""

    list_display = (
        "simulation_id", "server", "model", "task", "outcome", "calls", "retries",
        "prompt_tokens", "cached_prompt_tokens", "completion_tokens", "cost",
    )  # fmt: skip
    list_filter = ("server", "outcome")
    search_fields = ("=task", "=simulation_id")


@admin.register(TurnTotalRow)
class TurnTotalAdmin(ReadOnlyAdmin):
    """Totals of turns."""

    list_display = ("simulation_id", "completed", "failed", "committed_ticks")
    search_fields = ("=simulation_id",)
