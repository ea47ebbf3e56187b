"""The times of an answered outline: kept, and every change on record."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

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
    ("06:00", "wash and have breakfast"),
    ("08:00", "open Hobbs Cafe"),
    ("13:00", "have lunch"),
    ("13:45", "serve the customers"),
)

times = st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59))


def outline(*chunks: tuple[str, str]) -> DayOutline:
    return DayOutline(
        chunks=[
            OutlineChunk(starts=starts, activity=activity, place="")
            for starts, activity in chunks
        ]
    )


def fitted(
    *chunks: tuple[str, str], inputs: DayOutlineInput = INPUTS
) -> tuple[list[tuple[str, str]], tuple[Difference, ...]]:
    adjusted = fitted_outline(inputs, outline(*chunks))
    return [(one.starts, one.activity) for one in adjusted.answer.chunks], adjusted.differences


def paths(differences: Sequence[Difference]) -> list[str]:
    return [difference.field for difference in differences]


class TestFittedOutline:
    def test_is_the_answer_where_chunks_follow_one_another(self) -> None:
        assert fitted(*OUTLINE) == (list(OUTLINE), ())

    def test_keeps_more_chunks_than_were_asked_for(self) -> None:
        many = [(f"{hour:02d}:00", f"task {hour}") for hour in range(6, 23)]
        assert fitted(*many) == (many, ())

    def test_puts_chunks_in_order_on_record(self) -> None:
        chunks, differences = fitted(*reversed(OUTLINE))
        assert chunks == list(OUTLINE)
        assert [(d.field, d.answered, d.used) for d in differences] == [
            ("chunks", "13:45, 13:00, 08:00, 06:00", "06:00, 08:00, 13:00, 13:45")
        ]

    def test_reads_hours_that_are_counted_from_noon_again(self) -> None:
        day = outline(("06:00", "wash"), ("12:00", "eat"), ("02:00", "read"))
        adjusted = fitted_outline(INPUTS, day.model_copy(update={"bedtime": "10:30"}))
        assert [one.starts for one in adjusted.answer.chunks] == ["06:00", "12:00", "14:00"]
        assert [(d.field, d.answered, d.used) for d in adjusted.differences] == [
            ("chunks.3.starts", "02:00", "14:00"),
            ("bedtime", "10:30", "22:30"),
        ]

    def test_keeps_an_early_bedtime_after_which_nothing_is_planned(self) -> None:
        ill = outline(("06:00", "wash")).model_copy(update={"bedtime": "09:00"})
        assert fitted_outline(INPUTS, ill).differences == ()

    def test_moves_chunks_that_begin_together(self) -> None:
        chunks, differences = fitted(("06:00", "wash"), ("06:00", "sing"))
        assert chunks == [("06:00", "wash"), ("06:10", "sing")]
        assert paths(differences) == ["chunks.2.starts"]

    def test_begins_the_first_chunk_now_on_record(self) -> None:
        chunks, differences = fitted(("07:00", "wash"), ("08:00", "read"))
        assert chunks == [("06:00", "wash"), ("08:00", "read")]
        assert [(d.field, d.answered, d.used) for d in differences] == [
            ("chunks.1.starts", "07:00", "06:00")
        ]

    def test_drops_a_chunk_after_bedtime_on_record(self) -> None:
        chunks, differences = fitted(*OUTLINE, ("23:00", "go to bed"))
        assert chunks == list(OUTLINE)
        assert differences == (
            Difference(
                field="chunks.5",
                answered="go to bed",
                used="",
                reason="it begins after bedtime",
            ),
        )

    def test_begins_a_past_chunk_now(self) -> None:
        late = replace(INPUTS, now_minute=7 * HOUR + 5)
        chunks, differences = fitted(("07:00", "wash"), ("09:00", "read"), inputs=late)
        assert chunks == [("07:05", "wash"), ("09:00", "read")]
        assert paths(differences) == ["chunks.1.starts"]

    def test_records_a_night_that_cannot_be(self) -> None:
        answer = DayOutline(chunks=outline(*OUTLINE).chunks, bedtime="05:00", wakes="12:00")
        adjusted = fitted_outline(INPUTS, answer)
        assert [(d.field, d.answered, d.used) for d in adjusted.differences] == [
            ("wakes", "12:00", "33:00"),
        ]

    @given(st.lists(times, min_size=1, max_size=20))
    def test_never_overlaps_and_records_every_change(self, answered: list[str]) -> None:
        asked = [(starts, str(index)) for index, starts in enumerate(answered)]
        chunks, differences = fitted(*asked)
        starts = [minute_of(one, now=6 * HOUR, until=23 * HOUR) for one, _ in chunks]
        edges = [*starts, 23 * HOUR]
        assert starts[:1] == [6 * HOUR] or not chunks
        assert all(end - start >= 10 for start, end in pairwise(edges))
        named = set(paths(differences))
        for starts_at, name in asked:
            used = next((one for one, other in chunks if other == name), None)
            if used is None:
                assert f"chunks.{int(name) + 1}" in named
            elif used != starts_at:
                assert f"chunks.{int(name) + 1}.starts" in named


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
