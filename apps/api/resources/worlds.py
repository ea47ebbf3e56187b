"""The worlds of simulations: their catalogue, the tree of one, its map and images."""

import mimetypes
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Choice, GameTime, Serializer, Strict, plain_list_of
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import operation
from apps.kernel.errors import NotFound
from apps.kernel.game_moments import clock_of
from apps.simulation.queries import WorldChanged
from apps.world.loading import map_document, world_named
from apps.world.problems import WorldBroken
from apps.world.tiled import read_image
from apps.world.tree import Node, NodeKind, WorldTree

MAPS_KEPT_MAX = 16
ASSETS = "assets/"
_CACHE = "private, max-age=3600"


class WorldSummary(Serializer):
    """A world that simulations can be created in."""

    name = serializers.CharField(help_text="`world` of POST /simulations.")
    title = serializers.CharField()
    description = serializers.CharField()
    places = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField(
        allow_null=True, help_text="The code of the language of prompts and memories."
    )
    problem = serializers.CharField(
        allow_null=True, help_text="The reason that it cannot be used; null if it can."
    )
    start_at = GameTime(allow_null=True, help_text="The game time of tick 0.")
    agents = serializers.ListField(
        child=serializers.CharField(), help_text="The names of its agents."
    )
    phones = serializers.BooleanField(help_text="Whether agents can phone each other.")


class WorldName(NamedTuple):
    """The name of a world."""

    name: str


class Worlds(ListView):
    """The worlds of this service."""

    query = list_parameters("name, title, description", "name")

    @operation("listWorlds", "/worlds", "town", page_of_items(WorldSummary))
    def get(self, request: Request) -> Any:
        """List the worlds that simulations can be created in, by name."""
        names = wiring.ports().worlds.names
        if "search" in self.parameters:  # without it, only the worlds of the page are read
            names = tuple(name for name in names if self._is_found(name))
        return self.page(
            [WorldName(name) for name in names],
            WorldSummary,
            prepare=lambda page: [_summary(world.name) for world in page],
            name=("name",),
        )

    def _is_found(self, name: str) -> bool:
        found = _summary(name)
        return self.contains_search(name, found["title"], found["description"])


class OpeningHours(Serializer):
    """Opening hours; a closing time before the opening one is in the next day."""

    opens = serializers.CharField()
    closes = serializers.CharField()


class NodeNorms(Serializer):
    """The norms of a node."""

    hours = OpeningHours(allow_null=True)
    holds = serializers.IntegerField(allow_null=True, help_text="Agents at a time; null: any.")
    keepers = serializers.ListField(child=serializers.CharField())
    residents = serializers.ListField(child=serializers.CharField())
    private = serializers.BooleanField(
        help_text="Of an area: other residents of the place have no right to enter."
    )


class WorldNode(Serializer):
    """A node of the world: the world itself, a place, an area or an object."""

    path = serializers.CharField(allow_blank=True, help_text="Empty for the world itself.")
    name = serializers.CharField()
    kind = Choice(choices=NodeKind)
    norms = NodeNorms()
    idle_state = serializers.CharField(allow_null=True, help_text="Of an object, when unused.")
    children = plain_list_of("WorldNode")


class WorldTreeView(SimulationView):
    """The tree of a simulation's world."""

    @operation("getWorld", "/world", "town", WorldNode, errors=(WorldChanged,))
    def get(self, request: Request, **_names: str) -> Response:
        """Show the world as a tree: places, areas, objects, with their norms."""
        tree = self.context.constants().world.tree
        return Response(self.represent(WorldNode, _nested(tree, tree.root)))


class AssetUnknown(NotFound):
    """The map has no image of that name."""


class WorldMap(SimulationView):
    """The map of a simulation's world."""

    query = Strict

    @operation("getMap", "/world/map", "town", OpenApiTypes.OBJECT, errors=(WorldChanged,))
    def get(self, request: Request, **_names: str) -> Response:
        """Show the map in the format of the Tiled editor; images are relative addresses."""
        world = self.context.constants().world
        document = drawn_map(world.directory, world.digest)
        return Response(document, headers={"Cache-Control": _CACHE})


class WorldAsset(SimulationView):
    """An image of the map."""

    query = Strict

    @operation(
        "getMapImage",
        "/world/assets/{file}",
        "town",
        {
            (200, "image/png"): OpenApiTypes.BINARY,
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
        },
        errors=(AssetUnknown, WorldChanged),
    )
    def get(self, request: Request, file: str, **_names: str) -> HttpResponse:
        """Return an image that the map is painted with."""
        world = self.context.constants().world
        # Only images that the map names are sent, whatever the address says.
        if f"{ASSETS}{file}" not in images_of(drawn_map(world.directory, world.digest)):
            raise AssetUnknown(
                f"the map has no image {file[:120]!r}; GET …/world/map names them"
            )
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        is_there = (world.directory / file).is_file()
        image = read_image(world.directory, file) if is_there else None
        if image is None:
            raise AssetUnknown(f"the image {file[:120]!r} is gone, or too large to be sent")
        return HttpResponse(image, content_type=kind, headers={"Cache-Control": _CACHE})


def _summary(name: str) -> dict[str, Any]:
    """Return the values of `WorldSummary`."""
    values: dict[str, Any] = {"name": name, "problem": None}
    try:
        world = world_named(name, wiring.ports().worlds)
    except WorldBroken as broken:
        nothing = {
            "title": name,
            "description": "",
            "start_at": None,
            "agents": (),
            "places": (),
            "phones": False,
            "language": None,
        }
        return values | nothing | {"problem": broken.message}
    return values | {
        "title": world.name,
        "description": world.description,
        "start_at": world.start,
        "agents": [person.name for person in world.agents],
        "places": [place.path for place in world.tree.places],
        "phones": world.phones,
        "language": world.language,
    }


def _nested(tree: WorldTree, node: Node) -> dict[str, Any]:
    hours = node.norms.hours
    return {
        "path": node.path,
        "name": node.name,
        "kind": node.kind.value,
        "norms": {
            "hours": hours and {"opens": clock_of(hours[0]), "closes": clock_of(hours[1])},
            "holds": node.norms.holds,
            "keepers": node.norms.keepers,
            "residents": node.norms.residents,
            "private": node.norms.private,
        },
        "idle_state": node.idle_state if node.kind is NodeKind.OBJECT else None,
        "children": [_nested(tree, child) for child in tree.children(node.path)],
    }


@lru_cache(maxsize=MAPS_KEPT_MAX)
def drawn_map(directory: Path, digest: str) -> Mapping[str, object]:
    """Return the map with addresses of its images that are relative to its own."""
    del digest  # Another content of the same folder is another map.
    document = dict(map_document(directory))
    for group in ("tilesets", "layers"):
        document[group] = [
            {**part, "image": f"{ASSETS}{part['image']}"} if part.get("image") else part
            for part in _parts(document, group)
        ]
    return document


def images_of(document: Mapping[str, object]) -> frozenset[str]:
    """Return the images that the map names."""
    parts = (*_parts(document, "tilesets"), *_parts(document, "layers"))
    return frozenset(
        image for part in parts if isinstance(image := part.get("image"), str) and image
    )


def _parts(document: Mapping[str, object], name: str) -> list[dict[str, object]]:
    found = document.get(name)
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []
