"""Plans in the admin, read-only (A4)."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.planning.models import PlanItemRow


@admin.register(PlanItemRow)
class PlanItemAdmin(ReadOnlyAdmin):
    """Plan items of all levels, with the ticks in which they were valid."""

    list_display = (
        "agent",
        "level",
        "from_tick",
        "to_tick",
        "emoji",
        "description",
        "place",
        "object",
        "valid_from_tick",
        "valid_to_tick",
        "simulation_id",
    )
    list_filter = ("level", "asleep", "agent")
    search_fields = ("=simulation_id", "=agent", "description", "place")
    ordering = ("simulation_id", "agent", "from_tick", "number")
