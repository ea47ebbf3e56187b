"""Memory streams in the admin, read-only (A4)."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.models import MemoryRow, RetrievalRow


@admin.register(MemoryRow)
class MemoryRowAdmin(ReadOnlyAdmin):
    """Memories of all agents."""

    list_display = ("agent", "number", "kind", "importance", "description", "formed_tick")
    list_filter = ("kind", "origin", "importance", "perceived", "agent")
    search_fields = ("description", "subject", "=agent", "=simulation_id")
    ordering = ("simulation_id", "agent", "-number")
    # A vector is long and not readable.
    exclude = ("embedding",)


@admin.register(RetrievalRow)
class RetrievalRowAdmin(ReadOnlyAdmin):
    """Retrievals, each with the ticks in which it was the latest of its memory."""

    list_display = ("agent", "number", "from_tick", "to_tick")
    list_filter = ("agent",)
    search_fields = ("=agent", "=number", "=simulation_id")
    ordering = ("simulation_id", "agent", "-from_tick", "number")
