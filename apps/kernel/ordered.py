"""A mapping whose iteration order is that of its keys, whatever the order of insertion."""

from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    ValuesView,
)
from typing import Any, TypeVar, overload

K = TypeVar("K", str, int)
V = TypeVar("V")
D = TypeVar("D")


class OrderedByKey(MutableMapping[K, V]):
    """Maps keys to values and iterates in the order of the keys.

    Mappings with equal items iterate alike, so that a computation over them does not depend on
    the order of insertion (ADR 19). Lookup and replacement of a value cost as much as in a
    dict; a new key costs a sort unless it is the largest.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._items: dict[K, V] = _sorted(dict(items))

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __setitem__(self, key: K, value: V) -> None:
        in_place = key in self._items or not self._items or key > next(reversed(self._items))
        self._items[key] = value
        if not in_place:
            self._items = _sorted(self._items)

    def __delitem__(self, key: K) -> None:
        del self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._items!r})"

    # A dict's own are faster than those of Mapping, and the lookahead asks often.

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D, /) -> V | D: ...
    def get(self, key: K, default: Any = None, /) -> Any:
        """Return the value of the key, or the default."""
        return self._items.get(key, default)

    def keys(self) -> KeysView[K]:
        """Return the keys in order."""
        return self._items.keys()

    def values(self) -> ValuesView[V]:
        """Return the values in the order of their keys."""
        return self._items.values()

    def items(self) -> ItemsView[K, V]:
        """Return the items in the order of their keys."""
        return self._items.items()


def _sorted(items: dict[K, V]) -> dict[K, V]:
    return {key: items[key] for key in sorted(items)}
