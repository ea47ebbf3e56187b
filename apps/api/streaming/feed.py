"""The feed of a simulation: reads committed events once and publishes them to subscribers.

Ticks are published whole and in order. Nothing is awaited between the check that a subscriber
has reached the tick of the feed and its admission, so no event is lost or sent twice there.
"""

import asyncio
import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, ClassVar, Protocol

import structlog
from rest_framework.renderers import JSONRenderer

from apps.api.http.long_responses import ResponseEnd
from apps.eventlog.event import EventId
from apps.kernel.errors import SmallvilleError

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": heartbeat\n\n"
CLOCK, STATUS, END = "clock", "status", "end"
RETRY_MILLISECONDS = 2_000
"""The time after which a browser reconnects."""
NOTHING_PUBLISHED = -1
"""The tick of a simulation of which nothing is committed."""
EVENTS_AT_ONCE = 500
RECENT_MAX = 2_000
"""How many of the latest events a feed keeps, for clients that reconnect."""

logger = structlog.get_logger(__name__)


class SourceUnavailable(SmallvilleError):
    """The log cannot be read at the moment."""

    code: ClassVar[str] = "source-away"


@dataclass(frozen=True, slots=True, kw_only=True)
class WireEvent:
    """An event of the log as it goes over the wire."""

    place: EventId
    type: str
    block: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """The types and the stream of the events of a subscription; None for all."""

    types: frozenset[str] | None = None
    stream: str | None = None

    def matches(self, event: WireEvent) -> bool:
        """Return whether the event passes."""
        if self.types is not None and event.type not in self.types:
            return False
        return self.stream is None or event.place.stream == self.stream


ALL_EVENTS = EventFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of a simulation: `tick` is the last one that may be published.

    `last` is the place of the last event until then; `status` is status, pace and end as JSON.
    """

    tick: int
    last: EventId | None
    status: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """All events after the previous batch, up to `tick`; `last` as in Snapshot."""

    events: tuple[WireEvent, ...]
    tick: int
    last: EventId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange:
    """The status of the simulation has changed."""

    status: Mapping[str, Any]


Update = Batch | StatusChange | ResponseEnd


class EventSource(Protocol):
    """Reads a simulation. Both coroutines may raise SourceUnavailable."""

    async def snapshot(self) -> Snapshot | None:
        """Return its state, None if it was deleted."""
        ...

    async def events(
        self, *, after: EventId, until_tick: int, limit: int, event_filter: EventFilter
    ) -> list[WireEvent]:
        """Return the first events after a place and up to a tick, in canonical order."""
        ...

    def time_at(self, tick: int) -> str:
        """Return the game time of a tick."""
        ...


class Subscriber(Protocol):
    """Receives the updates of a feed."""

    def offer(self, update: Update) -> None:
        """Queue the update, without waiting."""
        ...


def end_of(tick: int) -> EventId:
    """Return a place behind all events of the tick and before all of the next one."""
    return EventId(tick + 1, "", -1)


class Feed:
    """Publishes the committed events of one simulation to its subscribers."""

    def __init__(self, source: EventSource, *, poll_seconds: float) -> None:
        self.source = source
        self.ready = asyncio.Event()
        self.ended: ResponseEnd | None = None
        self.snapshot = Snapshot(tick=NOTHING_PUBLISHED, last=None, status={})
        self._poll_seconds = poll_seconds
        self._subscribers: set[Subscriber] = set()
        self._recent: list[WireEvent] = []
        self._oldest_place = end_of(NOTHING_PUBLISHED)
        self._notified = asyncio.Event()

    @property
    def tick(self) -> int:
        """The last tick that was published."""
        return self.snapshot.tick

    def notify(self) -> None:
        """Poll the source at once."""
        self._notified.set()

    def subscribe(self, subscriber: Subscriber, *, tick: int) -> bool:
        """Add a subscriber that has reached the tick of the feed; return whether it has."""
        if tick < self.tick:
            return False
        self._subscribers.add(subscriber)
        return True

    def recent_events(self, after: EventId) -> list[WireEvent] | None:
        """Return the events after the place; None if the feed has dropped some of them."""
        if after < self._oldest_place:
            return None
        first = bisect_right(self._recent, after, key=attrgetter("place"))
        return self._recent[first:]

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self._subscribers.discard(subscriber)

    def end(self, ended: ResponseEnd) -> None:
        """End the streams of all subscribers, and of later ones."""
        self.ended = ended
        self.ready.set()
        self._notified.set()
        self._publish(ended)

    async def run(self) -> None:
        """Publish updates until the feed ends."""
        while self.ended is None:
            self._notified.clear()
            try:
                await self.poll()
            except SourceUnavailable as away:
                # Streams go on with heartbeats; the next poll finds what is missing.
                logger.warning("feed waits for the log", error=away.message)
            await wait_for_event(self._notified, self._poll_seconds)

    async def poll(self) -> None:
        """Read the source once, and publish what is new."""
        now = await self.source.snapshot()
        if now is None:
            self.end(
                ResponseEnd(code="simulation-unknown", detail="the simulation was deleted")
            )
            return
        if not self.ready.is_set():
            self.snapshot = now
            self._oldest_place = end_of(now.tick)
            self.ready.set()
            return
        while self.tick < now.tick:
            self._advance(await self._next_batch(now.tick))
        if now.status != self.snapshot.status:
            self.snapshot = replace(self.snapshot, status=now.status)
            self._publish(StatusChange(status=now.status))

    async def _next_batch(self, until_tick: int) -> Batch:
        """Return about EVENTS_AT_ONCE events, never a part of a tick."""
        after = end_of(self.tick)
        found = await self._read_events(after, until_tick)
        tick = until_tick
        if len(found) == EVENTS_AT_ONCE:
            tick = found[-1].place.tick
            while rest := await self._read_events(found[-1].place, tick):
                found += rest
        last = found[-1].place if found else self.snapshot.last
        return Batch(events=tuple(found), tick=tick, last=last)

    async def _read_events(self, after: EventId, until_tick: int) -> list[WireEvent]:
        return await self.source.events(
            after=after, until_tick=until_tick, limit=EVENTS_AT_ONCE, event_filter=ALL_EVENTS
        )

    def _advance(self, update: Batch) -> None:
        self.snapshot = replace(self.snapshot, tick=update.tick, last=update.last)
        self._keep_recent(update)
        self._publish(update)

    def _keep_recent(self, update: Batch) -> None:
        self._recent += update.events
        if len(self._recent) > 2 * RECENT_MAX:
            # Rarely, and many at once: the list is copied.
            self._oldest_place = self._recent[-RECENT_MAX - 1].place
            self._recent = self._recent[-RECENT_MAX:]

    def _publish(self, update: Update) -> None:
        # A copy: a subscriber may unsubscribe meanwhile.
        for subscriber in list(self._subscribers):
            subscriber.offer(update)


async def wait_for_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for the event; return whether it came in time.

    Not by `asyncio.wait_for`, which in Python 3.11 may lose a cancellation.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


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
