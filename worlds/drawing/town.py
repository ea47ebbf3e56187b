"""What lies between the places: the size of the map, its streets, paths and trees."""

from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field

from worlds.drawing.plan import Plan, Things, read_plan

TOWN_FILE = "town.yaml"
Four = tuple[int, int, int, int]


class Town(BaseModel):
    """The town's plan; strips are [x, y, width, height] in tiles.

    A street is four tiles wide: pavement, two lanes, pavement. Trees stand on one of
    `tree_every` tiles of free lawn; 0 plants none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
    streets: tuple[Four, ...] = ()
    paths: tuple[Four, ...] = ()
    plots: dict[str, Four] = Field(default_factory=dict)
    tree_every: int = 12
    things: Things = Field(default_factory=dict)


def read_world_snapshot(folder: Path) -> tuple[Town, list[Plan]]:
    """Return the town's plan and the plans of its places, in the order of their files."""
    town = Town.model_validate(yaml.safe_load((folder / TOWN_FILE).read_text("utf-8")))
    files = sorted(path for path in folder.glob("*.yaml") if path.name != TOWN_FILE)
    return town, [read_plan(path, town.things) for path in files]
