"""One reading of a simulation's settled log, told to all who follow it; plain asyncio.

Ticks are told whole and in order. Between finding that a follower has come as far as the feed
and taking them on nothing is awaited: so nothing is missed or told twice at that boundary.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import structlog

from apps.eventlog.event import Place
from apps.kernel.errors import SmallvilleError

NOTHING = -1
"""The level of a town in which nothing is settled for good."""
EVENTS_AT_ONCE = 500
REMEMBERED_MAX = 2_000
"""How many of the latest events a feed keeps for those who have been away a little while."""

logger = structlog.get_logger(__name__)


class SourceAway(SmallvilleError):
    """The log cannot be read at the moment."""

    code: ClassVar[str] = "source-away"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An event of the log as it goes over the wire."""

    place: Place
    type: str
    block: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which events somebody follows: of these types, of this stream; None for all."""

    types: frozenset[str] | None = None
    stream: str | None = None

    def holds(self, told: Told) -> bool:
        """Whether the event is one of them."""
        if self.types is not None and told.type not in self.types:
            return False
        return self.stream is None or told.place.stream == self.stream


ALL = Wanted()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a simulation has come: `level` is the last tick that may be told.

    `last` is the place of the last event until then; `doing` says what it is doing, as JSON.
    """

    level: int
    last: Place | None
    doing: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """All events of the ticks up to `level`, since the slice before; `last` as in Standing."""

    events: tuple[Told, ...]
    level: int
    last: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """The simulation is doing something else now."""

    doing: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """There is no more to follow, and why."""

    code: str
    detail: str


News = Slice | Doing | Ended


class Source(Protocol):
    """Reads a simulation. Both may raise SourceAway."""

    async def standing(self) -> Standing | None:
        """Return how far it has come, None if it is gone."""
        ...

    async def events(
        self, *, after: Place, until_tick: int, limit: int, wanted: Wanted
    ) -> list[Told]:
        """Return the first events after a place and up to a tick, in canonical order."""
        ...

    def time_at(self, tick: int) -> str:
        """Return the game time of a tick."""
        ...


class Follower(Protocol):
    """Whoever is told the news."""

    def offer(self, news: News) -> None:
        """Take the news in, at once."""
        ...


def end_of(tick: int) -> Place:
    """Return a place behind all events of the tick and before all of the next one."""
    return Place(tick + 1, "", -1)


class Feed:
    """Tells the followers of one simulation what has settled, as it does."""

    def __init__(self, source: Source, *, poll_seconds: float) -> None:
        """Take what is read, and how often it is looked at when nobody rings."""
        self.source = source
        self.ready = asyncio.Event()
        self.ended: Ended | None = None
        self.standing = Standing(level=NOTHING, last=None, doing={})
        self._poll_seconds = poll_seconds
        self._followers: set[Follower] = set()
        self._remembered: list[Told] = []
        self._forgotten = end_of(NOTHING)
        self._rung = asyncio.Event()

    @property
    def level(self) -> int:
        """The last tick that has been told."""
        return self.standing.level

    def ring(self) -> None:
        """Look at once whether there is news."""
        self._rung.set()

    def join(self, follower: Follower, *, level: int) -> bool:
        """Take on a follower who has come as far as the feed; return whether they have."""
        if level < self.level:
            return False
        self._followers.add(follower)
        return True

    def remembered(self, after: Place) -> list[Told] | None:
        """Return all that was told since the place; None if that is too long ago to know."""
        if after < self._forgotten:
            return None
        first = bisect_right(self._remembered, after, key=_place_of)
        return self._remembered[first:]

    def leave(self, follower: Follower) -> None:
        """Tell the follower nothing any more."""
        self._followers.discard(follower)

    def end(self, ended: Ended) -> None:
        """Tell everybody, and whoever is still to come, that this is over."""
        self.ended = ended
        self.ready.set()
        self._rung.set()
        self._tell(ended)

    async def run(self) -> None:
        """Tell the news until there is nothing more to follow."""
        while self.ended is None:
            self._rung.clear()
            try:
                await self.look()
            except SourceAway as away:
                # Followers hear their heartbeat, and the next look finds what they missed.
                logger.warning("feed waits for the log", error=away.message)
            await came(self._rung, self._poll_seconds)

    async def look(self) -> None:
        """Look once, and tell what is new."""
        now = await self.source.standing()
        if now is None:
            self.end(Ended(code="simulation-unknown", detail="the simulation was deleted"))
            return
        if not self.ready.is_set():
            self.standing = now
            self._forgotten = end_of(now.level)
            self.ready.set()
            return
        while self.level < now.level:
            self._advance(await self._next_slice(now.level))
        if now.doing != self.standing.doing:
            self.standing = replace(self.standing, doing=now.doing)
            self._tell(Doing(doing=now.doing))

    async def _next_slice(self, until_tick: int) -> Slice:
        """Read on, but not much more than EVENTS_AT_ONCE, and no tick by halves."""
        after = end_of(self.level)
        found = await self._read(after, until_tick)
        level = until_tick
        if len(found) == EVENTS_AT_ONCE:
            level = found[-1].place.tick
            while rest := await self._read(found[-1].place, level):
                found += rest
        last = found[-1].place if found else self.standing.last
        return Slice(events=tuple(found), level=level, last=last)

    async def _read(self, after: Place, until_tick: int) -> list[Told]:
        return await self.source.events(
            after=after, until_tick=until_tick, limit=EVENTS_AT_ONCE, wanted=ALL
        )

    def _advance(self, news: Slice) -> None:
        self.standing = replace(self.standing, level=news.level, last=news.last)
        self._remember(news)
        self._tell(news)

    def _remember(self, news: Slice) -> None:
        self._remembered += news.events
        if len(self._remembered) > 2 * REMEMBERED_MAX:
            # Seldom, and then many at once: a list is cut off at its front by copying it.
            self._forgotten = self._remembered[-REMEMBERED_MAX - 1].place
            self._remembered = self._remembered[-REMEMBERED_MAX:]

    def _tell(self, news: News) -> None:
        for follower in _as_they_are(self._followers):
            follower.offer(news)


async def came(event: asyncio.Event, seconds: float) -> bool:
    """Wait for the event; return whether it came in time.

    Not by `wait_for`, which in Python 3.11 may lose that it was cancelled meanwhile.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _place_of(told: Told) -> Place:
    return told.place


def _as_they_are(followers: set[Follower]) -> Sequence[Follower]:
    """Return them in a list of its own: being told, one may leave."""
    return list(followers)
