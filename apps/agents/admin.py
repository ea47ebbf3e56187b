"""People in the admin: who they are, where they were, what they did and know."""

from django.contrib import admin

from apps.agents.models import (
    ActionRow,
    AgentRow,
    KnownPlaceRow,
    ObjectStateRow,
    SeenPersonRow,
    StayRow,
    TurnedAwayRow,
    UseRow,
)
from apps.django_support.read_only_admin import ReadOnlyAdmin

_WHOSE = ("=agent", "=simulation_id")


@admin.register(AgentRow)
class AgentAdmin(ReadOnlyAdmin):
    """People by name."""

    list_display = ("name", "age", "home", "workplace", "joined_tick", "simulation_id")
    search_fields = ("name", "description", *_WHOSE)
    ordering = ("simulation_id", "name")


@admin.register(StayRow)
class StayAdmin(ReadOnlyAdmin):
    """Who was in town from when to when."""

    list_display = ("agent", "from_tick", "to_tick", "simulation_id")
    search_fields = _WHOSE
    ordering = ("-from_tick", "agent")


@admin.register(ActionRow)
class ActionAdmin(ReadOnlyAdmin):
    """What people did, newest first."""

    list_display = (
        "agent", "emoji", "description", "area", "object", "from_tick", "to_tick", "asleep",
        "simulation_id",
    )  # fmt: skip
    list_filter = ("asleep", "area")
    search_fields = ("description", "object", *_WHOSE)
    ordering = ("-from_tick", "agent")


@admin.register(UseRow)
class UseAdmin(ReadOnlyAdmin):
    """Who used which object or room that serves few, newest first."""

    list_display = (
        "agent", "node", "state", "since_tick", "from_tick", "to_tick", "simulation_id"
    )  # fmt: skip
    list_filter = ("is_area",)
    search_fields = ("node", *_WHOSE)
    ordering = ("-from_tick", "agent")


@admin.register(KnownPlaceRow)
class KnownPlaceAdmin(ReadOnlyAdmin):
    """What people know of places."""

    list_display = ("agent", "node", "state", "from_tick", "to_tick", "simulation_id")
    search_fields = ("node", *_WHOSE)
    ordering = ("agent", "node", "-from_tick")


@admin.register(SeenPersonRow)
class SeenPersonAdmin(ReadOnlyAdmin):
    """What people last saw others do."""

    list_display = ("agent", "description", "area", "from_tick", "to_tick", "simulation_id")
    search_fields = ("description", "=subject", *_WHOSE)
    ordering = ("-from_tick", "agent")


@admin.register(TurnedAwayRow)
class TurnedAwayAdmin(ReadOnlyAdmin):
    """Who could not enter or use what, and why."""

    list_display = ("agent", "tick", "node", "why", "simulation_id")
    search_fields = ("node", *_WHOSE)
    ordering = ("-tick", "agent")


@admin.register(ObjectStateRow)
class ObjectStateAdmin(ReadOnlyAdmin):
    """Which objects users have set to which state, and until when it held."""

    list_display = ("object", "state", "from_tick", "to_tick", "simulation_id")
    search_fields = ("object", "state", "=simulation_id")
    ordering = ("simulation_id", "object", "-from_tick")
