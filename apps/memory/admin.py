"""Memory streams in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.models import MemoryRow, RepetitionRow, RetrievalRow

site.register(
    MemoryRow,
    ReadOnlyAdmin,
    list_display=("agent", "number", "kind", "rating", "description", "formed_tick"),
    list_filter=("kind", "origin", "rating", "perceived", "agent"),
    search_fields=("description", "subject", "=agent", "=simulation_id"),
    # A vector is long and not readable.
    exclude=("embedding",),
)
site.register(
    RepetitionRow,
    ReadOnlyAdmin,
    list_display=("agent", "number", "times", "from_tick", "to_tick"),
    list_filter=("agent",),
    search_fields=("=agent", "=number", "=simulation_id"),
)
site.register(
    RetrievalRow,
    ReadOnlyAdmin,
    list_display=("agent", "number", "from_tick", "to_tick"),
    list_filter=("agent",),
    search_fields=("=agent", "=number", "=simulation_id"),
)
