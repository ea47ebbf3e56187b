"""A loaded world: tree, map and people. It is immutable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are, slug_of
from apps.kernel.words import seed_phrases
from apps.world.paths import Paths
from apps.world.problems import AgentNotInWorld
from apps.world.tile_map import TileMap, extent
from apps.world.tree import WorldTree

AGE_MAX = 150
TRAITS_MAX = 100
TRAIT_CHARACTERS_MAX = 120
DESCRIPTION_CHARACTERS_MAX = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonHours:
    """The usual times of a person, in minutes after midnight.

    `sleep` is larger than `wake`, past 1,440 if it is after midnight.
    """

    wake: int
    sleep: int
    dinner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The profile of an agent (S1, W3).

    `home` is the path of an area, `bed` of an object, `workplace` of any node. `knows` are
    paths in the tree's order with their ancestors. The phrases of the description between
    semicolons become seed memories (U5).
    """

    name: str
    slug: str
    age: int
    traits: tuple[str, ...]
    description: str
    home: str
    bed: str
    workplace: str | None
    hours: PersonHours
    knows: tuple[str, ...]

    @property
    def seeds(self) -> tuple[str, ...]:
        """The phrases of the description, one seed memory each."""
        return seed_phrases(self.description)


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

    @property
    def names(self) -> dict[str, str]:
        """The full names of the people by slug."""
        return {person.slug: person.name for person in self.agents}

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
