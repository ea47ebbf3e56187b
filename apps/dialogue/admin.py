"""Conversations in the admin, read-only (A4)."""

from django.contrib import admin

from apps.dialogue.models import CommitmentRow, TalkRow, UtteranceRow
from apps.django_support.read_only_admin import ReadOnlyAdmin


@admin.register(UtteranceRow)
class UtteranceRowAdmin(ReadOnlyAdmin):
    """Utterances, in order."""

    list_display = ("conversation", "number", "tick", "agent", "to", "text", "ends")
    list_filter = ("agent",)
    search_fields = ("text", "=agent", "=to", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "conversation", "tick")


@admin.register(TalkRow)
class TalkRowAdmin(ReadOnlyAdmin):
    """The parts of agents in conversations."""

    list_display = ("agent", "other", "conversation", "from_tick", "to_tick", "why")
    list_filter = ("agent",)
    search_fields = ("=agent", "=other", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "agent", "-from_tick")


@admin.register(CommitmentRow)
class CommitmentRowAdmin(ReadOnlyAdmin):
    """Activities that agents agreed to or declined."""

    list_display = ("agent", "declined", "activity", "other", "place", "day", "tick")
    list_filter = ("declined", "agent")
    search_fields = ("activity", "=agent", "=other", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "agent", "-tick")
