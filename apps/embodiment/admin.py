"""Embodiments as operators see them: to be read, never edited."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.embodiment.models import AnswerRow, CallRow, EmbodimentRow


@admin.register(EmbodimentRow)
class EmbodimentRowAdmin(ReadOnlyAdmin):
    """Who acted for whom, from when to when, and why."""

    list_display = ("number", "agent", "by", "is_visitor", "from_tick", "to_tick", "reason")
    list_filter = ("is_visitor", "agent", "by")
    search_fields = ("=agent", "=by", "=simulation_id")
    ordering = ("simulation_id", "-number")
    show_full_result_count = False


@admin.register(CallRow)
class CallRowAdmin(ReadOnlyAdmin):
    """What was asked of people whom users act for."""

    list_display = ("event", "agent", "embodiment", "kind", "body", "by", "reason")
    list_filter = ("kind", "agent")
    search_fields = ("=agent", "=by", "=simulation_id")
    ordering = ("simulation_id", "-tick", "-ordinal")
    show_full_result_count = False


@admin.register(AnswerRow)
class AnswerRowAdmin(ReadOnlyAdmin):
    """What came of it."""

    list_display = ("call", "agent", "tick", "outcome", "code", "why")
    list_filter = ("outcome", "code", "agent")
    search_fields = ("=agent", "=call", "=simulation_id")
    ordering = ("simulation_id", "-tick")
    show_full_result_count = False
