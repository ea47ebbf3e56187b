"""The blocks of a stream: Server-Sent Events."""

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": heartbeat\n\n"
CLOCK, STATUS, END = "clock", "status", "end"
RETRY_MILLISECONDS = 2_000
"""The time after which a browser reconnects."""


def event_block(place: str, document: Mapping[str, Any]) -> bytes:
    """Return the block of an event; without a name, so that one listener gets all."""
    rendered: bytes = JSONRenderer().render(document)
    return b"id: %b\ndata: %b\n\n" % (place.encode(), rendered)


def notice_block(name: str, place: str, document: Mapping[str, Any]) -> bytes:
    """Return a block of the stream itself; an empty place stands for none."""
    first = f"id: {place}\n" if place else ""
    rendered = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f"{first}event: {name}\ndata: {rendered}\n\n".encode()


def status_block(place: str, status: Mapping[str, Any], clock: Mapping[str, Any]) -> bytes:
    """Return the block with the status and the clock of the simulation."""
    return notice_block(STATUS, place, {**status, "clock": clock})


def end_block(place: str, *, code: str, detail: str) -> bytes:
    """Return the last block: the reason of the end, and the id to continue from."""
    return notice_block(END, place, {"code": code, "detail": detail, "after": place or None})


def retry_block() -> bytes:
    """Return the block with the time after which a browser reconnects."""
    return f"retry: {RETRY_MILLISECONDS}\n\n".encode()
