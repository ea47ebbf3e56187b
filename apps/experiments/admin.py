"""Experiments and their events in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.experiments.models import ExperimentEventRow, ExperimentRow

site.register(
    ExperimentRow,
    ReadOnlyAdmin,
    list_display=("requested_at", "name", "state", "finished_runs", "runs", "by", "problem"),
    list_filter=("state",),
    search_fields=("=id", "name"),
    ordering=("-requested_at",),
)
site.register(
    ExperimentEventRow,
    ReadOnlyAdmin,
    list_display=("experiment_id", "number", "type", "by", "recorded_at"),
    list_filter=("type",),
    search_fields=("=experiment__id",),
    ordering=("-recorded_at", "-number"),
)
