"""The world that a simulation lives in: its tree, its map, the map's images; and all worlds."""

import mimetypes
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.base import ApiView, SimulationView
from apps.api.deprecation import replaced_by
from apps.api.fields import Choice, GameTime, Renaming
from apps.api.listing import (
    contains_text,
    cursor_keys,
    next_cursor,
    order_parameter,
    page_of,
    search_parameter,
)
from apps.api.openapi import problem, refusal
from apps.api.paging import Paged, listed, page_response, split_page
from apps.kernel.errors import NotFound
from apps.world.loading import list_worlds, map_document, world_named
from apps.world.problems import WorldBroken
from apps.world.tree import Kind, Node, WorldTree
from apps.world.world import World

MAPS_KEPT_MAX = 16
NODE_KINDS = [kind.value for kind in Kind]
MINUTES_PER_DAY = 1_440
ASSETS = "assets/"
_CACHE = "private, max-age=3600"
_CHANGED = {problem(409): refusal("The world's files have changed (`world-changed`).")}


class AssetUnknown(NotFound):
    """The map has no image of that name."""

    code: ClassVar[str] = "asset-unknown"


class OpeningHours(serializers.Serializer[Any]):
    """When a node is open; a closing time before the opening one lies in the next day."""

    opens = serializers.CharField()
    closes = serializers.CharField()


