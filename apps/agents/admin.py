"""Agents in the admin, read-only (A4)."""

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

_KEYS = ("=agent", "=simulation_id")


@admin.register(AgentRow)
class AgentAdmin(ReadOnlyAdmin):
    """Agents by name."""

    list_display = ("name", "age", "home", "workplace", "joined_tick", "simulation_id")
    search_fields = ("name", "description", *_KEYS)
    ordering = ("simulation_id", "name")


@admin.register(StayRow)
class StayAdmin(ReadOnlyAdmin):
    """Stays of agents in the simulation."""

    list_display = ("agent", "from_tick", "to_tick", "simulation_id")
    search_fields = _KEYS
    ordering = ("-from_tick", "agent")


@admin.register(ActionRow)
class ActionAdmin(ReadOnlyAdmin):
    """Actions, the latest first."""

    list_display = (
        "agent", "emoji", "description", "area", "object", "from_tick", "to_tick", "asleep",
        "simulation_id",
    )  # fmt: skip
    list_filter = ("asleep", "area")
    search_fields = ("description", "object", *_KEYS)
    ordering = ("-from_tick", "agent")


@admin.register(UseRow)
class UseAdmin(ReadOnlyAdmin):
    """Uses of objects and of areas with a capacity, the latest first."""

    list_display = (
        "agent", "node", "state", "since_tick", "from_tick", "to_tick", "simulation_id"
    )  # fmt: skip
    list_filter = ("is_area",)
    search_fields = ("node", *_KEYS)
    ordering = ("-from_tick", "agent")


@admin.register(KnownPlaceRow)
class KnownPlaceAdmin(ReadOnlyAdmin):
    """Known nodes with the states last seen."""

    list_display = ("agent", "node", "state", "from_tick", "to_tick", "simulation_id")
    search_fields = ("node", *_KEYS)
    ordering = ("agent", "node", "-from_tick")


@admin.register(SeenPersonRow)
class SeenPersonAdmin(ReadOnlyAdmin):
    """The actions of others that agents saw last."""

    list_display = ("agent", "description", "area", "from_tick", "to_tick", "simulation_id")
    search_fields = ("description", "=subject", *_KEYS)
    ordering = ("-from_tick", "agent")


@admin.register(TurnedAwayRow)
class TurnedAwayAdmin(ReadOnlyAdmin):
    """Refused attempts to enter an area or use an object."""

    list_display = ("agent", "tick", "node", "why", "simulation_id")
    search_fields = ("node", *_KEYS)
    ordering = ("-tick", "agent")


@admin.register(ObjectStateRow)
class ObjectStateAdmin(ReadOnlyAdmin):
    """Object states that users have set."""

    list_display = ("object", "state", "from_tick", "to_tick", "simulation_id")
    search_fields = ("object", "state", "=simulation_id")
    ordering = ("simulation_id", "object", "-from_tick")
