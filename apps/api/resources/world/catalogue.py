"""The worlds that simulations can be created in."""

from datetime import datetime
from pathlib import Path
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http import listing
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import GameTime, Renaming
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.views import ApiView
from apps.world.loading import list_worlds, world_named
from apps.world.problems import WorldBroken
from apps.world.world import World


class WorldSummary(Renaming):
    """A world that simulations can be founded on."""

    name = serializers.CharField(help_text="What POST /simulations calls it.")
    title = serializers.CharField()
    description = serializers.CharField()
    start = GameTime(allow_null=True, **deprecated_name_of("start_at"))
    people = serializers.ListField(
        child=serializers.CharField(), **deprecated_name_of("agents")
    )
    places = serializers.ListField(child=serializers.CharField())
    problem = serializers.CharField(
        allow_null=True, help_text="Why it cannot be used; null if it can."
    )
    start_at = GameTime(allow_null=True, help_text="The game time of tick 0.")
    agents = serializers.ListField(
        child=serializers.CharField(), help_text="The names of all that can live there."
    )


class WorldFilters(Paged):
    """Which worlds, in which order."""

    search = listing.search_parameter("name, title, description")
    order = listing.order_parameter("name", default="name")


class Worlds(ApiView):
    """The worlds that the operator has put here."""

    query = WorldFilters

    @extend_schema(
        operation_id="listWorlds",
        summary="The worlds that simulations can be founded on",
        tags=["town"],
        responses={200: page_of_items(WorldSummary)},
    )
    def get(self, request: Request) -> Response:
        """List the worlds by name."""
        root = wiring.ports().worlds_root
        search, after = self.parameters.get("search"), listing.cursor_keys(self, str)
        names = listing.page_of(
            list_worlds(root), lambda name: (name,), order=self.parameters["order"], after=after
        )
        # Without a text filter only the worlds of the page are read.
        wanted = names if search is None else [n for n in names if _matches(n, root, search)]
        page, more = split_page(wanted, self.parameters["limit"])
        results = WorldSummary([_summary(name, root) for name in page], many=True).data
        cursor = listing.next_cursor(self, page[-1]) if more else None
        return page_response(request, results, next_page=cursor)


def _matches(name: str, root: Path, search: str) -> bool:
    found = _summary(name, root)
    return listing.contains_text(search, found["name"], found["title"], found["description"])


def _summary(name: str, root: Path) -> dict[str, Any]:
    try:
        return _told(world_named(name, root))
    except WorldBroken as broken:
        return {
            "name": name,
            "title": name,
            "description": "",
            "start_at": None,
            "agents": (),
            "places": (),
            "problem": broken.message,
        }


def _told(world: World) -> dict[str, Any]:
    start: datetime = world.start
    return {
        "name": world.key,
        "title": world.name,
        "description": world.description,
        "start_at": start,
        "agents": [person.name for person in world.people],
        "places": [place.path for place in world.tree.places],
        "problem": None,
    }
