"""All streams of a process: a feed per subscribed simulation, and one listener."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
import structlog
from django.conf import settings

from apps.api.http.long_responses import AccessGrant, ConnectionSlot, ResponseEnd, lost_grants
from apps.api.streaming.feed import EventFilter, Feed, SourceUnavailable
from apps.api.streaming.log_source import LogSource, in_thread
from apps.api.streaming.subscription import StreamTimings, Subscription
from apps.django_support.notify import listening_parameters
from apps.eventlog.event import EventId
from apps.kernel.game_time import GameCalendar
from apps.simulation.notifications import FOLLOWERS_CHANNEL

CLOCK_SECONDS = 1.0
RECONNECT_SECONDS = 1.0

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribeRequest:
    """A request for a stream: after which place, of which events; `last_id` is its id."""

    grant: AccessGrant
    calendar: GameCalendar
    after: EventId
    last_id: str
    event_filter: EventFilter


@dataclass(eq=False, slots=True, kw_only=True)
class OpenStream:
    """An open stream; `offered_at` is when its pending part was offered to the client."""

    grant: AccessGrant
    feed: Feed
    subscription: Subscription
    task: "asyncio.Task[object] | None"
    offered_at: float | None = None


@dataclass(slots=True, kw_only=True)
class _ActiveFeed:
    """A feed with its task and its open streams."""

    feed: Feed
    task: "asyncio.Task[None]"
    streams: set[OpenStream] = field(default_factory=set)


class Hub:
    """The streams of one event loop; no task runs while there are none."""

    def __init__(self) -> None:
        self._feeds: dict[UUID, _ActiveFeed] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def parts(
        self, requested: SubscribeRequest, slot: ConnectionSlot
    ) -> AsyncGenerator[bytes, None]:
        """Yield the blocks of a new stream; release its slot at the end."""
        loop = asyncio.get_running_loop()
        stream = self._open(requested, loop)
        try:
            async with aclosing(stream.subscription.parts()) as parts:
                async for part in parts:
                    stream.offered_at = loop.time()
                    yield part
                    stream.offered_at = None
        finally:
            self._close(stream)
            slot.release()

    def notify(self, simulation: str) -> None:
        """Let the feed of a simulation poll, if there is one."""
        with suppress(ValueError):
            active = self._feeds.get(UUID(simulation))
            if active is not None:
                active.feed.notify()

    def notify_all(self) -> None:
        """Let all feeds poll."""
        for active in self._feeds.values():
            active.feed.notify()

    def _open(self, requested: SubscribeRequest, loop: asyncio.AbstractEventLoop) -> OpenStream:
        active = self._feed_of(requested)
        subscription = Subscription(
            active.feed,
            after=requested.after,
            last_id=requested.last_id,
            event_filter=requested.event_filter,
            timings=StreamTimings(
                heartbeat_seconds=settings.STREAM_HEARTBEAT_SECONDS,
                clock_seconds=CLOCK_SECONDS,
                backlog_max=settings.STREAM_BACKLOG_EVENTS_MAX,
            ),
            seconds=loop.time,
        )
        stream = OpenStream(
            grant=requested.grant,
            feed=active.feed,
            subscription=subscription,
            task=asyncio.current_task(),
        )
        active.streams.add(stream)
        return stream

    def _feed_of(self, requested: SubscribeRequest) -> _ActiveFeed:
        simulation_id = requested.grant.simulation_id
        active = self._feeds.get(simulation_id)
        if active is not None and active.feed.ended is None:
            return active
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(listen(self.notify, self.notify_all)),
                asyncio.create_task(self._check_streams()),
            ]
        feed = Feed(
            LogSource(simulation_id, requested.calendar),
            poll_seconds=settings.STREAM_POLL_SECONDS,
        )
        active = _ActiveFeed(feed=feed, task=asyncio.create_task(_run(feed)))
        self._feeds[simulation_id] = active
        return active

    def _close(self, stream: OpenStream) -> None:
        simulation_id = stream.grant.simulation_id
        active = self._feeds.get(simulation_id)
        if active is None or active.feed is not stream.feed:
            return
        active.streams.discard(stream)
        if active.streams:
            return
        active.task.cancel()
        del self._feeds[simulation_id]
        if not self._feeds:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def _check_streams(self) -> None:
        """End streams whose access was lost, and those whose client reads nothing."""
        while True:
            await asyncio.sleep(settings.STREAM_CHECK_SECONDS)
            self._cancel_stalled()
            try:
                await self._end_unauthorized()
            except SourceUnavailable as away:
                logger.warning("streams not looked after", error=away.message)
            except Exception:
                # An unexpected error must not end the checks of access.
                logger.exception("streams not looked after")

    def _cancel_stalled(self) -> None:
        since = asyncio.get_running_loop().time() - settings.STREAM_STALL_SECONDS
        for stream in self._streams():
            if stream.task is not None and stream.task.done():
                self._close(stream)
                continue
            is_stalled = stream.offered_at is not None and stream.offered_at < since
            if is_stalled and stream.task is not None:
                logger.info("stream cut off", simulation=str(stream.grant.simulation_id))
                stream.task.cancel()

    async def _end_unauthorized(self) -> None:
        grants = {stream.grant for stream in self._streams()}
        lost = await in_thread(lost_grants, grants)
        for stream in self._streams():
            if stream.grant in lost:
                stream.subscription.end(lost[stream.grant])

    def _streams(self) -> list[OpenStream]:
        return [stream for active in self._feeds.values() for stream in active.streams]


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def hub() -> Hub:
    """Return the hub of the running loop; a server's process has one loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def _run(feed: Feed) -> None:
    try:
        await feed.run()
    except Exception:
        # An unexpected error: clients receive the end, and may reconnect.
        logger.exception("feed failed")
        feed.end(ResponseEnd(code="internal-error", detail="this is an error of the service"))


async def listen(
    on_notification: Callable[[str], None], on_connected: Callable[[], None]
) -> None:
    """Call `on_notification` with the id of each notified simulation, until cancelled.

    Whenever the connection has been made, `on_connected`: there may have been rings before.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                **listening_parameters(), autocommit=True
            )
            async with connection:
                await connection.execute(f"LISTEN {FOLLOWERS_CHANNEL}")
                on_connected()
                async for notify in connection.notifies():
                    on_notification(notify.payload)
        except psycopg.Error as error:
            # Feeds look around by themselves every few seconds: nothing is lost meanwhile.
            logger.warning("doorbell out of order", error=str(error))
        await asyncio.sleep(RECONNECT_SECONDS)
