"""Upcasters: they convert the data of old event types when events are read.

The log is never changed: an event of an old type stays on it, `log_sha256` covers it as it is,
and each reader gets the type that replaced it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upcaster:
    """The conversion of the data of one event type to that of the type that replaced it.

    `convert` is a pure function: it reads nothing but the data, and does not change it.
    """

    old: str
    new: str
    convert: Callable[[Data], dict[str, Any]]


class UpcasterChain:
    """Upcasters by the type that they convert; a type may be replaced several times."""

    def __init__(self, upcasters: Iterable[Upcaster], known: Iterable[str]) -> None:
        """Take the upcasters, and the types that the code knows now.

        A type is converted once and is no current one, and each chain ends at a current type:
        anything else is a programming error.
        """
        self._by_old: dict[str, Upcaster] = {}
        for one in upcasters:
            assert one.old not in self._by_old, f"two upcasters convert {one.old}"
            self._by_old[one.old] = one
        current = frozenset(known)
        for old in self._by_old:
            assert old not in current, f"{old} is a current type and has an upcaster"
            assert self._end_of(old) in current, f"no current type replaces {old}"

    @property
    def old_types(self) -> tuple[str, ...]:
        """The types that are converted, sorted."""
        return tuple(sorted(self._by_old))

    def convert(self, type_name: str, data: Data) -> tuple[str, Data]:
        """Return the current type, and the data in its form; other types stay as they are."""
        while (upcaster := self._by_old.get(type_name)) is not None:
            type_name, data = upcaster.new, upcaster.convert(data)
        return type_name, data

    def _end_of(self, type_name: str) -> str:
        passed = {type_name}
        while (upcaster := self._by_old.get(type_name)) is not None:
            type_name = upcaster.new
            assert type_name not in passed, f"{type_name} is converted to itself"
            passed.add(type_name)
        return type_name
