"""The log in the admin: to be read, never edited."""

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.http import HttpRequest

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.eventlog.models import EventRow


@admin.register(EventRow)
class EventAdmin(ReadOnlyAdmin):
    """Events by simulation, stream and type, newest commit first."""

    list_display = ("place", "type", "stream", "tick", "cause", "recorded_at", "simulation_id")
    list_filter = ("type",)
    search_fields = ("=stream", "=simulation_id")
    search_help_text = "A stream such as isabella-rodriguez, a type, or the id of a simulation."
    ordering = ("-position",)

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the type for a word with a dot, which streams and ids do not have.

        No index finds types, so that types are compared only when one is asked for.
        """
        is_type = "." in request.GET.get(SEARCH_VAR, "")
        return ("=type",) if is_type else self.search_fields

    @admin.display(description="event")
    def place(self, row: EventRow) -> str:
        """Return the event's identity."""
        return row.event_id
