"""Encodes events as JSON and decodes them: the closed list of types of the log."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from apps.eventlog.event import Event
from apps.eventlog.upcasting import Upcaster, UpcasterChain
from apps.kernel.errors import SmallvilleError


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
