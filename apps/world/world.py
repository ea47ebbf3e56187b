"""A loaded world: tree, map and people. It is immutable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are, slug_of
from apps.world.errors import AgentNotInWorld
from apps.world.geometry import extent
from apps.world.paths import Paths
from apps.world.people import Person
from apps.world.tile_map import TileMap
from apps.world.tree import WorldTree

__all__ = ["Person", "World", "widest_shared"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """A loaded world; two worlds are equal if their digests are.

    `key` is the name of its folder. `language` is the code of the
    language of prompts and memories. `digest` is a sha256 over the content of its files.
    `widest_shared` is in tiles: the largest distance between two agents that compete for the
    same room or object. `phones` is whether agents can phone each other.
    """

    key: str
    name: str
    description: str
    language: str
    start: datetime
    tree: WorldTree
    map: TileMap
    paths: Paths
    agents: tuple[Person, ...]
    digest: str
    widest_shared: int
    directory: Path
    phones: bool = False

    def person(self, name_or_slug: str) -> Person:
        """Return the person of that name or slug.

        :raises AgentNotInWorld: if there is none.
        """
        slug = slug_of(name_or_slug)
        for person in self.agents:
            if person.slug == slug:
                return person
        names = [person.name for person in self.agents]
        raise AgentNotInWorld(
            f"{self.name} has no agent {name_or_slug!r}; {names_there_are(names, name_or_slug)}"
        )

    def with_agents(self, chosen: int | Sequence[str]) -> "World":
        """Return the world with its first people only, or with those named.

        :raises AgentNotInWorld: if the world has no person of one of the names.
        :raises DomainError: for no person, or more than the world has.
        """
        if isinstance(chosen, int):
            if not 1 <= chosen <= len(self.agents):
                raise DomainError(
                    f"{self.name} has {len(self.agents)} people, not {chosen}; "
                    f"ask for 1 to {len(self.agents)}"
                )
            return replace(self, agents=self.agents[:chosen])
        if not chosen:
            raise DomainError("a world needs at least one agent; name one")
        slugs = {self.person(name).slug for name in chosen}
        return replace(
            self, agents=tuple(person for person in self.agents if person.slug in slugs)
        )


def widest_shared(tree: WorldTree, tile_map: TileMap) -> int:
    """Return the largest extent, in tiles, of what agents compete for.

    Those are the areas with a capacity, and the objects with the tiles to use them from.
    """
    rooms = (
        extent(tile_map.area_tiles(area.path))
        for area in tree.areas
        if area.norms.holds is not None
    )
    things = (
        extent((*tile_map.tiles_of(thing.path), *tile_map.use_tiles(thing.path)))
        for thing in tree.objects
    )
    return max((*rooms, *things), default=0)
