"""Replays in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.replays.models import ReplayRow

site.register(
    ReplayRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at", "state", "from_tick", "to_tick", "turns", "events", "changed_calls",
        "by", "simulation_id",
    ),
    list_filter=("state",),
    search_fields=("=simulation__id",),
    ordering=("-requested_at",),
)  # fmt: skip
