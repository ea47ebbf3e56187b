"""Conversations in the admin, read-only."""

from django.contrib import admin

from apps.dialogue.models import CommitmentRow, TalkRow, UtteranceRow
from apps.django_support.read_only_admin import ReadOnlyAdmin


@admin.register(UtteranceRow)
class UtteranceRowAdmin(ReadOnlyAdmin):
    """Utterances, in the order in which they were said."""

    list_display = ("conversation", "number", "tick", "agent", "to", "text", "ends")
    list_filter = ("agent",)
    search_fields = ("text", "=agent", "=to", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "conversation", "tick")


@admin.register(TalkRow)
class TalkRowAdmin(ReadOnlyAdmin):
    """The part of an agent in a conversation: from when to when, and why it ended."""

    list_display = ("agent", "other", "conversation", "from_tick", "to_tick", "why")
    list_filter = ("agent",)
    search_fields = ("=agent", "=other", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "agent", "-from_tick")


@admin.register(CommitmentRow)
class CommitmentRowAdmin(ReadOnlyAdmin):
    """What agents agreed to, and what they declined."""

    list_display = ("agent", "declined", "activity", "other", "place", "day", "tick")
    list_filter = ("declined", "agent")
    search_fields = ("activity", "=agent", "=other", "=conversation", "=simulation_id")
    ordering = ("simulation_id", "agent", "-tick")
