"""What events name: slugs, objects and ids of events, in any field of their data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


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
