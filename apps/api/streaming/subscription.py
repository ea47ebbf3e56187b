"""Somebody who follows a simulation: first what is past, in pages, then the news as it comes.

What they are told is exactly the wanted events behind the place they began at, each once, in
canonical order. Each block's id is the last place that was passed, told or not wanted, so
that following on from it misses nothing.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from apps.api.streaming import wire
from apps.api.streaming.feed import (
    EVENTS_AT_ONCE,
    NOTHING,
    Doing,
    Ended,
    Feed,
    News,
    Slice,
    SourceAway,
    Told,
    Wanted,
    came,
    end_of,
)
from apps.eventlog.event import Place

AWAY_SECONDS = 1.0
TOO_SLOW = "too-slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a stream is kept.

    A comment after so many seconds of silence; the clock no more often than that; and so
    many events may wait for a reader.
    """

    heartbeat_seconds: float
    clock_seconds: float
    backlog_max: int


class Reader:
    """One follower of a feed."""

    def __init__(
        self,
        feed: Feed,
        *,
        after: Place,
        passed: str,
        wanted: Wanted,
        manners: Manners,
        seconds: Callable[[], float],
    ) -> None:
        """Take from where to tell on; `passed` is the id that says so, "" for none.

        `seconds` is the clock that silences are measured by.
        """
        self._feed = feed
        self._after = after
        self._read_until = after
        self._passed = passed
        self._wanted = wanted
        self._manners = manners
        self._seconds = seconds
        self._level = NOTHING - 1
        self._told_level = NOTHING
        self._waiting: deque[News] = deque()
        self._backlog = 0
        self._rung = asyncio.Event()
        self._heard_at = seconds()
        self._clock_at = self._heard_at - manners.clock_seconds

    def offer(self, news: News) -> None:
        """Let the news wait to be told; whoever lets too much wait is told no more."""
        size = len(news.events) + 1 if isinstance(news, Slice) else 1
        is_full = self._waiting and self._backlog + size > self._manners.backlog_max
        if is_full and not isinstance(news, Ended):
            detail = f"more than {self._manners.backlog_max} events waited to be read"
            self._waiting.clear()
            self._feed.leave(self)
            news = Ended(code=TOO_SLOW, detail=f"{detail}; come back with the last id")
        self._backlog += size
        self._waiting.append(news)
        self._rung.set()

    def turn_away(self, ended: Ended) -> None:
        """Tell nothing more but that this is over, whatever still waits to be told."""
        self._feed.leave(self)
        self._waiting.clear()
        self.offer(ended)

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield what goes over the wire, until there is nothing more to follow."""
        try:
            yield wire.retry_block()
            while not await came(self._feed.ready, self._manners.heartbeat_seconds):
                yield wire.HEARTBEAT
            yield self._hello()
            self._heard_at = self._seconds()
            async with aclosing(self._past()) as past:
                async for part in past:
                    yield part
                    self._heard_at = self._seconds()
            while self._feed.ended is None or self._waiting:
                await self._news_or_silence()
                part, is_last = self._next()
                if part:
                    yield part
                    self._heard_at = self._seconds()
                if is_last:
                    return
            yield self._goodbye(self._feed.ended)
        finally:
            self._feed.leave(self)

    def _hello(self) -> bytes:
        """Say where the simulation stands."""
        self._told_level = self._feed.level
        return self._status(self._feed.standing.doing, self._feed.level)

    def _goodbye(self, ended: Ended) -> bytes:
        return wire.end_block(self._passed, code=ended.code, detail=ended.detail)

    # --- What is past ------------------------------------------------------------------------

    async def _past(self) -> AsyncGenerator[bytes, None]:
        """Tell page after page until nothing lies between the reader and the feed."""
        while not self._waiting and self._feed.ended is None:
            if self._feed.join(self, level=self._level):
                self._pass(self._feed.standing.last)
                return
            reading = asyncio.ensure_future(self._page())
            try:
                while not await _done(reading, self._manners.heartbeat_seconds):
                    yield wire.HEARTBEAT
                page = reading.result()
            except SourceAway:
                await asyncio.sleep(AWAY_SECONDS)
                page = []
            finally:
                reading.cancel()
            if page:
                self._told_level = page[-1].place.tick
                yield b"".join(told.block for told in page)
            elif self._is_silent():
                yield wire.HEARTBEAT

    async def _page(self) -> list[Told]:
        """Return what comes next: of what the feed has told lately, else of the log."""
        level = self._feed.level
        lately = self._feed.remembered(self._read_until)
        if lately is None:
            page = await self._feed.source.events(
                after=self._read_until,
                until_tick=level,
                limit=EVENTS_AT_ONCE,
                wanted=self._wanted,
            )
        else:
            page = [told for told in lately if self._wanted.holds(told)]
        if page:
            self._pass(page[-1].place)
            self._read_until = page[-1].place
        if lately is not None or len(page) < EVENTS_AT_ONCE:
            # Not to be read again, though nothing at its end may have been wanted.
            self._read_until = max(self._read_until, end_of(level))
            self._level = level
        return page

    # --- What is new -------------------------------------------------------------------------

    async def _news_or_silence(self) -> None:
        """Wait for something to tell, or until something has to be said without it."""
        if not self._waiting:
            self._rung.clear()
            await came(self._rung, self._patience())

    def _next(self) -> tuple[bytes, bool]:
        """Return what is to be said, and whether it is the last there is.

        All events that wait are said at once: the less often others are, the busier it is.
        """
        told = b""
        while self._waiting:
            match self._waiting.popleft():
                case Slice() as news:
                    told += self._events(news)
                case Doing() as news:
                    told += self._status_of(news)
                case Ended() as news:
                    return told + self._goodbye(news), True
        said = told or self._clock()
        return said or (wire.HEARTBEAT if self._is_silent() else b""), False

    def _status_of(self, news: Doing) -> bytes:
        self._backlog -= 1
        return self._status(news.doing, self._level)

    def _events(self, news: Slice) -> bytes:
        self._backlog -= len(news.events) + 1
        self._level = news.level
        told = [
            event
            for event in news.events
            if event.place > self._after and self._wanted.holds(event)
        ]
        self._pass(news.last)
        if told:
            self._told_level = told[-1].place.tick
        return b"".join(event.block for event in told)

    def _status(self, doing: Mapping[str, Any], level: int) -> bytes:
        clock = self._clock_at_tick(max(level, 0))
        return wire.status_block(self._passed, doing, clock)

    def _clock(self) -> bytes:
        """Return the clock, where it has moved past what was told and is due again."""
        now = self._seconds()
        if self._level <= self._told_level or now < self._clock_due():
            return b""
        self._told_level, self._clock_at = self._level, now
        return wire.notice_block(wire.CLOCK, self._passed, self._clock_at_tick(self._level))

    def _clock_at_tick(self, tick: int) -> dict[str, Any]:
        return {"tick": tick, "time": self._feed.source.time_at(tick)}

    def _clock_due(self) -> float:
        return self._clock_at + self._manners.clock_seconds

    def _patience(self) -> float:
        """Return for how long nothing has to be said."""
        due = self._heard_at + self._manners.heartbeat_seconds
        if self._level > self._told_level:
            due = min(due, self._clock_due())
        return max(0.0, due - self._seconds())

    def _is_silent(self) -> bool:
        return self._seconds() - self._heard_at >= self._manners.heartbeat_seconds

    def _pass(self, place: Place | None) -> None:
        """Note that everything up to the place has been told or was not wanted."""
        if place is not None and place > self._after:
            self._after = place
            self._passed = str(place)


async def _done(reading: "asyncio.Future[list[Told]]", seconds: float) -> bool:
    """Wait for the reading no longer than that; return whether it is done."""
    done, _ = await asyncio.wait({reading}, timeout=seconds)
    return bool(done)
