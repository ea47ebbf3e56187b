"""Agents in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.agents.models import (
    ActionRow,
    ActReportRow,
    AdmissionRow,
    AgentRow,
    DoorOpeningRow,
    KnownPlaceRow,
    ObjectStateRow,
    SeenAgentRow,
    StayRow,
    TurnedAwayRow,
    UseRow,
)
from apps.django_support.read_only_admin import ReadOnlyAdmin

_KEYS = ("=agent", "=simulation_id")
_VALIDITY = ("from_tick", "to_tick", "simulation_id")

site.register(
    AgentRow,
    ReadOnlyAdmin,
    list_display=("name", "age", "home", "workplace", "joined_tick", "simulation_id"),
    search_fields=("name", "description", *_KEYS),
    ordering=("simulation_id", "name"),
)
site.register(
    StayRow,
    ReadOnlyAdmin,
    list_display=("agent", *_VALIDITY),
    search_fields=_KEYS,
)
site.register(
    ActionRow,
    ReadOnlyAdmin,
    list_display=("agent", "emoji", "description", "area", "object", "asleep", *_VALIDITY),
    list_filter=("asleep", "area"),
    search_fields=("description", "object", *_KEYS),
)
site.register(
    UseRow,
    ReadOnlyAdmin,
    list_display=("agent", "node", "state", "since_tick", *_VALIDITY),
    list_filter=("is_area",),
    search_fields=("node", *_KEYS),
)
site.register(
    KnownPlaceRow,
    ReadOnlyAdmin,
    list_display=("agent", "node", "state", *_VALIDITY),
    search_fields=("node", *_KEYS),
)
site.register(
    SeenAgentRow,
    ReadOnlyAdmin,
    list_display=("agent", "description", "area", *_VALIDITY),
    search_fields=("description", "=subject", *_KEYS),
)
site.register(
    DoorOpeningRow,
    ReadOnlyAdmin,
    list_display=("agent", "tick", "node", "visitor", "simulation_id"),
    search_fields=("node", "=visitor", *_KEYS),
)
site.register(
    AdmissionRow,
    ReadOnlyAdmin,
    list_display=("agent", "node", "host", "reason", *_VALIDITY),
    list_filter=("reason",),
    search_fields=("node", "=host", *_KEYS),
)
site.register(
    TurnedAwayRow,
    ReadOnlyAdmin,
    list_display=("agent", "tick", "node", "why", "simulation_id"),
    search_fields=("node", *_KEYS),
)
site.register(
    ObjectStateRow,
    ReadOnlyAdmin,
    list_display=("object", "state", *_VALIDITY),
    search_fields=("object", "state", "=simulation_id"),
)
site.register(
    ActReportRow,
    ReadOnlyAdmin,
    list_display=("agent", "kind", "other", "outcome", "area", "tick", "simulation_id"),
    list_filter=("kind", "outcome"),
    search_fields=("other", *_KEYS),
)
