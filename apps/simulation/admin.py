"""Read-only admin pages of simulations, turns, clocks, commands and processes."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.django_support.row_links import simulation_page
from apps.simulation import queries
from apps.simulation.models import ClockRow, CommandRow, ProcessRow, SimulationRow, TurnRow


@admin.register(SimulationRow)
class SimulationAdmin(ReadOnlyAdmin):
    """Simulations, newest first."""

    list_display = (
        "name", "status", "reason", "committed_tick", "until_tick", "pace", "world", "seed",
        "owner", "created_at",
    )  # fmt: skip
    list_select_related = ("owner",)
    readonly_fields = ("preset",)
    list_filter = ("status", "world")
    search_fields = ("name", "=id")
    ordering = ("-created_at",)

    @admin.display
    def preset(self, row: SimulationRow) -> str:
        """Return the preset that the settings were chosen from."""
        return queries.get_creation(row.pk).settings.preset

    @admin.display(description="pages")
    def row_links(self, row: SimulationRow) -> SafeString:
        """Return the link to the overview."""
        return format_html('<a href="{}">overview</a>', simulation_page(row.pk))


@admin.register(TurnRow)
class TurnAdmin(ReadOnlyAdmin):
    """Turns in work."""

    list_display = (
        "agent", "tick", "state", "attempts", "worker", "heartbeat_at", "error", "simulation_id"
    )  # fmt: skip
    list_filter = ("state",)
    search_fields = ("=agent", "=simulation_id")
    ordering = ("simulation_id", "tick")


@admin.register(ClockRow)
class ClockAdmin(ReadOnlyAdmin):
    """The clocks of the agents."""

    list_display = ("agent", "clock", "simulation_id")
    search_fields = ("=agent", "=simulation_id")
    ordering = ("simulation_id", "clock")


@admin.register(CommandRow)
class CommandAdmin(ReadOnlyAdmin):
    """The commands of users, newest first."""

    list_display = (
        "created_at", "kind", "agent", "state", "effective_tick", "by", "reason", "refusal",
        "simulation_id",
    )  # fmt: skip
    list_filter = ("kind", "state")
    search_fields = ("=agent", "by", "=simulation_id")
    ordering = ("-created_at",)


@admin.register(ProcessRow)
class ProcessAdmin(ReadOnlyAdmin):
    """Scheduler and worker processes, the latest heartbeat first."""

    list_display = ("name", "kind", "threads", "started_at", "seen_at")
    list_filter = ("kind",)
    ordering = ("-seen_at",)
