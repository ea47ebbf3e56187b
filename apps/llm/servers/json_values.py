"""Reads JSON of servers whose form is not known: what has another type is empty."""

from collections.abc import Mapping
from typing import Any


def list_of(value: object) -> list[Any]:
    """Return a list as it is, and an empty one for another value."""
    return value if isinstance(value, list) else []


def object_of(value: object) -> Mapping[str, Any]:
    """Return an object as it is, and an empty one for another value."""
    return value if isinstance(value, Mapping) else {}


def objects_in(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list; none of another value."""
    return [one for one in list_of(value) if isinstance(one, Mapping)]
