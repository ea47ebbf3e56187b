"""Read-only admin pages of simulations, turns, clocks, commands and processes."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.simulation import queries
from apps.simulation.models import ClockRow, CommandRow, ProcessRow, SimulationRow, TurnRow


@admin.register(SimulationRow)
class SimulationAdmin(ReadOnlyAdmin):
    """Simulations, newest first."""

    list_display = (
        "name", "status", "reason", "settled_tick", "until_tick", "pace", "world", "seed",
        "preset", "owner", "created_at",
    )  # fmt: skip
    list_filter = ("status", "world")
    search_fields = ("name", "=id")
    ordering = ("-created_at",)

    @admin.display
    def preset(self, row: SimulationRow) -> str:
        """Return the preset that the settings were chosen from."""
        return queries.get_creation(row.pk).settings.preset


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
