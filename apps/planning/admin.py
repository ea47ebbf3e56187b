"""Plans in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.planning.models import PlanItemRow

site.register(
    PlanItemRow,
    ReadOnlyAdmin,
    list_display=(
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
    ),
    list_filter=("level", "asleep", "agent"),
    search_fields=("=simulation_id", "=agent", "description", "place"),
)
