"""Why the history of an agent differs: from its first difference back to the first of all.

The first difference of an agent comes from outside: its own past was the same. Its turn names
what it perceived: causes in other streams, agents and objects in view, words, visitors. The
chain goes to the first difference of the stream that is named and differs, and on from there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps import history
from apps.history import COMMANDS_STREAM, SIMULATION_STREAM, EventDifference, EventId

LINKS_MAX = 50
_OF_USERS = frozenset({COMMANDS_STREAM, SIMULATION_STREAM})

Turns = Mapping[EventId, Sequence[tuple[str, Any]]]
"""Causes and data of the events of turns, by the id of the first difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The first difference of a stream, and the text by which its turn names the next stream.

    `named` is "" at the end of the chain: at the first difference of all, or where the turn
    names no stream that differs.
    """

    difference: EventDifference
    named: str = ""


def read_turns(differences: Iterable[EventDifference], simulations: Sequence[UUID]) -> Turns:
    """Return the events of the turns of differences in both histories.

    Of a turn they are those from the differing one on.
    """
    places = {(one.event.tick, one.event.stream): one.event for one in differences}
    ticks, streams = {tick for tick, _ in places}, sorted({stream for _, stream in places})
    turns: dict[EventId, list[tuple[str, Any]]] = defaultdict(list)
    for simulation in simulations:
        rows = history.events_of(simulation, streams=streams).filter(tick__in=ticks)
        for row in rows:
            place = places.get((row.tick, row.stream))
            if place is not None and row.ordinal >= place.ordinal:
                turns[place].append((row.cause, row.data))
    return turns


def chain_of(
    stream: str, differences: Mapping[str, EventDifference], turns: Turns
) -> list[Link]:
    """Return the links from a stream's first difference back to the first of all."""
    links: list[Link] = []
    at: str | None = stream
    while at is not None and len(links) < LINKS_MAX:
        difference = differences[at]
        source = _source(difference, differences, turns)
        named = "" if source is None else source[1]
        links.append(Link(difference=difference, named=named))
        at = None if source is None else source[0]
    return links


def _source(
    difference: EventDifference,
    differences: Mapping[str, EventDifference],
    turns: Turns,
) -> tuple[str, str] | None:
    """Return the stream that the turn of a difference rests on, and how the turn names it.

    Of several streams it is the one that differs first. The events of users have no source.
    """
    place = difference.event
    if place.stream in _OF_USERS:
        return None
    earlier = {
        stream: one.event
        for stream, one in differences.items()
        if stream != place.stream and _can_cause(one.event, place)
    }
    things = {thing: stream for stream in earlier for thing in _things(differences[stream])}
    found: dict[str, str] = {}
    for cause, data in turns.get(place, ()):
        for text in (cause, *texts_in(data)):
            stream = _stream_named(text, earlier) or things.get(text)
            if stream is not None:
                found.setdefault(stream, text)
    if not found:
        return None
    stream = min(found, key=lambda one: earlier[one])
    return stream, found[stream]


def _can_cause(event: EventId, place: EventId) -> bool:
    """Return whether a turn can rest on an event of another stream.

    A turn reads agents as of the end of the tick before, and commands of its own tick.
    """
    is_read_at_once = event.stream in _OF_USERS
    return event.tick < place.tick or (is_read_at_once and event.tick == place.tick)


def _stream_named(text: str, earlier: Mapping[str, EventId]) -> str | None:
    """Return the stream that a slug or the id of an event names, if it differs earlier."""
    parts = event_parts(text)
    stream = text if parts is None else parts[1]
    return stream if stream in earlier else None


def _things(difference: EventDifference) -> Iterator[str]:
    """Yield the objects that the versions of a difference use, or whose state they set."""
    for version in (difference.one, difference.other):
        thing = "" if version is None else version.data.get("object", "")
        if thing:
            yield thing


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in the data of an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from texts_in(one)


def event_parts(text: str) -> tuple[int, str] | None:
    """Return tick and stream of the id of an event, None for another text."""
    parts = text.split("/")
    if len(parts) != 3 or not parts[0].isdecimal() or not parts[2].isdecimal():
        return None
    return int(parts[0]), parts[1]
