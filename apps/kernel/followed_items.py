"""Lets long work say how far it is to the command that waits for it, if one does."""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, TypeVar

Item = TypeVar("Item")
Follow = Callable[[Iterable[Any], str, int | None], Iterable[Any]]

follower: ContextVar[Follow | None] = ContextVar("follower", default=None)
"""Set by a command: takes items, their noun and their number, and yields the items."""


def followed(items: Iterable[Item], noun: str, total: int | None = None) -> Iterable[Item]:
    """Return the items, each of which counts as progress for the command that waits."""
    follow = follower.get()
    return items if follow is None else follow(items, noun, total)
