"""Reflections in the admin, read-only, with the trees of their insights (A4)."""

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.reflection.models import ReflectionRow
from apps.reflection.trees import TreeNode, trees


@admin.register(ReflectionRow)
class ReflectionRowAdmin(ReadOnlyAdmin):
    """Reflections with their questions and insights."""

    list_display = ("agent", "tick", "kind", "importance", "first_question", "insight_count")
    list_filter = ("kind", "agent")
    search_fields = ("=agent", "=simulation_id", "questions", "insights")
    readonly_fields = ("tree",)

    @admin.display(description="first question")
    def first_question(self, row: ReflectionRow) -> str:
        """Return the first question."""
        return str(row.questions[0]) if row.questions else ""

    @admin.display(description="insights")
    def insight_count(self, row: ReflectionRow) -> int:
        """Return the number of insights."""
        return len(row.insights)

    @admin.display(description="reflection tree")
    def tree(self, row: ReflectionRow) -> SafeString:
        """Return the trees of the insights, as nested lists."""
        roots = [insight["memory"] for insight in row.insights]
        return _listed(trees(row.simulation_id, row.agent, as_of_tick=row.tick, roots=roots))


def _listed(nodes: tuple[TreeNode, ...]) -> SafeString:
    if not nodes:
        return SafeString("")
    items = format_html_join(
        "",
        "<li>{} ({} {}, importance {}){}</li>",
        (
            (row.description, row.kind, row.number, row.importance, _listed(node.rests_on))
            for node in nodes
            for row in (node.memory,)
        ),
    )
    return format_html("<ul>{}</ul>", items)
