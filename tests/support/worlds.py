"""Smallville and the world of two rooms, loaded once in a process."""

from functools import cache
from pathlib import Path

from apps.world.loading import load_world
from apps.world.world import World

TESTS = Path(__file__).parents[1]


@cache
def smallville() -> World:
    """Return Smallville."""
    return load_world(TESTS.parent / "worlds" / "smallville")


@cache
def two_rooms() -> World:
    """Return Mill Cottage with its two rooms."""
    return load_world(TESTS / "worlds" / "two_rooms")
