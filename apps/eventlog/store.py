"""The event store: appends events with their rows, reads them in order, moves whole logs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.django_support.keyset import pages_of
from apps.django_support.statements import rows_of
from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import Event, EventId, Recorded
from apps.eventlog.models import EventRow
from apps.eventlog.projection import Projector
from apps.kernel.errors import SmallvilleError
from apps.kernel.followed_items import followed
from apps.lineage.statements import history_rows

_READ_CHUNK = 2_000
HASHED = ("type", "data", "tick", "stream", "ordinal")

_LATEST_SINCE = """
SELECT tick FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick >= %(tick)s
ORDER BY tick DESC LIMIT 1
"""

_LAST_ORDINAL = """
SELECT max(ordinal) FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick = %(tick)s
"""

_LAST_TICKS = """
SELECT stream, (
    SELECT max(tick) FROM eventlog_eventrow
    WHERE simulation_id = %(simulation)s AND stream = listed.stream
)
FROM unnest(%(streams)s::text[]) AS listed(stream)
"""

_INSERT = """
INSERT INTO eventlog_eventrow (
    simulation_id, tick, stream, ordinal, type, data, cause, model_calls, recorded_at
)
SELECT %(simulation)s, tick, stream, ordinal, type, data, cause, model_calls, recorded_at
FROM jsonb_to_recordset(%(events)s) AS new(
    tick int, stream text, ordinal int, type text, data jsonb, cause text, model_calls jsonb,
    recorded_at timestamptz
)
ORDER BY tick, stream COLLATE "C", ordinal
RETURNING ordinal, position
"""


class AlreadyWritten(SmallvilleError):
    """The stream already has events of this tick: the turn was taken before."""


class StreamPassed(SmallvilleError):
    """The stream already has events of a later tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to append, the id of the event that caused it, and its model calls."""

    event: Event
    cause: str = ""
    model_calls: tuple[str, ...] = ()


class EventStore:
    """Appends to the log and reads it; no other code writes events."""

    def __init__(self, registry: EventRegistry, projector: Projector) -> None:
        """Take the closed list of event types, and the projections written with them."""
        self.registry = registry
        self.projector = projector

    def append(
        self,
        *,
        simulation_id: UUID,
        tick: int,
        stream: str,
        events: Sequence[NewEvent],
        allow_same_tick: bool = False,
    ) -> list[Recorded]:
        """Append one stream's events of one tick, and their rows, all or nothing.

        Joins the caller's transaction if there is one. With `allow_same_tick`, the stream may
        already have events of the same tick or of later ones, as the stream of commands does,
        since the clocks of agents differ. The stream of an agent never does.

        :raises AlreadyWritten: if the stream has events at this tick; nothing is written.
        :raises StreamPassed: if the stream has events at a later tick; nothing is written.
        """
        with transaction.atomic(savepoint=False):
            acquire_append_lock(simulation_id)
            first = self._first_ordinal(
                simulation_id, tick, stream, allow_same_tick=allow_same_tick
            )
            assert events, "a turn writes at least one event, by which it is found"
            places = [
                EventId(tick, stream, ordinal) for ordinal in range(first, first + len(events))
            ]
            written = self._insert(simulation_id, dict(zip(places, events, strict=True)))
            for recorded in written:
                self.projector.apply(recorded)
        return written

    def read(
        self,
        simulation_id: UUID,
        *,
        after: EventId | None = None,
        until_tick: int | None = None,
        streams: Sequence[str] = (),
        is_own: bool = False,
    ) -> Iterator[Recorded]:
        """Yield the simulation's events in canonical order: tick, stream, ordinal.

        Those of a branch begin with the past that it shares, unless `is_own`.
        """
        rows = events_of(
            simulation_id, after=after, until_tick=until_tick, streams=streams, is_own=is_own
        )
        for row in followed(rows.iterator(chunk_size=_READ_CHUNK), "event"):
            yield _recorded(row, self.registry.decode(row.type, row.data))

    def _insert(
        self, simulation_id: UUID, events: Mapping[EventId, NewEvent]
    ) -> list[Recorded]:
        """Write the rows of the log in one statement."""
        now = timezone.now()
        rows = [
            {
                "tick": place.tick,
                "stream": place.stream,
                "ordinal": place.ordinal,
                "type": new.event.type,
                "data": self.registry.encode(new.event),
                "cause": new.cause,
                "model_calls": new.model_calls,
                "recorded_at": now.isoformat(),
            }
            for place, new in events.items()
        ]
        values = {"simulation": simulation_id, "events": json.dumps(rows)}
        positions = dict(rows_of(_INSERT, values))
        return [
            Recorded(
                simulation_id=simulation_id,
                place=place,
                event=new.event,
                cause=new.cause,
                model_calls=new.model_calls,
                position=positions[place.ordinal],
                recorded_at=now,
            )
            for place, new in events.items()
        ]

    @staticmethod
    def _first_ordinal(
        simulation_id: UUID, tick: int, stream: str, *, allow_same_tick: bool
    ) -> int:
        """Return the ordinal of the first new event, and check that the tick is not past."""
        values = {"simulation": simulation_id, "stream": stream, "tick": tick}
        if allow_same_tick:
            [(last,)] = history_rows(_LAST_ORDINAL, values, simulation_id)
            return 0 if last is None else int(last) + 1
        latest = history_rows(_LATEST_SINCE, values, simulation_id)
        if not latest:
            return 0
        [(last_tick,)] = latest
        if last_tick > tick:
            raise StreamPassed(f"{stream} has come to tick {last_tick}; tick {tick} is past")
        raise AlreadyWritten(f"{stream} has events at tick {tick} already")


def acquire_append_lock(simulation_id: UUID) -> None:
    """Lock the log of the simulation for appends until the end of the transaction.

    A sequence numbers rows when they are inserted, not when they are committed: without the
    lock, a reader by position could pass a number whose row becomes visible later.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_lock_key(simulation_id)])


