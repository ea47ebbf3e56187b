"""The log in the admin: to be read, never edited."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.eventlog.models import EventRow


@admin.register(EventRow)
class EventAdmin(ReadOnlyAdmin):
    """Events by simulation, stream and type, newest commit first."""

    list_display = ("place", "type", "stream", "tick", "cause", "recorded_at", "simulation_id")
    list_filter = ("type",)
    search_fields = ("=stream", "=simulation_id", "=type")
    ordering = ("-position",)

    @admin.display(description="event")
    def place(self, row: EventRow) -> str:
        """Return the event's identity."""
        return row.event_id
