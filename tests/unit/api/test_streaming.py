"""Subscriptions to a feed: each gets exactly the events after its place, in order."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.api.http.long_responses import ResponseEnd
from apps.api.streaming import feed as feeds
from apps.api.streaming.feed import (
    ALL_EVENTS,
    NOTHING_PUBLISHED,
    EventFilter,
    Feed,
    Snapshot,
    SourceUnavailable,
    WireEvent,
    end_of,
)
from apps.api.streaming.subscription import StreamTimings, Subscription
from apps.eventlog.event import EventId

PEOPLE = ("commands", "isabella", "klaus")
TYPES = ("said", "walked")
PATIENT = StreamTimings(heartbeat_seconds=1_000, clock_seconds=0, backlog_max=10_000)


@dataclass
class WorldSnapshot:
    """A log that commits step by step, read with delays that chance decides."""

    chance: random.Random
    events: list[tuple[EventId, str]] = field(default_factory=list)
    committed: int = NOTHING_PUBLISHED
    status: str = "running"
    is_away: bool = False
    is_gone: bool = False

    def commit(self, ticks: int) -> None:
        """Let so many ticks happen and commit; some of them are busy, some idle."""
        for tick in range(self.committed + 1, self.committed + 1 + ticks):
            self.events += [
                (EventId(tick, person, ordinal), self.chance.choice(TYPES))
                for person in PEOPLE
                for ordinal in range(self.chance.choice((0, 0, 1, 3)))
            ]
        self.committed += ticks

    async def snapshot(self) -> Snapshot | None:
        committed, status = self.committed, self.status
        await self._take_time()
        if self.is_gone:
            return None
        last = [place for place, _ in self.events if place.tick <= committed]
        return Snapshot(
            tick=committed, last=last[-1] if last else None, status={"status": status}
        )

    async def events_of(
        self, after: EventId, until_tick: int, event_filter: EventFilter
    ) -> list[WireEvent]:
        await self._take_time()
        return [
            event
            for place, kind in self.events
            if after < place and place.tick <= until_tick
            if event_filter.matches(event := wire_event_of(place, kind))
        ]

    async def _take_time(self) -> None:
        for _ in range(self.chance.choice((0, 1, 5, 15))):
            await asyncio.sleep(0)
        if self.is_away:
            raise SourceUnavailable


@dataclass
class Pages:
    """The town as a feed reads it.

    `afters` are the places from which on events were asked for; `meanwhile` happens while they
    are read, which does not end before `held` is set.
    """

    town: WorldSnapshot
    afters: list[EventId] = field(default_factory=list)
    meanwhile: Callable[[], object] | None = None
    held: asyncio.Event | None = None

    async def snapshot(self) -> Snapshot | None:
        return await self.town.snapshot()

    async def events(
        self, *, after: EventId, until_tick: int, limit: int, event_filter: EventFilter
    ) -> list[WireEvent]:
        self.afters.append(after)
        if self.meanwhile is not None:
            self.meanwhile()
        if self.held is not None:
            await self.held.wait()
        return (await self.town.events_of(after, until_tick, event_filter))[:limit]

    def time_at(self, tick: int) -> str:
        return f"time {tick}"


@dataclass
class Client:
    """Somebody who follows, and the blocks that they were told."""

    after: EventId
    event_filter: EventFilter
    blocks: list[dict[str, str]] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None

    @property
    def ids(self) -> list[str]:
        """The events that were told."""
        return [block["id"] for block in self.blocks if "event" not in block]

    async def listen(self, parts: AsyncIterator[bytes], chance: random.Random) -> None:
        async for part in parts:
            self.blocks += blocks_of(part)
            await rest(chance.choice((0, 0, 2, 10)))


def wire_event_of(place: EventId, kind: str) -> WireEvent:
    return WireEvent(
        place=place, type=kind, block=feeds.event_block(str(place), {"type": kind})
    )


def blocks_of(part: bytes) -> list[dict[str, str]]:
    """Return the blocks as a client reads them."""
    found = []
    for block in part.decode().split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if line]
        fields = {name: value for name, _, value in lines if name}
        if fields and set(fields) != {"retry"}:
            found.append(fields)
    return found


def follow(
    feed: Feed, client: Client, chance: random.Random, timings: StreamTimings = PATIENT
) -> None:
    loop = asyncio.get_running_loop()
    subscription = Subscription(
        feed,
        after=client.after,
        last_id="",
        event_filter=client.event_filter,
        timings=timings,
        seconds=loop.time,
    )
    client.task = asyncio.create_task(client.listen(subscription.parts(), chance))


def expected(town: WorldSnapshot, client: Client) -> list[str]:
    return [
        str(place)
        for place, kind in town.events
        if place > client.after and client.event_filter.matches(wire_event_of(place, kind))
    ]


async def rest(steps: int = 300) -> None:
    for _ in range(steps):
        await asyncio.sleep(0)


def run(what: Awaitable[None]) -> None:
    async def main() -> None:
        await what

    asyncio.run(main())


async def end(*tasks: "asyncio.Task[None] | None") -> None:
    for task in tasks:
        if task is not None:
            task.cancel()
    await asyncio.gather(*filter(None, tasks), return_exceptions=True)


async def leave_and_come_back(feed: Feed, client: Client, chance: random.Random) -> None:
    """Cut the reader off at any point; they come back with the last id that they heard."""
    await end(client.task)
    ids = [block["id"] for block in client.blocks if "id" in block]
    back = Client(
        after=place_of(ids[-1]) if ids else client.after,
        event_filter=client.event_filter,
        blocks=client.blocks,
    )
    follow(feed, back, chance)
    client.task = back.task


WANTED = st.builds(
    EventFilter,
    types=st.sampled_from([None, frozenset({"said"})]),
    stream=st.sampled_from([None, "klaus"]),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("commit"), st.integers(1, 4)),
        st.tuples(st.just("commit unheard"), st.integers(1, 4)),
        st.tuples(st.just("wait"), st.integers(1, 12)),
        st.tuples(st.just("join"), st.tuples(st.integers(-1, 30), WANTED)),
        st.tuples(st.just("leave and come back"), st.integers(0, 5)),
    ),
    max_size=40,
)


class TestFollowing:
    @settings(max_examples=100, deadline=None)
    @given(
        steps=STEPS,
        seed=st.integers(0, 2**32),
        recent_events=st.sampled_from([1, 4, feeds.RECENT_MAX]),
    )
    def test_tells_each_reader_what_is_committed_behind_their_place_once_and_in_order(
        self, steps: list[tuple[str, Any]], seed: int, recent_events: int
    ) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(feeds, "RECENT_MAX", recent_events)
            run(self.live(steps, random.Random(seed)))

    async def live(self, steps: list[tuple[str, Any]], chance: random.Random) -> None:
        town = WorldSnapshot(chance)
        town.commit(2)
        feed = Feed(Pages(town), poll_seconds=1_000)
        running = asyncio.create_task(feed.run())
        readers: list[Client] = []
        for what, how in steps:
            if what == "commit":
                town.commit(how)
                feed.notify()
            elif what == "commit unheard":
                town.commit(how)
            elif what == "wait":
                await rest(how)
            elif what == "join":
                readers.append(Client(after=end_of(how[0]), event_filter=how[1]))
                follow(feed, readers[-1], chance)
            elif readers:
                await leave_and_come_back(feed, readers[how % len(readers)], chance)
        feed.notify()
        await rest()
        for client in readers:
            assert client.ids == expected(town, client)
        await end(running, *(client.task for client in readers))

    def test_tells_no_tick_by_halves_however_many_events_it_has(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(1))
            town.events = [(EventId(0, "isabella", n), "said") for n in range(3)]
            town.committed = 0
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            client = Client(after=end_of(NOTHING_PUBLISHED), event_filter=ALL_EVENTS)
            follow(feed, client, town.chance)
            await rest()
            town.events += [(EventId(1, "isabella", n), "said") for n in range(1_203)]
            town.events += [(EventId(2, "isabella", n), "said") for n in range(700)]
            town.committed = 2
            feed.notify()
            await rest()
            assert client.ids == expected(town, client)
            await end(running, client.task)

        assert feeds.EVENTS_AT_ONCE < 1_203
        run(story())

    def test_tells_who_comes_back_soon_without_asking_the_log(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(1))
            town.commit(2)
            pages = Pages(town)
            feed = Feed(pages, poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            client = Client(after=end_of(1), event_filter=EventFilter(stream="klaus"))
            follow(feed, client, town.chance)
            await rest()
            await end(client.task)
            town.commit(20)
            feed.notify()
            await rest()
            asked = len(pages.afters)
            await leave_and_come_back(feed, client, town.chance)
            await rest()
            assert client.ids == expected(town, client)
            assert len(pages.afters) == asked
            await end(running, client.task)

        run(story())

    def test_reads_the_log_once_however_little_of_it_is_wanted(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(1))
            town.events = [(EventId(tick, "klaus", 0), "walked") for tick in range(1_200)]
            town.committed = 1_199
            pages = Pages(town)
            feed = Feed(pages, poll_seconds=1_000)

            def settle_more() -> None:
                town.commit(3)
                feed.notify()

            pages.meanwhile = settle_more
            running = asyncio.create_task(feed.run())
            client = Client(
                after=end_of(NOTHING_PUBLISHED),
                event_filter=EventFilter(types=frozenset({"sung"})),
            )
            follow(feed, client, town.chance)
            await rest(600)
            pages.meanwhile = None
            town.events.append((EventId(town.committed + 1, "klaus", 0), "sung"))
            town.committed += 1
            feed.notify()
            await rest()
            assert client.ids == expected(town, client)
            of_the_past = [after for after in pages.afters if after.tick < 1_199]
            assert of_the_past == [end_of(NOTHING_PUBLISHED)]
            await end(running, client.task)

        run(story())

    def test_keeps_the_connection_while_the_log_is_read_for_long(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(1))
            town.commit(3)
            pages = Pages(town)
            feed = Feed(pages, poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            subscription = Subscription(
                feed,
                after=end_of(NOTHING_PUBLISHED),
                last_id="",
                event_filter=ALL_EVENTS,
                timings=StreamTimings(heartbeat_seconds=0.01, clock_seconds=0, backlog_max=10),
                seconds=asyncio.get_running_loop().time,
            )
            pages.held = asyncio.Event()
            parts = subscription.parts()
            taken = [await anext(parts) for _ in range(4)]
            assert taken[2:] == [feeds.HEARTBEAT] * 2
            pages.held.set()
            while (part := await anext(parts)) == feeds.HEARTBEAT:
                pass
            assert blocks_of(part)[0]["id"] == str(town.events[0][0])
            await parts.aclose()
            await end(running)

        run(story())


class TestReader:
    def test_is_told_the_time_where_there_is_nothing_to_tell(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(1))
            town.events = [(EventId(0, "klaus", 0), "said")]
            town.committed = 0
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            client = Client(after=end_of(0), event_filter=EventFilter(stream="isabella"))
            follow(feed, client, town.chance)
            await rest()
            town.events.append((EventId(3, "klaus", 0), "said"))
            town.committed = 5
            feed.notify()
            await rest()
            status, clock = client.blocks
            assert status["event"] == "status"
            assert clock["event"] == "clock"
            assert json.loads(clock["data"]) == {"tick": 5, "time": "time 5"}
            # What was not wanted is passed, too: nobody has to look through it again.
            assert clock["id"] == "3/klaus/0"
            await end(running, client.task)

        run(story())

    def test_is_told_what_the_town_is_doing_after_what_it_did(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(2))
            town.commit(3)
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            client = Client(after=end_of(2), event_filter=ALL_EVENTS)
            follow(feed, client, town.chance)
            await rest()
            town.events.append((EventId(3, "klaus", 0), "said"))
            town.committed, town.status = 3, "paused"
            feed.notify()
            await rest()
            assert client.ids == ["3/klaus/0"]
            assert json.loads(client.blocks[-1]["data"]) == {
                "status": "paused",
                "clock": {"tick": 3, "time": "time 3"},
            }
            await end(running, client.task)

        run(story())

    def test_that_takes_nothing_is_told_that_it_is_too_slow_and_where_to_go_on(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(3))
            town.events = [(EventId(0, "klaus", 0), "said")]
            town.committed = 0
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            subscription = Subscription(
                feed,
                after=end_of(NOTHING_PUBLISHED),
                last_id="",
                event_filter=ALL_EVENTS,
                timings=StreamTimings(heartbeat_seconds=1_000, clock_seconds=0, backlog_max=5),
                seconds=asyncio.get_running_loop().time,
            )
            parts = subscription.parts()
            taken = [await anext(parts) for _ in range(3)]
            assert blocks_of(taken[2])[0]["id"] == "0/klaus/0"
            taking = asyncio.create_task(anext(parts))
            await rest()
            for tick in range(1, 9):
                town.events.append((EventId(tick, "klaus", 0), "said"))
                town.committed = tick
                feed.notify()
                await rest()
            [first] = blocks_of(await taking)
            assert first["id"] == "1/klaus/0"
            [last] = [block async for part in parts for block in blocks_of(part)]
            assert last["event"] == "end"
            assert last["id"] == "1/klaus/0"
            event = json.loads(last["data"])
            assert (event["code"], event["after"]) == ("too-slow", "1/klaus/0")
            await end(running)

        run(story())

    def test_is_told_when_the_town_is_gone(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(4))
            town.commit(2)
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            before = Client(after=end_of(1), event_filter=ALL_EVENTS)
            follow(feed, before, town.chance)
            await rest()
            town.is_gone = True
            feed.notify()
            await rest()
            late = Client(after=end_of(NOTHING_PUBLISHED), event_filter=ALL_EVENTS)
            follow(feed, late, town.chance)
            await rest()
            for client in (before, late):
                assert json.loads(client.blocks[-1]["data"])["code"] == "simulation-unknown"
                assert client.task is not None
                assert client.task.done()
            assert running.done()

        run(story())

    def test_that_is_turned_away_before_it_has_caught_up_knows_how_far_it_came(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(5))
            town.events = [(EventId(tick, "klaus", 0), "said") for tick in range(1_500)]
            town.committed = 1_499
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            subscription = Subscription(
                feed,
                after=end_of(NOTHING_PUBLISHED),
                last_id="",
                event_filter=ALL_EVENTS,
                timings=PATIENT,
                seconds=asyncio.get_running_loop().time,
            )
            parts = subscription.parts()
            page = [await anext(parts) for _ in range(3)][-1]
            event = blocks_of(page)[-1]["id"]
            assert event == "499/klaus/0"
            subscription.end(ResponseEnd(code="token-invalid", detail="revoked"))
            [last] = [block async for part in parts for block in blocks_of(part)]
            assert last["id"] == event
            assert json.loads(last["data"])["after"] == event
            await end(running)

        run(story())

    def test_that_is_turned_away_is_told_nothing_else(self) -> None:
        async def story() -> None:
            town = WorldSnapshot(random.Random(5))
            town.commit(2)
            feed = Feed(Pages(town), poll_seconds=1_000)
            running = asyncio.create_task(feed.run())
            client = Client(after=end_of(1), event_filter=ALL_EVENTS)
            loop = asyncio.get_running_loop()
            subscription = Subscription(
                feed,
                after=client.after,
                last_id="",
                event_filter=ALL_EVENTS,
                timings=PATIENT,
                seconds=loop.time,
            )
            parts = subscription.parts()
            client.blocks += [b for _ in range(2) for b in blocks_of(await anext(parts))]
            taking = asyncio.create_task(anext(parts))
            await rest()
            town.events.append((EventId(2, "klaus", 0), "said"))
            town.committed = 2
            feed.notify()
            subscription.end(ResponseEnd(code="token-invalid", detail="revoked"))
            await rest()
            [last] = blocks_of(await taking)
            assert json.loads(last["data"])["code"] == "token-invalid"
            await end(running)

        run(story())


def place_of(text: str) -> EventId:
    tick, stream, ordinal = text.split("/")
    return EventId(int(tick), stream, int(ordinal))
