"""Reads single events of the log: by id, by turn, by their causes."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from apps.eventlog.event import Event, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.store import events_of


def event_id_of_row(row: EventRow) -> EventId:
    """Return the id of the event."""
    return EventId(row.tick, row.stream, row.ordinal)


def find_event(simulation_id: UUID, place: EventId) -> EventRow | None:
    """Return the event of the id, None if there is none."""
    return EventRow.objects.filter(
        simulation_id=simulation_id, tick=place.tick, stream=place.stream, ordinal=place.ordinal
    ).first()


def events_of_turn(
    simulation_id: UUID, stream: str, tick: int, *, types: Collection[type[Event]] = ()
) -> QuerySet[EventRow]:
    """Return the events of a stream at a tick in order, of all types or of those given."""
    rows = events_of(simulation_id, until_tick=tick, streams=[stream]).filter(tick=tick)
    return rows.filter(type__in=[event.type for event in types]) if types else rows


def last_event_id(simulation_id: UUID, *, until_tick: int) -> EventId | None:
    """Return the id of the last event up to a tick, None if there is none."""
    row = events_of(simulation_id, until_tick=until_tick).reverse().first()
    return None if row is None else event_id_of_row(row)


def causes_of(simulation_id: UUID, places: Collection[EventId]) -> dict[EventId, str]:
    """Return the causes of those events that have one."""
    rows = EventRow.objects.filter(
        simulation_id=simulation_id,
        stream__in={place.stream for place in places},
        tick__in={place.tick for place in places},
    ).exclude(cause="")
    found = {event_id_of_row(row): row.cause for row in rows.defer("data")}
    return {place: found[place] for place in places if place in found}
