"""Counterfactuals in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.counterfactuals.models import CounterfactualRow
from apps.django_support.read_only_admin import ReadOnlyAdmin

site.register(
    CounterfactualRow,
    ReadOnlyAdmin,
    list_display=(
        "requested_at", "state", "at_tick", "until_tick", "first_difference", "by",
        "simulation_id", "branch_id",
    ),
    list_filter=("state",),
    search_fields=("=simulation__id", "=branch__id"),
    ordering=("-requested_at",),
)  # fmt: skip
