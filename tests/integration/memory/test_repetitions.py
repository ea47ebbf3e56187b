"""Repetitions are counted at their memory, as of any tick (M1, ADR 45)."""

from datetime import datetime

import pytest

from apps.kernel.game_time import GameCalendar
from apps.memory import earlier_memories, importance_queries, queries
from apps.memory.events import MemoriesRepeated, MemoryOrigin
from apps.memory.items import memory_item
from apps.memory.prompt_lines import memory_text
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from tests.integration.memory.streams import Stream

pytestmark = pytest.mark.django_db

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
HOUR, DAY = 360, 8_640
BAKING, TOLD = 1, 2


def seen_daily() -> Stream:
    """Return a stream with a sight of importance 3, seen on three days, and news beside it."""
    stream = Stream()
    stream.remember(
        HOUR, (1, 0), description="Ben is baking", importance=3, perceived=True,
        origin=MemoryOrigin.PERCEIVED_AGENT,
    )  # fmt: skip
    stream.remember(2 * HOUR, (1, 0), description="the mill is sold", importance=8)
    stream.apply(DAY + HOUR, MemoriesRepeated(numbers=(BAKING,)))
    stream.apply(2 * DAY + HOUR, MemoriesRepeated(numbers=(BAKING, TOLD)))
    return stream


def times(stream: Stream, tick: int) -> tuple[int, int | None]:
    row = queries.memory(stream.simulation_id, stream.agent, BAKING, as_of_tick=tick)
    return row.times, row.last_repeated_tick


def test_a_memory_is_counted_as_of_every_tick() -> None:
    stream = seen_daily()
    assert times(stream, HOUR) == (1, None)
    assert times(stream, DAY + HOUR - 1) == (1, None)
    assert times(stream, DAY + HOUR) == (2, DAY + HOUR)
    assert times(stream, 3 * DAY) == (3, 2 * DAY + HOUR)


def test_its_line_says_how_often_and_when_last() -> None:
    stream = seen_daily()

    def line(tick: int) -> str:
        [found] = (one for one in ranking(stream, tick) if one.number == BAKING)
        item = memory_item(found, time_at=CALENDAR.time_at, name_of=lambda _: "")
        row = queries.memory(stream.simulation_id, stream.agent, BAKING, as_of_tick=tick)
        assert memory_item(row, time_at=CALENDAR.time_at, name_of=lambda _: "") == item
        return memory_text(item)

    first = "Mon 13 Feb 1:00 am: Ben is baking"
    assert line(DAY) == first
    assert line(2 * DAY) == f"{first} (2 times, last on Tue 14 Feb 1:00 am)"


def test_a_repetition_renews_recency_as_the_forming_did() -> None:
    stream = seen_daily()
    of_baking = {one.number: one.parts.recency.raw for one in ranking(stream, 2 * DAY)}
    assert of_baking[BAKING] == pytest.approx(0.5 ** (DAY / HOUR - 1))
    assert of_baking[TOLD] == pytest.approx(0.5 ** (2 * DAY / HOUR - 2))
    stream.retrieve(2 * DAY, [BAKING])
    after = {one.number: one.parts.recency.raw for one in ranking(stream, 2 * DAY)}
    assert after[BAKING] == 1, "the later of a retrieval and a repetition counts"


def test_only_what_is_perceived_again_counts_towards_reflection() -> None:
    stream = seen_daily()

    def since(tick: int) -> int:
        found = importance_queries.importance_since(
            stream.simulation_id, stream.agent, after_tick=tick, as_of_tick=3 * DAY
        )
        return found.rated

    assert since(0) == 3 * 3, "it was seen three times; news is no perception here"
    assert since(DAY) == 2 * 3
    assert since(2 * DAY + HOUR) == 0


def test_the_same_words_about_the_same_subject_are_found_again() -> None:
    stream = seen_daily()

    def earlier(description: str, tick: int, **of: str) -> int | None:
        return earlier_memories.earlier_memory(
            stream.simulation_id,
            stream.agent,
            description,
            subject=of.get("subject", ""),
            origin=MemoryOrigin.PERCEIVED_AGENT,
            as_of_tick=tick,
        )

    assert earlier("Ben is baking", HOUR - 1) is None
    assert earlier("Ben is baking", HOUR) == BAKING
    assert earlier("Ben is baking", HOUR, subject="ben") is None
    assert earlier("the mill is sold", 3 * DAY) is None, "it is of another origin"


def ranking(stream: Stream, tick: int) -> list[RankedMemory]:
    return retrieve(
        stream.simulation_id, stream.agent, (1, 0), as_of_tick=tick, tick_seconds=10, decay=0.5
    )
