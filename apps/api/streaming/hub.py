"""All streams of a process: a feed for each simulation that is followed, and one doorbell."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings

from apps.api.http.continued_access import AccessGrant, lost_grants
from apps.api.http.slots import Slot
from apps.api.streaming.feed import Ended, Feed, SourceAway, Wanted
from apps.api.streaming.listener import listen
from apps.api.streaming.log_source import LogSource, in_thread
from apps.api.streaming.subscription import Manners, Reader
from apps.eventlog.event import Place
from apps.kernel.game_time import GameCalendar

CLOCK_SECONDS = 1.0

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody asks to follow, from which place on; `passed` is the id that says so."""

    grant: AccessGrant
    calendar: GameCalendar
    after: Place
    passed: str
    wanted: Wanted


@dataclass(eq=False, slots=True, kw_only=True)
class Stream:
    """An open stream; `offered_at` is since when a part of it waits to be taken."""

    grant: AccessGrant
    feed: Feed
    reader: Reader
    task: "asyncio.Task[object] | None"
    offered_at: float | None = None


@dataclass(slots=True, kw_only=True)
class _Kept:
    """A feed that somebody follows."""

    feed: Feed
    task: "asyncio.Task[None]"
    streams: set[Stream] = field(default_factory=set)


class Hub:
    """The streams of one event loop; it works only while there are any."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[UUID, _Kept] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def parts(self, wish: Wish, slot: Slot) -> AsyncGenerator[bytes, None]:
        """Yield a stream's parts; the slot is released when it is over."""
        loop = asyncio.get_running_loop()
        stream = self._open(wish, loop)
        try:
            async with aclosing(stream.reader.parts()) as parts:
                async for part in parts:
                    stream.offered_at = loop.time()
                    yield part
                    stream.offered_at = None
        finally:
            self._close(stream)
            slot.release()

    def ring(self, simulation: str) -> None:
        """Let the feed of a simulation look for news, if somebody follows it."""
        with suppress(ValueError):
            kept = self._kept.get(UUID(simulation))
            if kept is not None:
                kept.feed.ring()

    def ring_all(self) -> None:
        """Let all feeds look for news."""
        for kept in self._kept.values():
            kept.feed.ring()

    def _open(self, wish: Wish, loop: asyncio.AbstractEventLoop) -> Stream:
        kept = self._feed_of(wish)
        reader = Reader(
            kept.feed,
            after=wish.after,
            passed=wish.passed,
            wanted=wish.wanted,
            manners=Manners(
                heartbeat_seconds=settings.STREAM_HEARTBEAT_SECONDS,
                clock_seconds=CLOCK_SECONDS,
                backlog_max=settings.STREAM_BACKLOG_EVENTS_MAX,
            ),
            seconds=loop.time,
        )
        stream = Stream(
            grant=wish.grant, feed=kept.feed, reader=reader, task=asyncio.current_task()
        )
        kept.streams.add(stream)
        return stream

    def _feed_of(self, wish: Wish) -> _Kept:
        simulation_id = wish.grant.simulation_id
        kept = self._kept.get(simulation_id)
        if kept is not None and kept.feed.ended is None:
            return kept
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(listen(self.ring, self.ring_all)),
                asyncio.create_task(self._look_after()),
            ]
        feed = Feed(
            LogSource(simulation_id, wish.calendar), poll_seconds=settings.STREAM_POLL_SECONDS
        )
        kept = _Kept(feed=feed, task=asyncio.create_task(_run(feed)))
        self._kept[simulation_id] = kept
        return kept

    def _close(self, stream: Stream) -> None:
        simulation_id = stream.grant.simulation_id
        kept = self._kept.get(simulation_id)
        if kept is None or kept.feed is not stream.feed:
            return
        kept.streams.discard(stream)
        if kept.streams:
            return
        kept.task.cancel()
        del self._kept[simulation_id]
        if not self._kept:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def _look_after(self) -> None:
        """Look again and again who may follow no more, and who takes nothing."""
        while True:
            await asyncio.sleep(settings.STREAM_CHECK_SECONDS)
            self._cut_off_stalled()
            try:
                await self._turn_away()
            except SourceAway as away:
                logger.warning("streams not looked after", error=away.message)
            except Exception:
                # A mistake of ours must not keep a door open for who was shut out.
                logger.exception("streams not looked after")

    def _cut_off_stalled(self) -> None:
        since = asyncio.get_running_loop().time() - settings.STREAM_STALL_SECONDS
        for stream in self._streams():
            if stream.task is not None and stream.task.done():
                self._close(stream)
                continue
            is_stalled = stream.offered_at is not None and stream.offered_at < since
            if is_stalled and stream.task is not None:
                logger.info("stream cut off", simulation=str(stream.grant.simulation_id))
                stream.task.cancel()

    async def _turn_away(self) -> None:
        grants = {stream.grant for stream in self._streams()}
        lost = await in_thread(lost_grants, grants)
        for stream in self._streams():
            if stream.grant in lost:
                reason = lost[stream.grant]
                stream.reader.turn_away(Ended(code=reason.code, detail=reason.detail))

    def _streams(self) -> list[Stream]:
        return [stream for kept in self._kept.values() for stream in kept.streams]


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def hub() -> Hub:
    """Return the hub of the running loop; a server's process has one loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def _run(feed: Feed) -> None:
    try:
        await feed.run()
    except Exception:
        # A mistake of ours: whoever follows is told, and may come back.
        logger.exception("feed failed")
        feed.end(Ended(code="internal-error", detail="this is the service's mistake"))
