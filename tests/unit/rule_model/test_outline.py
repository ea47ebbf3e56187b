"""The outline of a day: duties, commitments and free hours from typed inputs."""

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agents.summary import LastingFacts
from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.memory.llm_tasks.facts import FactsInput
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk, times_of
from apps.planning.surroundings import PlaceOption
from apps.rule_model.tasks import task_rules
from tests.unit.rule_model.lives import (
    HOUR,
    SAINT_BRANNOC,
    SMALLVILLE,
    chance,
    content,
    memory,
    outline_input,
    setting,
)

HOME = PlaceOption(path="Mill Cottage", residents=("Ada Finch",), areas=("bedroom", "kitchen"))
INN = PlaceOption(path="The Crooked Inn", opens=17 * HOUR, closes=23 * HOUR)
BAKERY = PlaceOption(
    path="The Bakery", opens=7 * HOUR, closes=15 * HOUR, keepers=("Ada Finch",)
)


def outlined(given_: DayOutlineInput, seed: int = 7) -> list[OutlineChunk]:
    answer = task_rules(content())["planning.day_outline"](
        given_, chance("day_outline", given_.agent_name, seed)
    )
    return list(answer.chunks)


def ada(*phrases: str, **changes: object) -> DayOutlineInput:
    base = replace(
        outline_input(SMALLVILLE, "Adam Smith"),
        agent_name="Ada Finch",
        memories=tuple(memory(f"Ada Finch {phrase}", n) for n, phrase in enumerate(phrases, 1)),
        wake_minute=6 * HOUR,
        now_minute=6 * HOUR,
        bed_minute=22 * HOUR,
        dinner_minute=18 * HOUR,
        home=HOME.path,
        workplace="",
        places=(HOME, INN, BAKERY),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def at(chunks: list[OutlineChunk], clock: str) -> OutlineChunk:
    return [chunk for chunk in chunks if chunk.starts <= clock][-1]


def test_keeps_the_routine_that_lasts_without_any_memory_of_it() -> None:
    """A small retrieval budget, or other memories of later days, change no usual day."""
    summary = replace(
        ada().summary,
        lasting=LastingFacts(
            routines=("Ada Finch grinds flour in the kitchen from 1 pm to 5 pm",)
        ),
    )
    assert "grind flour in the kitchen" in at(outlined(ada(summary=summary)), "14:00").activity
    assert "grind flour" not in at(outlined(ada()), "14:00").activity


def test_sort_out_what_is_done_at_some_time_or_on_some_day() -> None:
    phrases = (
        "Ada Finch keeps the mill",
        "Ada Finch grinds flour from nine to noon",
        "Ada Finch is carving a chess set",
        "Ada Finch has supper at the inn around 6 pm",
        "Ada Finch sweeps the mill on Saturdays",
        "Ada Finch likes to talk about the weather",
        "Ben Holt comes to the mill at 8 am",
        "Ada Finch will run for reeve in the spring",
    )
    given_ = FactsInput(
        agent_name="Ada Finch", today=date(1410, 3, 1), statements=phrases, others=()
    )
    found = task_rules(content())["facts.description"](given_, chance("facts", "", 7))
    assert found.routines == (2, 4, 5)
    assert [one.because_of for one in found.pursuits] == [(3,), (8,)]
    assert found.occupation == (1,)


def test_go_to_bed_now_and_then_earlier_or_later_than_usual() -> None:
    bedtimes = {
        task_rules(content())["planning.day_outline"](
            ada(), chance("outline", "", seed)
        ).bedtime
        for seed in range(20)
    }
    assert bedtimes == {"21:30", "21:45", "22:00", "22:15", "22:30"}


@settings(max_examples=40, deadline=None)
@given(
    agent=st.sampled_from(
        [
            (folder, name)
            for folder in (SAINT_BRANNOC, SMALLVILLE)
            for name in setting(folder).agents
        ]
    ),
    share=st.floats(0, 1),
    seed=st.integers(0, 50),
)
def test_covers_what_is_left_of_the_day(
    agent: tuple[object, str], share: float, seed: int
) -> None:
    folder, name = agent
    whole = outline_input(folder, name)  # type: ignore[arg-type]
    awake = whole.bed_minute - whole.wake_minute
    now = whole.wake_minute + int(share * (awake - 1))
    given_ = replace(whole, now_minute=now)
    chunks = outlined(given_, seed)
    assert 1 <= len(chunks) <= given_.chunks_max
    offered = {place.path for place in given_.places}
    assert all(chunk.place in offered for chunk in chunks)
    starts = [int(one.starts[:2]) * HOUR + int(one.starts[3:]) for one in chunks]
    starts = [start if start >= now else start + 24 * HOUR for start in starts]
    assert starts == sorted(starts)
    assert starts[0] - now < 30
    assert all(one.activity and len(one.activity) <= 300 for one in chunks)


def test_of_an_agent_without_a_description_is_a_plain_day() -> None:
    chunks = outlined(ada(places=(HOME,)))
    assert {chunk.place for chunk in chunks} == {HOME.path}
    assert any("dinner" in chunk.activity for chunk in chunks)
    assert any("lunch" in chunk.activity for chunk in chunks)


@pytest.mark.parametrize(
    "phrase",
    [
        "opens The Bakery at 7:00 am and stands behind its counter until 3:00 pm",
        "is the baker of the village",
    ],
)
def test_a_keeper_opens_on_time(phrase: str) -> None:
    chunks = outlined(ada(phrase, workplace=BAKERY.path))
    first = next(chunk for chunk in chunks if chunk.place == BAKERY.path)
    assert first.starts <= "07:00"
    assert first.activity.startswith("open The Bakery")


@pytest.mark.parametrize(
    ("phrase", "clock", "activity"),
    [
        ("mends nets at The Bakery from 9 am to 11 am", "09:00", "mend nets at The Bakery"),
        ("feeds the hens in the morning", "08:00", "feed the hens"),
        ("wakes up at 6 am, feeds the hens at 8 am, and then weaves cloth from 9 to 11 am",
         "09:00", "weave cloth"),
        ("carves spoons and paints bowls from 13:00 to 16:00", "13:00",
         "carve spoons and paint bowls"),
        ("copies charters from nine to noon at the desk", "09:00", "copy charters at the desk"),
        ("rings a bell at half past seven in the morning", "07:30", "ring a bell"),
        ("mends nets on Mondays and Thursdays from two to four", "14:00", "mend nets"),
        ("sorts seeds from seven to eight in the evening", "19:00", "sort seeds"),
    ],
)  # fmt: skip
def test_follows_a_phrase(phrase: str, clock: str, activity: str) -> None:
    chunk = at(outlined(ada(phrase)), clock)
    assert activity in chunk.activity


def test_keeps_weekdays() -> None:
    monday = ada("mends nets on Tuesdays from 9 am to 11 am")
    assert not any("mend nets" in chunk.activity for chunk in outlined(monday))
    tuesday = replace(monday, date=datetime(2023, 2, 14).date())
    assert any("mend nets" in chunk.activity for chunk in outlined(tuesday))


def test_goes_nowhere_that_is_closed() -> None:
    chunks = outlined(ada("mends nets at The Crooked Inn from 9 am to 11 am"))
    assert INN.path not in {chunk.place for chunk in chunks if chunk.starts < "17:00"}


def test_keeps_what_is_scheduled() -> None:
    scheduled = ScheduledActivity(
        activity="play dice with Ben Marsh",
        place="The Crooked Inn",
        starts=datetime(2023, 2, 13, 19),
        ends=datetime(2023, 2, 13, 20),
    )
    known = memory("whatever it says", 50, origin=MemoryOrigin.DECIDED, scheduled=scheduled)
    given_ = ada()
    chunks = outlined(replace(given_, memories=(known,)))
    chunk = at(chunks, "19:00")
    assert chunk.activity.startswith("play dice with Ben Marsh")
    assert chunk.place == INN.path
    tomorrow = replace(given_, memories=(known,), date=datetime(2023, 2, 14).date())
    assert not any("play dice with" in one.activity for one in outlined(tomorrow))


def test_gives_an_hour_to_a_decision_without_a_time() -> None:
    known = memory(
        "whatever it says",
        50,
        origin=MemoryOrigin.DECIDED,
        scheduled=ScheduledActivity(activity="learn the harp"),
    )
    chunks = outlined(replace(ada(), memories=(known,)))
    assert any("learn the harp" in chunk.activity for chunk in chunks)


def test_evenings_differ_by_agent_and_by_day() -> None:
    evenings = set()
    for traits in (("devout",), ("jovial", "restless"), ("analytical",)):
        for seed in range(4):
            given_ = ada(summary=replace(ada().summary, traits=traits))
            evenings.add(outlined(given_, seed)[-1].activity)
    assert len(evenings) >= 6


def test_no_class_is_held_at_the_weekend_unless_it_is_said() -> None:
    saturday = datetime(2023, 2, 18).date()
    for phrase, is_held in (
        ("teaches knots at The Bakery from 9 am to 11 am", False),
        ("teaches knots at The Bakery on Saturdays from 9 am to 11 am", True),
        ("mends nets at The Bakery from 9 am to 11 am", True),
    ):
        chunks = outlined(replace(ada(phrase), date=saturday))
        assert any("at The Bakery" in chunk.activity for chunk in chunks) is is_held, phrase


def test_a_day_of_rest_has_more_time_elsewhere() -> None:
    library = PlaceOption(path="The Old Library", opens=8 * HOUR, closes=20 * HOUR)
    park = PlaceOption(path="Alder Park")
    busy = ada("mends nets in the kitchen from 12 pm to 2 pm")
    busy = replace(busy, places=(*busy.places, library, park))

    def minutes_out(day: date) -> int:
        inputs = replace(busy, date=day)
        out = 0
        for seed in range(40):
            chunks = outlined(inputs, seed)
            out += sum(
                one.minutes
                for one in times_of(inputs, DayOutline(chunks=chunks))
                if chunks[one.index].place != HOME.path
            )
        return out

    thursday, saturday = date(2023, 2, 16), date(2023, 2, 18)
    assert minutes_out(saturday) > 1.3 * minutes_out(thursday)
