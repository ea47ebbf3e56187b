"""Reads single events of the log: by id, turn and cause, and where two histories differ."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.eventlog.event import Event, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.store import events_of
from apps.lineage.branches import common_past
from apps.lineage.statements import history_rows, statement_on

# The id of a command is a cause too, and has no event.
_CAUSES = """
WITH RECURSIVE chain AS (
    SELECT position, cause, position AS root, 0 AS depth
    FROM eventlog_eventrow
    WHERE simulation_id = %(simulation)s AND position = ANY(%(positions)s)
    UNION ALL
    SELECT event.position, event.cause, chain.root, depth + 1
    FROM chain
    CROSS JOIN LATERAL (
        SELECT CASE WHEN chain.cause ~ '^[0-9]{1,9}/[^/]+/[0-9]{1,9}$'
            THEN string_to_array(chain.cause, '/') END AS parts
    ) AS id
    JOIN eventlog_eventrow AS event ON event.simulation_id = %(simulation)s
        AND event.tick = id.parts[1]::int AND event.stream = id.parts[2]
        AND event.ordinal = id.parts[3]::int
    WHERE depth < %(limit)s
)
SELECT event.*, chain.root
FROM chain JOIN eventlog_eventrow AS event USING (position)
WHERE event.simulation_id = %(simulation)s AND depth > 0
ORDER BY chain.root, depth
"""

# The agents that events of a stream name, with the ticks; the events of a tick that name one.
AGENTS_NAMED = """
SELECT DISTINCT data ->> 'agent', tick FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick >= %(tick)s
    AND type = ANY(%(types)s)
"""
NAMING_AGENT = """
SELECT ordinal, type, data::text FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick = %(tick)s
    AND type = ANY(%(types)s) AND data ->> 'agent' = %(agent)s
