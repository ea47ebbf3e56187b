"""Conversations in the admin, read-only (A4)."""

from django.contrib.admin import site

from apps.dialogue.models import (
    CommitmentRow,
    OverheardRow,
    PromiseRow,
    TalkRow,
    UtteranceRow,
)
from apps.django_support.read_only_admin import ReadOnlyAdmin

site.register(
    UtteranceRow,
    ReadOnlyAdmin,
    list_display=("conversation", "number", "tick", "agent", "to", "text", "ends"),
    list_filter=("agent",),
    search_fields=("text", "=agent", "=to", "=conversation", "=simulation_id"),
)
site.register(
    TalkRow,
    ReadOnlyAdmin,
    list_display=("agent", "other", "conversation", "from_tick", "to_tick", "why"),
    list_filter=("agent",),
    search_fields=("=agent", "=other", "=conversation", "=simulation_id"),
)
site.register(
    OverheardRow,
    ReadOnlyAdmin,
    list_display=("agent", "conversation", "tick", "utterances", "is_over"),
    list_filter=("agent",),
    search_fields=("=agent", "=conversation", "=simulation_id"),
)
site.register(
    CommitmentRow,
    ReadOnlyAdmin,
    list_display=("agent", "declined", "activity", "other", "place", "day", "tick"),
    list_filter=("declined", "agent"),
    search_fields=("activity", "=agent", "=other", "=conversation", "=simulation_id"),
)
site.register(
    PromiseRow,
    ReadOnlyAdmin,
    list_display=("agent", "other", "to", "what", "tick", "outcome"),
    list_filter=("outcome",),
    search_fields=("what", "=agent", "=simulation_id"),
)
