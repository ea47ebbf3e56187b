"""What the stream looks like on the wire: blocks of Server-Sent Events."""

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": heartbeat\n\n"
CLOCK, STATUS, END = "clock", "status", "end"
RETRY_MILLISECONDS = 2_000
"""How long a browser waits before it comes back."""


def event_block(place: str, document: Mapping[str, Any]) -> bytes:
    """Return an event of the log: without a name, so that one listener hears all of them."""
    rendered: bytes = JSONRenderer().render(document)
    return b"id: %b\ndata: %b\n\n" % (place.encode(), rendered)


def notice_block(name: str, place: str, document: Mapping[str, Any]) -> bytes:
    """Return what the stream itself has to say; an empty place stands for none."""
    first = f"id: {place}\n" if place else ""
    rendered = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f"{first}event: {name}\ndata: {rendered}\n\n".encode()


def status_block(place: str, status: Mapping[str, Any], clock: Mapping[str, Any]) -> bytes:
    """Return what the simulation is doing, and when that is."""
    return notice_block(STATUS, place, {**status, "clock": clock})


def end_block(place: str, *, code: str, detail: str) -> bytes:
    """Return why the stream is over, and from where to follow on; the last block of all."""
    return notice_block(END, place, {"code": code, "detail": detail, "after": place or None})


def retry_block() -> bytes:
    """Return how long a browser is to wait before it comes back."""
    return f"retry: {RETRY_MILLISECONDS}\n\n".encode()
