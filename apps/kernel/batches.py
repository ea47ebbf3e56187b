"""Divides what is read or written into batches of a bounded size."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_Item = TypeVar("_Item")


def batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield the items in order in lists of `size`, the last of which may have fewer."""
    following = iter(items)
    while batch := list(islice(following, size)):
        yield batch
