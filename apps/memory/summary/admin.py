"""Summary descriptions in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.summary.models import SelfSummaryRow

site.register(
    SelfSummaryRow,
    ReadOnlyAdmin,
    list_display=("agent", "from_tick", "to_tick", "due_tick", "text"),
    list_filter=("agent",),
    search_fields=("text", "=agent", "=simulation_id"),
)
