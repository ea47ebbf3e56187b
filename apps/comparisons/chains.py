"""Why the history of an agent differs: from its first difference back to the first of all.

The first difference of an agent comes from outside: its own past was the same. Its turn names
what it perceived: causes in other streams, agents and objects in view, words, visitors. The
chain goes to the first difference of the stream that is named and differs, and on from there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.comparisons.event_differences import EventDifference
from apps.eventlog.event import EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import events_of_turn

LINKS_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The first difference of a stream, and the text by which its turn names the next stream.

    `named` is "" at the end of the chain: at the first difference of all, or where the turn
    names no stream that differs.
    """

    difference: EventDifference
    named: str = ""


def chain_of(
    stream: str, differences: Mapping[str, EventDifference], simulations: Sequence[UUID]
) -> list[Link]:
    """Return the links from a stream's first difference back to the first of all."""
    links: list[Link] = []
    at: str | None = stream
    while at is not None and len(links) < LINKS_MAX:
        difference = differences[at]
        source = _source(difference, differences, simulations)
        named = "" if source is None else source[1]
        links.append(Link(difference=difference, named=named))
        at = None if source is None else source[0]
    return links


def _source(
    difference: EventDifference,
    differences: Mapping[str, EventDifference],
    simulations: Sequence[UUID],
) -> tuple[str, str] | None:
    """Return the stream that the turn of a difference rests on, and how the turn names it.

    Of several streams it is the one that differs first; one that differs no earlier than the
    turn itself cannot have caused it.
    """
    place = difference.event
    earlier = {
        stream: one.event
        for stream, one in differences.items()
        if stream != place.stream and one.event.tick <= place.tick
    }
    things = {thing: stream for stream in earlier for thing in _things(differences[stream])}
    found: dict[str, str] = {}
    for row in _turns(place, simulations):
        for text in (row.cause, *_texts(row.data)):
            stream = _stream_named(text, earlier) or things.get(text)
            if stream is not None:
                found.setdefault(stream, text)
    if not found:
        return None
    stream = min(found, key=lambda one: earlier[one])
    return stream, found[stream]


def _turns(place: EventId, simulations: Sequence[UUID]) -> Iterator[EventRow]:
    """Yield the events of the turn in both histories from the differing one on."""
    for simulation_id in simulations:
        for row in events_of_turn(simulation_id, place.stream, place.tick):
            if row.ordinal >= place.ordinal:
                yield row


def _stream_named(text: str, earlier: Mapping[str, EventId]) -> str | None:
    """Return the stream that a slug or the id of an event names, if it differs earlier."""
    stream = text.split("/")[1] if text.count("/") == 2 else text
    return stream if stream in earlier else None


def _things(difference: EventDifference) -> Iterator[str]:
    """Yield the objects that the versions of a difference use, or whose state they set."""
    for version in (difference.one, difference.other):
        thing = "" if version is None else version.data.get("object", "")
        if thing:
            yield thing


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in the data of an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)
