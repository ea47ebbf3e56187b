"""The times of an answered outline: kept to five minutes, and every change on record."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from apps.llm.answers.differences import Difference
from apps.planning.answered_times import minute_of
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk, fitted_outline
from tests.unit.planning.people import ISABELLA, planning_context_of

HOUR = 60
INPUTS = DayOutlineInput(
    agent_name=ISABELLA,
    summary=planning_context_of(ISABELLA).summary,
    yesterday=None,
    memories=(),
    date=date(2023, 2, 13),
    wake_minute=6 * HOUR,
    now_minute=6 * HOUR,
    bed_minute=23 * HOUR,
    dinner_minute=None,
    home="Isabella Rodriguez's apartment",
    workplace="Hobbs Cafe",
    places=(),
    chunks_min=5,
    chunks_max=8,
)
OUTLINE = (
    ("06:00", 90, "wash and have breakfast"),
    ("08:00", 300, "open Hobbs Cafe"),
    ("13:00", 30, "have lunch"),
    ("13:45", 75, "serve the customers"),
)

times = st.tuples(
    st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)),
    st.integers(-600, 3_000),
)


def outline(*chunks: tuple[str, int, str]) -> DayOutline:
    return DayOutline(
        chunks=[
            OutlineChunk(starts=starts, minutes=minutes, activity=activity, place="")
            for starts, minutes, activity in chunks
        ]
    )


def fitted(
    *chunks: tuple[str, int, str], inputs: DayOutlineInput = INPUTS
) -> tuple[list[tuple[str, int, str]], tuple[Difference, ...]]:
    adjusted = fitted_outline(inputs, outline(*chunks))
    return [
        (one.starts, one.minutes, one.activity) for one in adjusted.answer.chunks
    ], adjusted.differences


def paths(differences: Sequence[Difference]) -> list[str]:
    return [difference.field for difference in differences]


class TestFittedOutline:
    def test_is_the_answer_where_chunks_follow_one_another(self) -> None:
        assert fitted(*OUTLINE) == (list(OUTLINE), ())

    def test_keeps_more_chunks_than_were_asked_for(self) -> None:
        many = [(f"{hour:02d}:00", HOUR, f"task {hour}") for hour in range(6, 23)]
        assert fitted(*many) == (many, ())

    def test_puts_chunks_in_order_on_record(self) -> None:
        chunks, differences = fitted(*reversed(OUTLINE))
        assert chunks == list(OUTLINE)
        assert [(d.field, d.answered, d.used) for d in differences] == [
            ("chunks", "13:45, 13:00, 08:00, 06:00", "06:00, 08:00, 13:00, 13:45")
        ]

    def test_reads_hours_that_are_counted_from_noon_again(self) -> None:
        day = outline(("06:00", 360, "wash"), ("12:00", 120, "eat"), ("02:00", 60, "read"))
        adjusted = fitted_outline(INPUTS, day.model_copy(update={"bedtime": "10:30"}))
        assert [one.starts for one in adjusted.answer.chunks] == ["06:00", "12:00", "14:00"]
        assert [(d.field, d.answered, d.used) for d in adjusted.differences] == [
            ("chunks.3.starts", "02:00", "14:00"),
            ("bedtime", "10:30", "22:30"),
        ]

    def test_keeps_an_early_bedtime_after_which_nothing_is_planned(self) -> None:
        ill = outline(("06:00", 180, "wash")).model_copy(update={"bedtime": "09:00"})
        assert fitted_outline(INPUTS, ill).differences == ()

    def test_cuts_a_chunk_at_the_next_one(self) -> None:
        chunks, differences = fitted(("06:00", 180, "wash"), ("08:00", 60, "read"))
        assert chunks == [("06:00", 120, "wash"), ("08:00", 60, "read")]
        assert [(d.field, d.answered, d.used) for d in differences] == [
            ("chunks.1.minutes", "180", "120")
        ]

    def test_moves_chunks_that_begin_together(self) -> None:
        chunks, differences = fitted(("06:00", 60, "wash"), ("06:00", 60, "sing"))
        assert chunks == [("06:00", 10, "wash"), ("06:10", 50, "sing")]
        assert paths(differences) == [
            "chunks.1.minutes",
            "chunks.2.starts",
            "chunks.2.minutes",
        ]

    def test_joins_a_gap_of_a_few_minutes_to_the_chunk_before(self) -> None:
        chunks, differences = fitted(("06:00", 115, "wash"), ("08:00", 60, "read"))
        assert chunks == [("06:00", 120, "wash"), ("08:00", 60, "read")]
        assert paths(differences) == ["chunks.1.minutes"]

    def test_drops_a_chunk_after_bedtime_on_record(self) -> None:
        chunks, differences = fitted(*OUTLINE, ("23:00", 420, "go to bed"))
        assert chunks == list(OUTLINE)
        assert differences == (
            Difference(
                field="chunks.5",
                answered="go to bed",
                used="",
                reason="it begins after bedtime",
            ),
        )

    def test_ends_the_last_chunk_at_bedtime(self) -> None:
        chunks, differences = fitted(("21:00", 180, "dance"))
        assert chunks == [("21:00", 120, "dance")]
        assert paths(differences) == ["chunks.1.minutes"]

    def test_begins_a_past_chunk_now(self) -> None:
        late = replace(INPUTS, now_minute=7 * HOUR + 5)
        for answered in (("07:00", 60, "wash"), ("06:00", 120, "wash")):
            chunks, differences = fitted(answered, inputs=late)
            assert chunks == [("07:05", 55, "wash")]
            assert paths(differences) == ["chunks.1.starts", "chunks.1.minutes"]

    def test_gives_a_chunk_without_a_length_the_time_until_the_next(self) -> None:
        chunks, _ = fitted(("06:00", 0, "wash"), ("08:00", -3, "read"))
        assert chunks == [("06:00", 120, "wash"), ("08:00", 15 * HOUR, "read")]

    def test_records_a_night_that_cannot_be(self) -> None:
        answer = DayOutline(chunks=outline(*OUTLINE).chunks, bedtime="05:00", wakes="12:00")
        adjusted = fitted_outline(INPUTS, answer)
        assert [(d.field, d.answered, d.used) for d in adjusted.differences] == [
            ("wakes", "12:00", "33:00"),
        ]

    @given(st.lists(times, min_size=1, max_size=20))
    def test_never_overlaps_and_records_every_change(
        self, answered: list[tuple[str, int]]
    ) -> None:
        asked = [
            (starts, minutes, str(index)) for index, (starts, minutes) in enumerate(answered)
        ]
        chunks, differences = fitted(*asked)
        edges = [
            edge
            for starts, minutes, _ in chunks
            for start in [minute_of(starts, now=6 * HOUR, until=23 * HOUR)]
            for edge in (start, start + minutes)
        ]
        assert edges == sorted(edges)
        assert all(6 * HOUR <= edge <= 23 * HOUR for edge in edges)
        assert all(minutes >= 10 for _, minutes, _ in chunks)
        named = set(paths(differences))
        for index, (_, minutes, _) in enumerate(asked):
            used = next((one for one in chunks if one[2] == str(index)), None)
            if used is None:
                assert f"chunks.{index + 1}" in named
            elif used[1] != minutes:
                assert f"chunks.{index + 1}.minutes" in named


class TestMinuteOf:
    def test_is_today_when_it_is_still_to_come(self) -> None:
        assert minute_of("13:00", now=600, until=1_560) == 780

    def test_is_tomorrow_when_that_is_before_the_end(self) -> None:
        assert minute_of("1:00", now=600, until=1_560) == 1_500
        assert minute_of("25:00", now=600, until=1_560) == 1_500

    def test_is_past_when_it_is_over(self) -> None:
        assert minute_of("9:00", now=600, until=1_560) == 540

    def test_counts_from_the_day_before_after_midnight(self) -> None:
        assert minute_of("01:00", now=1_470, until=1_560) == 1_500
