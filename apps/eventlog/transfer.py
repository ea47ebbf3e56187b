"""Moves whole logs: reads the rows of a log page by page, and inserts those of another one."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.django_support.keyset import pages_of
from apps.django_support.statements import carry_out
from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import Event, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.store import events_of
from apps.kernel.errors import SmallvilleError

ROWS_PER_PAGE = 1_000

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
"""


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
    carry_out(_INSERT, {"simulation": simulation_id, "events": json.dumps(rows, default=str)})
    return last


def _ensure_follows(last: EventId | None, place: EventId) -> None:
    is_next = last is not None and (last.tick, last.stream) == (place.tick, place.stream)
    expected = last.ordinal + 1 if last is not None and is_next else 0
    if (last is not None and place <= last) or place.ordinal != expected:
        raise LogOutOfOrder(f"the event {place} cannot follow {last}")
