"""Ticks, the calendar that names them, and the one format of times."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.game_time import (
    MINUTES_PER_DAY,
    GameCalendar,
    format_clock,
    format_date,
    format_day,
    format_short_day,
    format_time,
    parse_clock,
)
from apps.kernel.language import use_language

START = datetime(2023, 2, 13)


class TestGameCalendar:
    @given(st.integers(0, 10**7), st.sampled_from([1, 5, 10, 30, 60]))
    def test_finds_the_tick_of_the_time_of_a_tick(self, tick: int, seconds: int) -> None:
        calendar = GameCalendar(start=START, tick_seconds=seconds)
        assert calendar.tick_at(calendar.time_at(tick)) == tick

    def test_gives_the_first_tick_at_or_after_a_time(self) -> None:
        calendar = GameCalendar(start=START, tick_seconds=10)
        assert calendar.tick_at(datetime(2023, 2, 13, 0, 0, 11)) == 2

    def test_gives_a_stretch_of_minutes_one_tick_at_least(self) -> None:
        assert GameCalendar(start=START, tick_seconds=60).ticks_of(minutes=0.1) == 1


class TestFormats:
    def test_print_times_and_dates(self) -> None:
        midnight = datetime(2023, 2, 13, 0, 5)
        assert format_time(midnight) == "Monday, February 13, 2023, 12:05 am"
        assert format_date(date(2023, 2, 4)) == "Saturday, February 4, 2023"
        assert format_day(date(2023, 9, 4)) == "Monday, September 4"
        assert format_short_day(date(2023, 9, 4)) == "Mon 4 Sep"

    def test_print_them_in_the_language_of_the_context(self) -> None:
        with use_language("de"):
            assert (
                format_time(datetime(2023, 3, 4, 19, 5)) == "Samstag, 4. März 2023, 19:05 Uhr"
            )
            assert format_day(date(2023, 9, 4)) == "Montag, 4. September"
            assert format_short_day(date(2023, 2, 13)) == "Mo. 13. Feb."
            assert format_clock(7 * 60 + 5) == "07:05 Uhr"
            assert parse_clock(format_clock(7 * 60 + 5)) == 7 * 60 + 5
        assert format_clock(7 * 60 + 5) == "7:05 am"

    @pytest.mark.parametrize(
        ("minute", "printed"),
        [(0, "12:00 am"), (725, "12:05 pm"), (1_439, "11:59 pm"), (1_500, "1:00 am")],
    )
    def test_print_minutes_of_any_day(self, minute: int, printed: str) -> None:
        assert format_clock(minute) == printed

    @given(st.integers(0, 3 * MINUTES_PER_DAY))
    def test_of_a_clock_are_parsed_again(self, minute: int) -> None:
        assert parse_clock(format_clock(minute)) == minute % MINUTES_PER_DAY


class TestParseClock:
    @pytest.mark.parametrize(
        ("text", "minute"),
        [("13:30", 810), (" 2:30 PM ", 870), ("9", 540), ("25:30", 1_530), ("12 a.m.", 0)],
    )
    def test_takes_times_of_day(self, text: str, minute: int) -> None:
        assert parse_clock(text) == minute

    @pytest.mark.parametrize("text", ["", "noon", "9:5", "37:00", "10:60", "8:00-9:00"])
    def test_takes_nothing_else(self, text: str) -> None:
        assert parse_clock(text) is None
