"""The description of every parameter of a path, by its name."""

from typing import Any

from apps.api.http.fields import SLUG_PATTERN
from apps.api.http.game_times import TICK_MAX

_EXAMPLE_ID = "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11"

PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "simulation": {
        "description": "The simulation's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "agent": {
        "description": "The person's slug.",
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "command": {
        "description": "The command's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "interview": {
        "description": "The interview's id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "embodiment": {
        "description": "The embodiment's id: its number in the simulation.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "number": {
        "description": "The memory's id: its number in the person's stream.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 12,
    },
    "tick": {
        "description": "The first part of the id.",
        "schema": {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
        "example": 2490,
    },
    "stream": {
        "description": 'The second part of the id: a slug, "commands" or "simulation".',
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "opener": {
        "description": "The second part of the id: the slug of who opened it.",
        "schema": {"type": "string", "pattern": f"^{SLUG_PATTERN}$"},
        "example": "isabella-rodriguez",
    },
    "ordinal": {
        "description": "The third part of the id.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "chain": {
        "description": "The third part of the id.",
        "schema": {"type": "string", "pattern": r"^[a-z0-9_.]{1,80}$"},
        "example": "planning.day_outline",
    },
    "call": {
        "description": "The fourth part of the id.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "username": {
        "description": "The user's name.",
        "schema": {"type": "string", "maxLength": 150},
        "example": "klaus",
    },
    "file": {
        "description": "The name of an image, as the map has it.",
        "schema": {"type": "string"},
        "example": "tileset.png",
    },
}
