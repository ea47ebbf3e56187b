"""The map of a simulation's world, and the images that it is painted with."""

import mimetypes
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.simulation_views import SimulationView
from apps.kernel.errors import NotFound
from apps.simulation.queries import WorldChanged
from apps.world.loading import map_document

MAPS_KEPT_MAX = 16
ASSETS = "assets/"
_CACHE = "private, max-age=3600"


class AssetUnknown(NotFound):
    """The map has no image of that name."""

    code: ClassVar[str] = "asset-unknown"


class WorldMap(SimulationView):
    """The map of a simulation's world."""

    errors: ClassVar = {"GET": (WorldChanged,)}

    @extend_schema(
        operation_id="getMap",
        summary="The map in the JSON form of the Tiled editor; images as relative addresses",
        tags=["town"],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the map."""
        world = self.context.constants().world
        document = drawn_map(world.directory, world.digest)
        return Response(document, headers={"Cache-Control": _CACHE})


class WorldAsset(SimulationView):
    """An image that the map is painted with."""

    errors: ClassVar = {"GET": (AssetUnknown, WorldChanged)}

    @extend_schema(
        operation_id="getMapImage",
        summary="An image that the map is painted with",
        tags=["town"],
        responses={
            (200, "image/png"): OpenApiTypes.BINARY,
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
        },
    )
    def get(self, _request: Request, file: str, **_names: str) -> HttpResponse:
        """Return the image."""
        world = self.context.constants().world
        # Only what the map itself names can be had, whatever the address says.
        drawn = drawn_map(world.directory, world.digest)
        if f"{ASSETS}{file}" not in images_of(drawn):
            raise AssetUnknown(
                f"the map has no image {file[:120]!r}; GET …/world/map names them"
            )
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        image = (world.directory / file).read_bytes()
        return HttpResponse(image, content_type=kind, headers={"Cache-Control": _CACHE})


@lru_cache(maxsize=MAPS_KEPT_MAX)
def drawn_map(directory: Path, digest: str) -> Mapping[str, object]:
    """Return the map with addresses of its images that are relative to its own."""
    del digest  # Another content of the same folder is another map.
    return _with_addresses(dict(map_document(directory)))


def images_of(document: Mapping[str, object]) -> frozenset[str]:
    """Return the images that the map names."""
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
