"""Decisions about reactions in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.reaction.models import WeighedRow

site.register(
    WeighedRow,
    ReadOnlyAdmin,
    list_display=("agent", "tick", "subject", "choice", "decisive", "what"),
    list_filter=("choice", "decisive", "agent"),
    search_fields=("what", "subject", "=agent", "=simulation_id"),
)
