"""Where two histories differ: the first event of each stream that is not the same in both."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.eventlog.event import EventId
from apps.lineage.branches import common_past
from apps.lineage.statements import history_rows

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
