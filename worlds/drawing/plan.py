"""A place's plan in text: one sign a tile, with a legend for its things and its rooms.

#  wall        W  wall with a window     %  hedge
.  floor       (space)  not part of the place
^ v < >        a door; it points into the room that it belongs to
1 2 3 …        floor as well, and says which room of the legend this is
any letter     a thing of the legend
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Spot = tuple[int, int]

WALLS, HEDGE, OUTSIDE = "#W", "%", " "
INTO = {"^": (0, -1), "v": (0, 1), "<": (-1, 0), ">": (1, 0)}
BESIDE = ((0, -1), (-1, 0), (1, 0), (0, 1))


class Room(BaseModel):
    """A room of the legend: its area's name and its floor ("" leaves the ground as it is)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    area: str
    floor: str = "boards"


class Thing(BaseModel):
    """A thing of the legend: its object's name ("" for mere decoration) and its look."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    object: str = ""
    look: str


def _thing(said: object) -> object:
    return {"object": said, "look": said} if isinstance(said, str) else said


Things = Mapping[str, Annotated[Thing, BeforeValidator(_thing)]]


class Plan(BaseModel):
    """A whole plan; `at` is its left upper tile on the map."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: str
    at: Spot
    walls: str = "plaster"
    rooms: Mapping[int, Room]
    things: Things = Field(default_factory=dict)
    plan: str

    @cached_property
    def signs(self) -> dict[Spot, str]:
        """The sign of each spot of the plan, counted from its left upper corner."""
        return {
            (x, y): sign
            for y, row in enumerate(self.plan.splitlines())
            for x, sign in enumerate(row)
            if sign != OUTSIDE
        }

    @cached_property
    def room_of(self) -> dict[Spot, Room]:
        """The room of each spot that is no wall, doors included."""
        found: dict[Spot, Room] = {}
        for spot, sign in self.signs.items():
            if sign.isdigit():
                for member in self._connected(spot):
                    found[member] = self.rooms[int(sign)]
        for spot, sign in self.signs.items():
            if sign in INTO:
                across, down = INTO[sign]
                found[spot] = found[spot[0] + across, spot[1] + down]
        return found

    def _connected(self, start: Spot) -> set[Spot]:
        closed = {*WALLS, HEDGE, *INTO}
        found, border = {start}, [start]
        while border:
            x, y = border.pop()
            for across, down in BESIDE:
                spot = (x + across, y + down)
                if spot not in found and self.signs.get(spot, HEDGE) not in closed:
                    found.add(spot)
                    border.append(spot)
        return found


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of tiles."""

    x: int
    y: int
    width: int
    height: int


def boxes_of(spots: set[Spot]) -> list[Box]:
    """Return rectangles that cover the spots without overlap, row by row."""
    left, boxes = set(spots), []
    for x, y in sorted(spots, key=lambda spot: (spot[1], spot[0])):
        if (x, y) not in left:
            continue
        width = 1
        while (x + width, y) in left:
            width += 1
        height = 1
        while all((x + step, y + height) in left for step in range(width)):
            height += 1
        boxes.append(Box(x, y, width, height))
        left -= {(x + a, y + d) for a in range(width) for d in range(height)}
    return boxes


def read_plan(path: Path, common: Things) -> Plan:
    """Return the plan in the file; its own things come before the common ones."""
    plan = Plan.model_validate(yaml.safe_load(path.read_text("utf-8")))
    return plan.model_copy(update={"things": {**common, **plan.things}})
