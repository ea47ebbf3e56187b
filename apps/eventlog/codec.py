"""Encodes events as JSON and decodes them: the closed list of types of the log.

The log is never changed: an event of an old type stays on it, `log_sha256` covers it as it is,
and an upcaster converts it when it is read to the type that replaced it (ADR 65).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from apps.eventlog.event import Event
from apps.kernel.errors import SmallvilleError

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


class UnknownEventType(SmallvilleError):
    """The log has an event of a type that this version of the code does not know."""


class UnreadableEvent(SmallvilleError):
    """The log has an event whose data does not fit its type."""


class EventRegistry:
    """The event types by their names in the log."""

    def __init__(
        self, types: Iterable[type[Event]], upcasters: Iterable[Upcaster] = ()
    ) -> None:
        """Take the closed list of types, each with a name of its own, and the upcasters."""
        self._adapters: dict[str, TypeAdapter[Event]] = {}
        for event_type in types:
            assert event_type.type not in self._adapters, f"two types named {event_type.type}"
            self._adapters[event_type.type] = TypeAdapter(event_type)
        self._upcasters = UpcasterChain(upcasters, self._adapters)

    @property
    def type_names(self) -> tuple[str, ...]:
        """The types that the log may hold, old ones too, sorted."""
        return tuple(sorted((*self._adapters, *self._upcasters.old_types)))

    def encode(self, event: Event) -> dict[str, Any]:
        """Return the event's data as plain JSON values.

        :raises UnknownEventType: if the type is not on the list.
        """
        data: dict[str, Any] = self._adapter(event.type).dump_python(event, mode="json")
        return data

    def decode(self, type_name: str, data: Mapping[str, Any]) -> Event:
        """Return the event of the data; an event of an old type is converted.

        :raises UnknownEventType: if the type is not on the list.
        :raises UnreadableEvent: if the data does not fit the type.
        """
        try:
            current, converted = self._upcasters.convert(type_name, data)
            return self._adapter(current).validate_python(converted)
        except (ValidationError, KeyError, TypeError, ValueError) as error:
            raise UnreadableEvent(f"{type_name}: {error}") from error

    def _adapter(self, type_name: str) -> TypeAdapter[Event]:
        try:
            return self._adapters[type_name]
        except KeyError:
            raise UnknownEventType(
                f"no event type {type_name!r} is known; run the version that wrote it"
            ) from None
