"""Read-only admin pages of embodiments, action requests and their outcomes."""

from django.contrib import admin

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.simulation.embodiment.models import AnswerRow, CallRow, EmbodimentRow


@admin.register(EmbodimentRow)
class EmbodimentRowAdmin(ReadOnlyAdmin):
    """Embodiments with their user, agent, ticks and reason."""

    list_display = ("number", "agent", "by", "is_visitor", "from_tick", "to_tick", "reason")
    list_filter = ("is_visitor", "agent", "by")
    search_fields = ("=agent", "=by", "=simulation_id")


@admin.register(CallRow)
class CallRowAdmin(ReadOnlyAdmin):
    """The action requests of embodiments."""

    list_display = ("event", "agent", "embodiment", "kind", "body", "by", "reason")
    list_filter = ("kind", "agent")
    search_fields = ("=agent", "=by", "=simulation_id")


@admin.register(AnswerRow)
class AnswerRowAdmin(ReadOnlyAdmin):
    """The outcomes of action requests."""

    list_display = ("call", "agent", "tick", "outcome", "code", "why")
    list_filter = ("outcome", "code", "agent")
    search_fields = ("=agent", "=call", "=simulation_id")
