"""Lookups of events by id, by turn, and of their causes."""

from collections.abc import Collection, Iterable
from typing import ClassVar

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.presentation import (
    place_of,
)
from apps.eventlog.event import Event
from apps.eventlog.models import EventRow
from apps.eventlog.queries import causes_of, event_id_of_row, events_of_turn, find_event
from apps.kernel.errors import NotFound


class EventUnknown(NotFound):
    """The settled log holds no such event."""

    code: ClassVar[str] = "event-unknown"


def settled_event(context: SimulationContext, event_id: str) -> EventRow:
    """Return the event of that id.

    :raises EventUnknown: if the settled log has none.
    """
    place = place_of(event_id)
    row = None
    if place is not None and place.tick <= context.as_of_tick:
        row = find_event(context.id, place)
    if row is None:
        raise EventUnknown(f"no settled event of this simulation has the id {event_id}")
    return row


def causes_by_event(context: SimulationContext, event_ids: Iterable[str]) -> dict[str, str]:
    """Return the cause of each of the events that has one."""
    places = [place for event_id in event_ids if (place := place_of(event_id)) is not None]
    causes = causes_of(context.id, places)
    return {str(place): cause for place, cause in causes.items()}


def settled_events_of_turn(
    context: SimulationContext, stream: str, tick: int, *, types: Collection[type[Event]]
) -> Iterable[EventRow]:
    """Return the events of a stream's tick of these types, as far as it is settled."""
    if tick > context.as_of_tick:
        return ()
    return events_of_turn(context.id, stream, tick, types=types)


def find_event_by_id(context: SimulationContext, event_id: str) -> EventRow | None:
    """Return the event of that id, None if there is none."""
    place = place_of(event_id)
    return None if place is None else find_event(context.id, place)


def event_id_of(row: EventRow) -> str:
    """Return the id of an event, its place in the log."""
    return str(event_id_of_row(row))
