"""The description of every parameter of a path, by its name."""

from typing import Any

from apps.api.http.fields import SLUG_PATTERN
from apps.api.http.game_times import TICK_MAX


def _parameter(
    description: str, example: object, kind: str, **schema: object
) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": kind, **schema},
        "example": example,
    }


def _slug(description: str) -> dict[str, Any]:
    return _parameter(description, "isabella-rodriguez", "string", pattern=f"^{SLUG_PATTERN}$")


def _uuid(description: str) -> dict[str, Any]:
    example = "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11"
    return _parameter(description, example, "string", format="uuid")


def _integer(description: str, example: int, **schema: int) -> dict[str, Any]:
    return _parameter(description, example, "integer", **schema)


PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "simulation": _uuid("The simulation's id."),
    "agent": _slug("The person's slug."),
    "command": _uuid("The command's id."),
    "interview": _uuid("The interview's id."),
    "embodiment": _integer("The embodiment's id: its number in the simulation.", 1, minimum=1),
    "number": _integer("The memory's id: its number in the person's stream.", 12, minimum=1),
    "tick": _integer("The first part of the id.", 2490, minimum=0, maximum=TICK_MAX),
    "stream": _slug('The second part of the id: a slug, "commands" or "simulation".'),
    "opener": _slug("The second part of the id: the slug of who opened it."),
    "ordinal": _integer("The third part of the id.", 0, minimum=0),
    "chain": _parameter(
        "The third part of the id.",
        "planning.day_outline",
        "string",
        pattern=r"^[a-z0-9_.]{1,80}$",
    ),
    "call": _integer("The fourth part of the id.", 0, minimum=0),
    "username": _parameter("The user's name.", "klaus", "string", maxLength=150),
    "file": _parameter("The name of an image, as the map has it.", "tileset.png", "string"),
}
