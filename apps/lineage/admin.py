"""The lineage of branches in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.lineage.models import LineageRow

site.register(
    LineageRow,
    ReadOnlyAdmin,
    list_display=("branch", "depth", "ancestor", "until_tick", "has_same_seed"),
    search_fields=("=branch", "=ancestor"),
    ordering=("branch", "depth"),
)
