"""The places that an agent knows, as it last saw them (W3)."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.agents import queries as agent_queries
from apps.inspection.pages import AgentPage

SEPARATOR = ": "


class PlacesPage(AgentPage):
    """The nodes of the world that an agent knows, as an indented list."""

    template = "inspection/places.html"
    title = "Places"
    tab = "places"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them by path."""
        context = self.context
        known = agent_queries.known_places(
            context.id, self.agent_row.agent, as_of_tick=context.as_of_tick
        )
        return self.render(
            places=[
                {
                    "known": place,
                    "depth": place.node.count(SEPARATOR),
                    "name": place.node.rpartition(SEPARATOR)[2],
                }
                for place in known
            ]
        )
