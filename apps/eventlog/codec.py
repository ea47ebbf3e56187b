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


class UnknownEventType(SmallvilleError):
    """The log has an event of a type that this version of the code does not know."""


class UnreadableEvent(SmallvilleError):
    """The log has an event whose data does not fit its type."""


class EventRegistry:
    """The event types by their names in the log."""

    def __init__(
        self, types: Iterable[type[Event]], upcasters: Iterable[Upcaster] = ()
    ) -> None:
        """Take the closed list of types, each with a name of its own, and the upcasters.

        A type may be replaced several times; the upcaster of the latest version comes first.
        """
        self._adapters: dict[str, TypeAdapter[Event]] = {}
        for event_type in types:
            assert event_type.type not in self._adapters, f"two types named {event_type.type}"
            self._adapters[event_type.type] = TypeAdapter(event_type)
        self._upcasters: dict[str, Upcaster] = {}
        for one in upcasters:
            known = self._adapters.keys() | self._upcasters.keys()
            assert one.new in known, f"no known type replaces {one.old}"
            assert one.old not in known, f"{one.old} is known already"
            self._upcasters[one.old] = one

    @property
    def type_names(self) -> tuple[str, ...]:
        """The types that the log may hold, old ones too, sorted."""
        return tuple(sorted((*self._adapters, *self._upcasters)))

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
            current = type_name
            while (upcaster := self._upcasters.get(current)) is not None:
                current, data = upcaster.new, upcaster.convert(data)
            return self._adapter(current).validate_python(data)
        except (ValidationError, KeyError, TypeError, ValueError) as error:
            raise UnreadableEvent(f"{type_name}: {error}") from error

    def _adapter(self, type_name: str) -> TypeAdapter[Event]:
        try:
            return self._adapters[type_name]
        except KeyError:
            raise UnknownEventType(
                f"no event type {type_name!r} is known; run the version that wrote it"
            ) from None