ORDER BY ordinal
"""


def find_event(simulation_id: UUID, place: EventId) -> EventRow | None:
    """Return the event of the id, None if there is none."""
    return find_events(simulation_id, [place]).get(place)


def find_events(
    simulation_id: UUID, places: Collection[EventId], *, without_data: bool = False
) -> dict[EventId, EventRow]:
    """Return the events that there are of these ids."""
    if not places:
        return {}
    rows = EventRow.objects.filter(
        simulation_id=simulation_id,
        stream__in={place.stream for place in places},
        tick__in={place.tick for place in places},
        ordinal__in={place.ordinal for place in places},
    )
    rows = rows.defer("data") if without_data else rows
    found = {row.place: row for row in rows}
    return {place: found[place] for place in places if place in found}


def events_of_turn(
    simulation_id: UUID, stream: str, tick: int, *, types: Collection[type[Event]] = ()
) -> QuerySet[EventRow]:
    """Return the events of a stream at a tick in order, of all types or of those given."""
    rows = events_of(simulation_id, until_tick=tick, streams=[stream]).filter(tick=tick)
    return rows.filter(type__in=[event.type for event in types]) if types else rows


def events_of_turns(
    simulation_id: UUID,
    stream: str,
    ticks: Collection[int],
    *,
    types: Collection[type[Event]],
) -> list[EventRow]:
    """Return the events of some types of a stream in these ticks, in order."""
    if not ticks:
        return []
    rows = events_of(simulation_id, until_tick=max(ticks), streams=[stream])
    return list(rows.filter(tick__in=ticks, type__in=[event.type for event in types]))


def last_event_id(simulation_id: UUID, *, until_tick: int) -> EventId | None:
    """Return the id of the last event up to a tick, None if there is none."""
    row = events_of(simulation_id, until_tick=until_tick).reverse().first()
    return None if row is None else row.place


def causes_of(simulation_id: UUID, places: Collection[EventId]) -> dict[EventId, str]:
    """Return the causes of those events that have one."""
    found = find_events(simulation_id, places, without_data=True)
    return {place: row.cause for place, row in found.items() if row.cause}


def chains_of_causes(
    simulation_id: UUID, rows: Collection[EventRow], *, limit: int
) -> dict[int, list[EventRow]]:
    """Return for each event its cause, the cause of that event, and so on, at most `limit`.

    The keys are the positions of the events.
    """
    chains: dict[int, dict[int, EventRow]] = {row.pk: {} for row in rows}
    if not chains:
        return {}
    parameters = {"positions": list(chains), "simulation": simulation_id, "limit": limit}
    for cause in EventRow.objects.raw(statement_on(_CAUSES, simulation_id), parameters):
        root: int = cause.root  # type: ignore[attr-defined]  # of the statement
        if cause.pk != root:
            chains[root].setdefault(cause.pk, cause)
    return {root: list(chain.values()) for root, chain in chains.items()}


def list_effects(row: EventRow, *, to_tick: int, limit: int) -> list[EventRow]:
    """Return the events up to the end of a tick that name the event as their cause, in order.

    All events from that of the row on are read, so that `to_tick` bounds the time it takes.
    """
    rows = events_of(row.simulation_id, until_tick=to_tick)
    caused = rows.filter(tick__gte=row.tick, cause=row.event_id)
    return list(caused[:limit])


def list_recent_events(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int,
    stream: str = "",
    types: Collection[str] = (),
    before: EventId | None = None,
) -> QuerySet[EventRow]:
    """Return the events of the ticks [from_tick, to_tick], the latest first.

    The filters: one stream, some types, only those before an event in canonical order.
    """
    rows = EventRow.objects.filter(
        simulation_id=simulation_id, tick__gte=from_tick, tick__lte=to_tick
    )
    if stream:
        rows = rows.filter(stream=stream)
    if types:
        rows = rows.filter(type__in=types)
    if before is not None:
        earlier = Q(tick__lt=before.tick) | Q(tick=before.tick, stream__lt=before.stream)
        in_turn = Q(tick=before.tick, stream=before.stream, ordinal__lt=before.ordinal)
        rows = rows.filter(earlier | in_turn, tick__lte=before.tick)
    return rows.order_by("-tick", "-stream", "-ordinal")


_BEFORE_ALL = -1

# Model calls and times of recording are no part of an event's content (V2).
_FIRST_OF_STREAMS = """
WITH one AS (
    SELECT tick, stream, ordinal, type, data, cause FROM eventlog_eventrow
    WHERE simulation_id = %(one)s AND tick > %(common)s AND tick <= %(until)s
), other AS (
    SELECT tick, stream, ordinal, type, data, cause FROM eventlog_eventrow
    WHERE simulation_id = %(other)s AND tick > %(common)s AND tick <= %(until)s
)
SELECT DISTINCT ON (stream COLLATE "C")
    stream, tick, ordinal,
    one.type, one.data::text, one.cause, other.type, other.data::text, other.cause
FROM one FULL JOIN other USING (tick, stream, ordinal)
WHERE (one.type, one.data) IS DISTINCT FROM (other.type, other.data)
ORDER BY stream COLLATE "C", tick, ordinal
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An event of one history."""

    type: str
    data: Mapping[str, Any]
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDifference:
    """The first event of a stream that differs; a version is None where there is no event."""

    event: EventId
    one: Version | None
    other: Version | None


def first_differences(one: UUID, other: UUID, *, until_tick: int) -> dict[str, EventDifference]:
    """Return the first difference of each stream, by stream, in canonical order.

    Two events are the same if type, data, tick, stream and ordinal are, as for the hash of the
    log. Streams that do not differ up to the end of the tick are left out. The past that the
    simulations share by their lineage is not read.
    """
    common = common_past(one, other)
    values: dict[str, Any] = {"one": one, "other": other, "until": until_tick}
    values["common"] = _BEFORE_ALL if common is None else common
    rows = history_rows(_FIRST_OF_STREAMS, values, one, other)
    found = [
        EventDifference(
            event=EventId(tick, stream, ordinal),
            one=_version(*columns[:3]),
            other=_version(*columns[3:]),
        )
        for stream, tick, ordinal, *columns in rows
    ]
    return {one.event.stream: one for one in sorted(found, key=lambda found: found.event)}


def _version(type_name: str | None, data: str | None, cause: str | None) -> Version | None:
    if type_name is None or data is None:
        return None
    return Version(type=type_name, data=json.loads(data), cause=cause or "")
