"""An agreement that was changed or cancelled says so, from that tick on (D3)."""

from datetime import datetime

import pytest

from apps.kernel.game_time import GameCalendar
from apps.memory import earlier_memories, queries
from apps.memory.events import MemoryKind, MemoryOrigin, MemorySuperseded, ScheduledActivity
from apps.memory.items import memory_item
from apps.memory.prompt_lines import memory_text
from tests.integration.memory.streams import Stream
from tests.integration.memory.test_recollection import retrieval

pytestmark = pytest.mark.django_db

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
NOON = datetime(2023, 2, 13, 12)
CORRECTED = 6_204  # 5:14 pm


def agreed(stream: Stream, text: str, day: int, starts: int) -> int:
    return stream.remember(
        0,
        (1, 0),
        description=text,
        kind=MemoryKind.PLAN,
        origin=MemoryOrigin.AGREED,
        scheduled=ScheduledActivity(
            activity="listen to Eddy",
            starts=datetime(2023, 2, day, starts),
            ends=datetime(2023, 2, day, starts + 1),
        ),
    )


def holding(stream: Stream, tick: int) -> list[int]:
    found = earlier_memories.agreements_from(
        stream.simulation_id, stream.agent, now=NOON, as_of_tick=tick
    )
    return [row.number for row in found]


def test_an_agreement_is_superseded_as_of_its_tick() -> None:
    stream = Stream()
    half_past = agreed(stream, "John Lin agreed to listen at half past seven", 13, 19)
    tomorrow = agreed(stream, "John Lin agreed to help Tom", 14, 9)
    agreed(stream, "John Lin agreed to open early", 13, 7)  # over at noon
    stream.apply(CORRECTED, MemorySuperseded(number=half_past, event="6204/john-lin/0"))
    assert holding(stream, CORRECTED - 1) == [half_past, tomorrow]
    assert holding(stream, CORRECTED) == [tomorrow]


def test_the_gist_of_its_conversation_says_so_too() -> None:
    """John reads at noon that they agreed; since 5:14 pm he also reads that this is over."""
    stream = Stream()
    gist = stream.remember(
        0,
        (1, 0),
        description="John Lin and Eddy Lin agreed on half past seven",
        kind=MemoryKind.DIALOGUE,
        origin=MemoryOrigin.CONVERSATION,
    )
    half_past = agreed(stream, "John Lin agreed to listen at half past seven", 13, 19)
    stream.remember(
        9,
        (1, 0),
        description="John Lin and Tom Moreno spoke of the poll",
        kind=MemoryKind.DIALOGUE,
        origin=MemoryOrigin.CONVERSATION,
    )
    of_agent = (stream.simulation_id, stream.agent)
    assert earlier_memories.gists_with(*of_agent, [half_past], as_of_tick=CORRECTED) == [gist]
    stream.apply(CORRECTED, MemorySuperseded(number=gist, event="6204/john-lin/0"))
    assert earlier_memories.gists_with(*of_agent, [half_past], as_of_tick=CORRECTED) == []
    assert earlier_memories.gists_with(*of_agent, [half_past], as_of_tick=CORRECTED - 1) == [
        gist
    ]
    rows = queries.list_memories(*of_agent, as_of_tick=CORRECTED)
    [row] = [one for one in rows if one.number == gist]
    assert memory_text(memory_item(row, time_at=CALENDAR.time_at, name_of=lambda _: "")) == (
        "Mon 13 Feb 12:00 am: John Lin and Eddy Lin agreed on half past seven "
        "(what was agreed was superseded on Mon 13 Feb 5:14 pm)"
    )


def test_its_line_in_a_prompt_says_since_when() -> None:
    stream = Stream()
    agreed(stream, "John Lin agreed to listen at half past seven", 13, 19)
    stream.apply(CORRECTED, MemorySuperseded(number=1, event="6204/john-lin/0"))

    def line(tick: int) -> str:
        [found] = retrieval(stream, as_of_tick=tick).retrieve("when does Eddy play", "test")
        item = memory_item(found, time_at=CALENDAR.time_at, name_of=lambda _: "")
        [row] = queries.list_memories(stream.simulation_id, stream.agent, as_of_tick=tick)
        assert memory_item(row, time_at=CALENDAR.time_at, name_of=lambda _: "") == item
        return memory_text(item)

    text = "Mon 13 Feb 12:00 am: John Lin agreed to listen at half past seven"
    assert line(CORRECTED - 1) == text
    assert line(CORRECTED) == f"{text} (superseded on Mon 13 Feb 5:14 pm)"
