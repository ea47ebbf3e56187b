"""Outlines of a careful model for Mei Lin, who teaches from ten to one: kept as answered."""

from dataclasses import replace
from datetime import datetime

from apps.agents.status import Agreement
from apps.planning.commands import DayPlan, plan_day
from apps.planning.events import PlannedItem
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk
from apps.planning.llm_tasks.hourly_plan import hours_as_planned
from tests.unit.planning.people import CALENDAR, planning_context_of, scripted_mind, tick

MEI = "Mei Lin"
HOME, CLASSROOM = "Lin family's house", "Oak Hill College: classroom"
SEVEN_CHUNKS = (
    ("07:00", "get up and have breakfast with John and Eddy", HOME),
    ("09:15", "walk to the college and go over the notes", CLASSROOM),
    ("10:00", "teach the seminar", CLASSROOM),
    ("13:00", "have lunch", "Oak Hill College"),
    ("14:00", "study", "Oak Hill College: library"),
    ("17:15", "have dinner with John and Eddy", HOME),
    ("18:30", "spend the evening with the family", HOME),
)


def outlined(*agreements: Agreement, at: str = "7:00") -> DayPlan:
    answer = DayOutline(
        chunks=[
            OutlineChunk(starts=starts, activity=activity, place=place)
            for starts, activity, place in SEVEN_CHUNKS
        ]
    )
    return plan_day(
        scripted_mind(day_outline=answer, hourly_plan=hours_as_planned),
        replace(planning_context_of(MEI), agreements=agreements),
        now_tick=tick(at),
        yesterday=None,
        next_number=1,
    )


def times(item: PlannedItem) -> tuple[str, int]:
    start = CALENDAR.time_at(item.from_tick)
    minutes = CALENDAR.minutes_of(item.to_tick - item.from_tick)
    return f"{start:%H:%M}", round(minutes)


def test_all_chunks_keep_their_words_places_and_starts() -> None:
    answered = [item for item in outlined().outlined.items if not item.asleep]
    assert [(times(item)[0], item.description, item.place) for item in answered] == list(
        SEVEN_CHUNKS
    )


def test_nothing_is_planned_that_was_not_answered() -> None:
    plan = outlined()
    lengths = [times(item)[1] for item in plan.outlined.items if not item.asleep]
    assert lengths == [135, 45, 180, 60, 195, 75, 270]
    assert not any(item.free for item in plan.outlined.items)


def test_class_and_study_last_as_long_in_the_hours_as_in_the_outline() -> None:
    hours = [item for item in outlined().hours.items if not item.asleep]
    ends = {
        activity: max(
            f"{CALENDAR.time_at(item.to_tick):%H:%M}"
            for item in hours
            if item.description == activity
        )
        for activity in ("teach the seminar", "study", "have dinner with John and Eddy")
    }
    assert list(ends.values()) == ["13:00", "17:15", "18:30"]


def test_hours_are_split_at_the_times_of_an_agreement() -> None:
    piece = Agreement(
        activity="listen to the piece",
        place=HOME,
        starts=datetime(2023, 2, 13, 19, 30),
        ends=datetime(2023, 2, 13, 20),
        other="Eddy Lin",
    )
    hours = [times(item) for item in outlined(piece).hours.items]
    assert [hour for hour in hours if "18:30" <= hour[0] < "21:00"] == [
        ("18:30", 30),
        ("19:00", 30),
        ("19:30", 30),
        ("20:00", 60),
    ]


def night_planned(bedtime: str | None, wakes: str | None) -> tuple[str, str]:
    """Return when the night of an outline begins and ends; 11:00 pm and 7:00 am are usual."""
    answer = DayOutline(
        chunks=[OutlineChunk(starts="07:00", activity="teach", place=HOME)],
        bedtime=bedtime,
        wakes=wakes,
    )
    plan = plan_day(
        scripted_mind(day_outline=answer, hourly_plan=hours_as_planned),
        planning_context_of(MEI),
        now_tick=tick("7:00"),
        yesterday=None,
        next_number=1,
    )
    edges = [plan.hours.items[0].from_tick, *(item.to_tick for item in plan.hours.items)]
    assert [item.from_tick for item in plan.hours.items] == edges[:-1]
    night = plan.hours.items[-1]
    assert night.asleep
    begins, ends = (CALENDAR.time_at(at) for at in (night.from_tick, night.to_tick))
    return f"{begins:%d %H:%M}", f"{ends:%d %H:%M}"


def test_the_agent_decides_when_it_sleeps() -> None:
    assert night_planned(None, None) == ("13 23:00", "14 07:00")
    assert night_planned("21:15", "05:30") == ("13 21:15", "14 05:30")
    assert night_planned("00:45", "08:30") == ("14 00:45", "14 08:30")
    assert night_planned("24:45", None) == ("14 00:45", "14 07:00")


def test_a_night_stays_within_the_plan_day() -> None:
    assert night_planned("05:00", None) == ("14 04:00", "14 07:00")
    assert night_planned(None, "12:00") == ("13 23:00", "14 10:00")
    assert night_planned(None, "02:00") == ("13 23:00", "14 05:00")
    assert night_planned("02:30", "05:00") == ("14 02:00", "14 05:00")
    assert night_planned("07:00", None) == ("13 07:10", "14 07:00")
