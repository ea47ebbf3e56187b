"""The memory streams as operators see them: to be read, never edited."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.memory.models import MemoryRow, RecallRow


@admin.register(MemoryRow)
class MemoryRowAdmin(ReadOnlyAdmin):
    """The memories of everyone; narrow by person, kind, importance, or words."""

    list_display = ("agent", "number", "kind", "importance", "description", "formed_tick")
    list_filter = ("kind", "origin", "importance", "perceived", "agent")
    search_fields = ("description", "subject", "=agent", "=simulation_id")
    ordering = ("simulation_id", "agent", "-number")
    # The vector says nothing to a person and is long: it stays in the database.
    exclude = ("embedding",)
    show_full_result_count = False


@admin.register(RecallRow)
class RecallRowAdmin(ReadOnlyAdmin):
    """When memories were last retrieved, and until when that was the last time."""

    list_display = ("agent", "number", "from_tick", "to_tick")
    list_filter = ("agent",)
    search_fields = ("=agent", "=number", "=simulation_id")
    ordering = ("simulation_id", "agent", "-from_tick", "number")
    show_full_result_count = False