def events_of(
    simulation_id: UUID,
    *,
    after: EventId | None = None,
    until_tick: int | None = None,
    streams: Sequence[str] = (),
    is_own: bool = False,
) -> QuerySet[EventRow]:
    """Return the rows of the log in canonical order, those after an event if one is given."""
    every = EventRow.objects.own() if is_own else EventRow.objects.get_queryset()
    rows: QuerySet[EventRow] = every.filter(simulation_id=simulation_id)
    if after is not None:
        rows = rows.annotate(
            is_after=RawSQL(
                '(tick, stream, ordinal) > (%s, %s COLLATE "C", %s)',
                [after.tick, after.stream, after.ordinal],
            )
        ).filter(is_after=True, tick__gte=after.tick)
    if until_tick is not None:
        rows = rows.filter(tick__lte=until_tick)
    if streams:
        rows = rows.filter(stream__in=streams)
    return rows.order_by("tick", "stream", "ordinal")


def last_ticks(simulation_id: UUID, streams: Sequence[str]) -> dict[str, int]:
    """Return the tick of each stream's latest event."""
    values = {"simulation": simulation_id, "streams": list(streams)}
    return dict(history_rows(_LAST_TICKS, values, simulation_id))


class LogHash:
    """The hash of events that are added one by one, in canonical order."""

    def __init__(self) -> None:
        self._digest = sha256()

    def add(self, values: tuple[Any, ...]) -> None:
        """Add an event by its values of `HASHED`, in this order."""
        line = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        self._digest.update(line.encode())
        self._digest.update(b"\n")

    def hexdigest(self) -> str:
        """Return the hash of the events so far."""
        return self._digest.hexdigest()


def log_sha256(simulation_id: UUID, *, until_tick: int | None = None) -> str:
    """Return the hash of all events: type, data, tick, stream, ordinal, in order (V2).

    It does not depend on the simulation's id and name, on positions and on wall times.
    """
    found = LogHash()
    rows = events_of(simulation_id, until_tick=until_tick).values_list(*HASHED)
    for row in rows.iterator(chunk_size=_READ_CHUNK):
        found.add(row)
    return found.hexdigest()


def _lock_key(simulation_id: UUID) -> int:
    return int.from_bytes(simulation_id.bytes[:8], "big", signed=True)


def _recorded(row: EventRow, event: Event) -> Recorded:
    return Recorded(
        simulation_id=row.simulation_id,
        place=EventId(row.tick, row.stream, row.ordinal),
        event=event,
        cause=row.cause,
        model_calls=tuple(row.model_calls),
        position=row.position,
        recorded_at=row.recorded_at,
    )


ROWS_PER_PAGE = 1_000


class LogOutOfOrder(SmallvilleError):
    """The events are not in canonical order, or the ordinals of a turn have a gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedEvent:
    """An event as the log of another installation has it; `data` are plain values."""

    tick: int
    stream: str
    ordinal: int
    type: str
    data: dict[str, Any]
    cause: str
    model_calls: list[str]
    recorded_at: datetime

    @property
    def place(self) -> EventId:
        """The id of the event."""
        return EventId(self.tick, self.stream, self.ordinal)


def pages_of_log(simulation_id: UUID, *, until_tick: int) -> Iterator[list[EventRow]]:
    """Yield the events of the ticks up to this one in canonical order, page by page.

    No cursor or connection is held between pages; committed ticks do not change.
    """
    yield from pages_of(events_of(simulation_id, until_tick=until_tick), ROWS_PER_PAGE)


def insert_events(
    registry: EventRegistry,
    simulation_id: UUID,
    events: Sequence[LoggedEvent],
    *,
    after: EventId | None,
    note: Callable[[EventId, Event], None],
) -> EventId | None:
    """Insert events of another log as they are, and return the id of the last one.

    The rows of projections are not written; a rebuild writes them.

    :param after: the last event that was inserted before.
    :param note: is called with each event and its place.
    :raises UnknownEventType: if a type is not on the list of this version.
    :raises UnreadableEvent: if the data of an event does not fit its type.
    :raises LogOutOfOrder: if they are not in canonical order.
    """
    last = after
    for event in events:
        _ensure_follows(last, event.place)
        note(event.place, registry.decode(event.type, event.data))
        last = event.place
    rows = [{name: getattr(event, name) for name in LoggedEvent.__slots__} for event in events]
    rows_of(_INSERT, {"simulation": simulation_id, "events": json.dumps(rows, default=str)})
    return last


def _ensure_follows(last: EventId | None, place: EventId) -> None:
    is_next = last is not None and (last.tick, last.stream) == (place.tick, place.stream)
    expected = last.ordinal + 1 if last is not None and is_next else 0
    if (last is not None and place <= last) or place.ordinal != expected:
        raise LogOutOfOrder(f"the event {place} cannot follow {last}")
