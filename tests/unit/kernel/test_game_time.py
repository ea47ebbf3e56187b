"""Ticks and the calendar that names them."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.game_time import GameCalendar, spoken_time

START = datetime(2023, 2, 13)


class TestGameCalendar:
    @given(st.integers(0, 10**7), st.sampled_from([1, 5, 10, 30, 60]))
    def test_finds_the_tick_of_the_time_of_a_tick(self, tick: int, seconds: int) -> None:
        calendar = GameCalendar(start=START, tick_seconds=seconds)
        assert calendar.tick_at(calendar.time_at(tick)) == tick

    def test_gives_the_first_tick_at_or_after_a_time(self) -> None:
        calendar = GameCalendar(start=START, tick_seconds=10)
        assert calendar.tick_at(datetime(2023, 2, 13, 0, 0, 11)) == 2

    def test_never_lets_a_stretch_of_minutes_vanish(self) -> None:
        assert GameCalendar(start=START, tick_seconds=60).ticks_of(minutes=0.1) == 1


class TestSpokenTime:
    def test_reads_as_people_say_it(self) -> None:
        assert spoken_time(datetime(2023, 2, 13, 0, 5)) == "Monday, February 13, 2023, 12:05 am"
