"""The reflections of an agent as trees that unfold to observations (R3)."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from apps import history
from apps.inspection.pages import AgentPage
from apps.reflection.queries import trees

TREES_SHOWN = 30
REFLECTIONS_SHOWN = 30


class ReflectionsPage(AgentPage):
    """The latest insights that no other insight rests on, and the latest reflections."""

    template = "inspection/reflections.html"
    title = "Reflections"
    tab = "reflections"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show them."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        reflections = history.list_reflections(context.id, slug, as_of_tick=tick)
        return self.render(
            trees=trees(context.id, slug, as_of_tick=tick, limit=TREES_SHOWN),
            reflections=list(reflections.order_by("-tick", "kind")[:REFLECTIONS_SHOWN]),
        )
