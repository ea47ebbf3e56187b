"""A subscription to a feed: past events in pages first, then updates as they are published.

It yields exactly the events after its first place that pass its filter, each once, in canonical
order. The id of each block is the last place that was passed, whether the event was sent or
filtered out, so that a client that continues from it misses nothing.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from apps.api.http.long_responses import ResponseEnd
from apps.api.streaming.feed import (
    CLOCK,
    EVENTS_AT_ONCE,
    HEARTBEAT,
    NOTHING_PUBLISHED,
    Batch,
    EventFilter,
    Feed,
    SourceUnavailable,
    StatusChange,
    Update,
    WireEvent,
    end_block,
    end_of,
    notice_block,
    retry_block,
    status_block,
    wait_for_event,
)
from apps.eventlog.event import EventId

AWAY_SECONDS = 1.0
TOO_SLOW = "too-slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTimings:
    """The timings and the bound of a stream.

    A comment is sent after `heartbeat_seconds` without a block, the clock at most every
    `clock_seconds`; `backlog_max` events may wait to be sent.
    """

    heartbeat_seconds: float
    clock_seconds: float
    backlog_max: int


class Subscription:
    """One subscriber of a feed, and the blocks that its client receives."""

    def __init__(
        self,
        feed: Feed,
        *,
        after: EventId,
        last_id: str,
        event_filter: EventFilter,
        timings: StreamTimings,
        seconds: Callable[[], float],
    ) -> None:
        """Take the place to start after; `last_id` is the id that stands for it, "" for none.

        :param seconds: a monotonic clock.
        """
        self._feed = feed
        self._after = after
        self._read_until = after
        self._last_id = last_id
        self._event_filter = event_filter
        self._timings = timings
        self._seconds = seconds
        self._tick = NOTHING_PUBLISHED - 1
        self._announced_tick = NOTHING_PUBLISHED
        self._queue: deque[Update] = deque()
        self._backlog = 0
        self._notified = asyncio.Event()
        self._sent_at = seconds()
        self._clock_at = self._sent_at - timings.clock_seconds

    def offer(self, update: Update) -> None:
        """Queue an update; a full backlog ends the stream."""
        size = len(update.events) + 1 if isinstance(update, Batch) else 1
        is_full = self._queue and self._backlog + size > self._timings.backlog_max
        if is_full and not isinstance(update, ResponseEnd):
            detail = f"more than {self._timings.backlog_max} events waited to be read"
            self._queue.clear()
            self._feed.unsubscribe(self)
            update = ResponseEnd(code=TOO_SLOW, detail=f"{detail}; reconnect with the last id")
        self._backlog += size
        self._queue.append(update)
        self._notified.set()

    def end(self, ended: ResponseEnd) -> None:
        """Send nothing more but the end, whatever still waits to be sent."""
        self._feed.unsubscribe(self)
        self._queue.clear()
        self.offer(ended)

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the blocks of the stream until it ends."""
        try:
            yield retry_block()
            while not await wait_for_event(self._feed.ready, self._timings.heartbeat_seconds):
                yield HEARTBEAT
            self._announced_tick = self._feed.tick
            yield self._status(self._feed.snapshot.status, self._feed.tick)
            self._sent_at = self._seconds()
            async with aclosing(self._catch_up()) as past:
                async for part in past:
                    yield part
                    self._sent_at = self._seconds()
            while self._feed.ended is None or self._queue:
                await self._wait_for_update()
                part, is_last = self._take_updates()
                if part:
                    yield part
                    self._sent_at = self._seconds()
                if is_last:
                    return
            yield self._end_block(self._feed.ended)
        finally:
            self._feed.unsubscribe(self)

    def _end_block(self, ended: ResponseEnd) -> bytes:
        return end_block(self._last_id, code=ended.code, detail=ended.detail)

    # --- Past events -------------------------------------------------------------------------

    async def _catch_up(self) -> AsyncGenerator[bytes, None]:
        """Yield pages of past events until the subscription has reached the feed."""
        while not self._queue and self._feed.ended is None:
            if self._feed.subscribe(self, tick=self._tick):
                self._advance_to(self._feed.snapshot.last)
                return
            reading = asyncio.ensure_future(self._page())
            try:
                timeout = self._timings.heartbeat_seconds
                while not (await asyncio.wait({reading}, timeout=timeout))[0]:
                    yield HEARTBEAT
                page = reading.result()
            except SourceUnavailable:
                await asyncio.sleep(AWAY_SECONDS)
                page = []
            finally:
                reading.cancel()
            if page:
                self._announced_tick = page[-1].place.tick
                yield b"".join(event.block for event in page)
            elif self._is_silent():
                yield HEARTBEAT

    async def _page(self) -> list[WireEvent]:
        """Return the next events: the recent ones of the feed, else a page of the log."""
        tick = self._feed.tick
        lately = self._feed.recent_events(self._read_until)
        if lately is None:
            page = await self._feed.source.events(
                after=self._read_until,
                until_tick=tick,
                limit=EVENTS_AT_ONCE,
                event_filter=self._event_filter,
            )
        else:
            page = [event for event in lately if self._event_filter.matches(event)]
        if page:
            self._advance_to(page[-1].place)
            self._read_until = page[-1].place
        if lately is not None or len(page) < EVENTS_AT_ONCE:
            # The filter may have left out the last events; they are not read again.
            self._read_until = max(self._read_until, end_of(tick))
            self._tick = tick
        return page

    # --- New events --------------------------------------------------------------------------

    async def _wait_for_update(self) -> None:
        """Wait for an update, or until a clock or a heartbeat is due."""
        if not self._queue:
            self._notified.clear()
            await wait_for_event(self._notified, self._seconds_to_wait())

    def _take_updates(self) -> tuple[bytes, bool]:
        """Return the next blocks, and whether they end the stream.

        All updates that wait are sent at once: fewer writes when the simulation is fast.
        """
        blocks = b""
        while self._queue:
            match self._queue.popleft():
                case Batch() as update:
                    blocks += self._take_batch(update)
                case StatusChange() as update:
                    self._backlog -= 1
                    blocks += self._status(update.status, self._tick)
                case ResponseEnd() as update:
                    return blocks + self._end_block(update), True
        blocks = blocks or self._clock()
        return blocks or (HEARTBEAT if self._is_silent() else b""), False

    def _take_batch(self, update: Batch) -> bytes:
        self._backlog -= len(update.events) + 1
        self._tick = update.tick
        events = [
            event
            for event in update.events
            if event.place > self._after and self._event_filter.matches(event)
        ]
        self._advance_to(update.last)
        if events:
            self._announced_tick = events[-1].place.tick
        return b"".join(event.block for event in events)

    def _status(self, status: Mapping[str, Any], tick: int) -> bytes:
        clock = self._clock_at_tick(max(tick, 0))
        return status_block(self._last_id, status, clock)

    def _clock(self) -> bytes:
        """Return a clock block if the tick is ahead of the last block and one is due."""
        now = self._seconds()
        if self._tick <= self._announced_tick or now < self._clock_due():
            return b""
        self._announced_tick, self._clock_at = self._tick, now
        return notice_block(CLOCK, self._last_id, self._clock_at_tick(self._tick))

    def _clock_at_tick(self, tick: int) -> dict[str, Any]:
        return {"tick": tick, "time": self._feed.source.time_at(tick)}

    def _clock_due(self) -> float:
        return self._clock_at + self._timings.clock_seconds

    def _seconds_to_wait(self) -> float:
        """Return the seconds until a clock or a heartbeat is due."""
        due = self._sent_at + self._timings.heartbeat_seconds
        if self._tick > self._announced_tick:
            due = min(due, self._clock_due())
        return max(0.0, due - self._seconds())

    def _is_silent(self) -> bool:
        return self._seconds() - self._sent_at >= self._timings.heartbeat_seconds

    def _advance_to(self, place: EventId | None) -> None:
        """Record that all events up to the place were sent or filtered out."""
        if place is not None and place > self._after:
            self._after = place
            self._last_id = str(place)