class NodeNorms(serializers.Serializer[Any]):
    """What is usual at a node."""

    hours = OpeningHours(allow_null=True)
    holds = serializers.IntegerField(allow_null=True, help_text="People at a time; null: any.")
    keepers = serializers.ListField(child=serializers.CharField())
    residents = serializers.ListField(child=serializers.CharField())


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/WorldNode"}})
class NodesBelow(serializers.Field[Any, Any, Any, Any]):
    """The nodes right below a node, each with those below it; plain already."""

    def to_representation(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return them as they are: a serializer for each would cost a tenth of a second."""
        return value


class WorldNode(serializers.Serializer[Any]):
    """The town, a place, an area or an object, with all that lies in it."""

    path = serializers.CharField(allow_blank=True, help_text="In words; empty for the town.")
    name = serializers.CharField()
    kind = Choice(choices=NODE_KINDS)
    norms = NodeNorms()
    idle_state = serializers.CharField(allow_null=True, help_text="Of an object, when unused.")
    children = NodesBelow()


class WorldSummary(Renaming):
    """A world that simulations can be founded on."""

    name = serializers.CharField(help_text="What POST /simulations calls it.")
    title = serializers.CharField()
    description = serializers.CharField()
    start = GameTime(allow_null=True, **replaced_by("start_at"))
    people = serializers.ListField(child=serializers.CharField(), **replaced_by("agents"))
    places = serializers.ListField(child=serializers.CharField())
    problem = serializers.CharField(
        allow_null=True, help_text="Why it cannot be used; null if it can."
    )
    start_at = GameTime(allow_null=True, help_text="The game time of tick 0.")
    agents = serializers.ListField(
        child=serializers.CharField(), help_text="The names of all that can live there."
    )


class WorldTreeView(SimulationView):
    """The tree of a simulation's world."""

    @extend_schema(
        operation_id="getWorld",
        summary="The world as a tree: town, places, areas, objects, with their norms",
        tags=["town"],
        responses={200: WorldNode, **_CHANGED},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the tree."""
        tree = self.reading.constants().world.tree
        return Response(WorldNode(_nested(tree, tree.root)).data)


class WorldMap(SimulationView):
    """The map of a simulation's world."""

    @extend_schema(
        operation_id="getMap",
        summary="The map in the JSON form of the Tiled editor; images as relative addresses",
        tags=["town"],
        responses={200: OpenApiTypes.OBJECT, **_CHANGED},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the map."""
        world = self.reading.constants().world
        document = drawn_map(world.directory, world.digest)
        return Response(document, headers={"Cache-Control": _CACHE})


class WorldAsset(SimulationView):
    """An image that the map is painted with."""

    @extend_schema(
        operation_id="getMapImage",
        summary="An image that the map is painted with",
        tags=["town"],
        responses={
            (200, "image/png"): OpenApiTypes.BINARY,
            # As an image of a kind that nobody knows is sent.
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            **_CHANGED,
        },
    )
    def get(self, _request: Request, file: str, **_names: str) -> HttpResponse:
        """Return the image."""
        world = self.reading.constants().world
        # Only what the map itself names can be had, whatever the address says.
        drawn = drawn_map(world.directory, world.digest)
        if f"{ASSETS}{file}" not in images_of(drawn):
            raise AssetUnknown(
                f"the map has no image {file[:120]!r}; GET …/world/map names them"
            )
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        image = (world.directory / file).read_bytes()
        return HttpResponse(image, content_type=kind, headers={"Cache-Control": _CACHE})


class WorldFilters(Paged):
    """Which worlds, in which order."""

    search = search_parameter("name, title, description")
    order = order_parameter("name", default="name")


class Worlds(ApiView):
    """The worlds that the operator has put here."""

    query = WorldFilters

    @extend_schema(
        operation_id="listWorlds",
        summary="The worlds that simulations can be founded on",
        tags=["town"],
        parameters=[WorldFilters],
        responses={200: listed(WorldSummary)},
    )
    def get(self, request: Request) -> Response:
        """List the worlds by name."""
        root = wiring.ports().worlds_root
        search, after = self.asked.get("search"), cursor_keys(self, str)
        names = page_of(
            list_worlds(root), lambda name: (name,), order=self.asked["order"], after=after
        )
        # Without a text filter only the worlds of the page are read.
        wanted = names if search is None else [n for n in names if _matches(n, root, search)]
        page, more = split_page(wanted, self.asked["limit"])
        results = WorldSummary([_summary(name, root) for name in page], many=True).data
        cursor = next_cursor(self, page[-1]) if more else None
        return page_response(request, results, next_page=cursor)


@lru_cache(maxsize=MAPS_KEPT_MAX)
def drawn_map(directory: Path, digest: str) -> Mapping[str, object]:
    """Return the map with addresses of its images that are relative to its own."""
    del digest  # Another content of the same folder is another map.
    return _with_addresses(dict(map_document(directory)))


def images_of(document: Mapping[str, object]) -> frozenset[str]:
    """Return what the map says that it is painted with."""
    painted = (*_listed(document, "tilesets"), *_listed(document, "layers"))
    return frozenset(
        image for part in painted if isinstance(image := part.get("image"), str) and image
    )


def _with_addresses(document: dict[str, object]) -> dict[str, object]:
    for group in ("tilesets", "layers"):
        document[group] = [
            {**part, "image": f"{ASSETS}{part['image']}"} if part.get("image") else part
            for part in _listed(document, group)
        ]
    return document


def _listed(document: Mapping[str, object], name: str) -> list[dict[str, object]]:
    found = document.get(name)
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def _nested(tree: WorldTree, node: Node) -> dict[str, Any]:
    hours = node.norms.hours
    return {
        "path": node.path,
        "name": node.name,
        "kind": node.kind.value,
        "norms": {
            "hours": {"opens": _clock(hours[0]), "closes": _clock(hours[1])} if hours else None,
            "holds": node.norms.holds,
            "keepers": node.norms.keepers,
            "residents": node.norms.residents,
        },
        "idle_state": node.idle_state if node.kind is Kind.OBJECT else None,
        "children": [_nested(tree, child) for child in tree.children(node.path)],
    }


def _clock(minute: int) -> str:
    if minute == MINUTES_PER_DAY:
        return "24:00"
    hours, minutes = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


def _matches(name: str, root: Path, search: str) -> bool:
    found = _summary(name, root)
    return contains_text(search, found["name"], found["title"], found["description"])


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
