"""Lasting facts and their earlier versions in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.facts.models import FactRow

site.register(
    FactRow,
    ReadOnlyAdmin,
    list_display=(
        "agent",
        "number",
        "kind",
        "other",
        "tie",
        "standing",
        "statements",
        "opinion",
        "source",
        "evidence",
        "from_tick",
        "to_tick",
    ),
    list_filter=("kind", "source", "tie", "standing", "agent"),
    search_fields=("statements", "opinion", "=agent", "=other", "=simulation_id"),
)
