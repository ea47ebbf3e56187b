"""Game times and ticks, as requests name them."""

from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.game_moments import (
    UnusableTime,
    first_tick_from,
    iso,
    last_tick_until,
    parse_game_time,
)
from apps.kernel.game_time import TICK_MAX, GameCalendar

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)


class TestFirstTickFrom:
    @pytest.mark.parametrize(
        ("value", "tick"),
        [
            (0, 0),
            (2_490, 2_490),
            ("2490", 2_490),
            ("2023-02-13", 0),
            ("2023-02-13T06:55", 2_490),
            ("2023-02-13T06:55:00", 2_490),
            ("2023-02-13 06:55:00", 2_490),
            ("2023-02-13T06:54:51", 2_490),
            ("2023-02-13T06:55:01", 2_491),
        ],
    )
    def test_understands(self, value: str | int, tick: int) -> None:
        assert first_tick_from(value, CALENDAR) == tick

    @pytest.mark.parametrize(
        "value", [-1, TICK_MAX + 1, "2023-02-12T23:59:50", "9999-12-31", "9" * 10]
    )
    def test_refuses_what_no_town_can_live(self, value: str | int) -> None:
        with pytest.raises(UnusableTime, match="out of bounds"):
            first_tick_from(value, CALENDAR)

    @given(st.integers(min_value=0, max_value=TICK_MAX))
    def test_finds_the_tick_of_its_own_time(self, tick: int) -> None:
        assert first_tick_from(iso(CALENDAR.time_at(tick)), CALENDAR) == tick
        assert last_tick_until(iso(CALENDAR.time_at(tick)), CALENDAR) == tick


class TestLastTickUntil:
    @pytest.mark.parametrize(
        ("value", "tick"),
        [(7, 7), ("7", 7), ("2023-02-13T00:00:19", 1), ("2023-02-13T00:00:20", 2)],
    )
    def test_is_the_one_that_has_begun(self, value: str | int, tick: int) -> None:
        assert last_tick_until(value, CALENDAR) == tick

    def test_refuses_what_is_before_the_founding(self) -> None:
        with pytest.raises(UnusableTime, match="out of bounds"):
            last_tick_until("2023-02-12T23:59:55", CALENDAR)


class TestParseGameTime:
    @pytest.mark.parametrize(
        "text",
        [
            "2023-02-13T06:55:00Z",
            "2023-02-13T06:55:00z",
            "2023-02-13T06:55:00+00:00",
            "2023-02-13T06:55-0800",
            "2023-02-13T06:55:00.5+09",
        ],
    )
    def test_refuses_offsets_and_says_so(self, text: str) -> None:
        with pytest.raises(UnusableTime, match="leave the offset out"):
            parse_game_time(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "now",
            "06:55",
            "13/02/2023",
            "20230213T065500",
            "2023-W07-1",
            "2023-02-13T06:55:00.000001",
            "٢٠٢٣-02-13",
            "2023-02-13T06:55\n",
            "a" * 10_000,
        ],
    )
    def test_refuses_what_is_none_and_shows_how_to_write_one(self, text: str) -> None:
        with pytest.raises(UnusableTime, match="2023-02-13T06:55:00") as refused:
            parse_game_time(text)
        assert len(str(refused.value)) < 200

    @pytest.mark.parametrize(
        "text", ["2023-02-29", "2023-13-01", "2023-02-13T24:00", "0000-01-01"]
    )
    def test_refuses_what_no_calendar_has(self, text: str) -> None:
        with pytest.raises(UnusableTime, match="calendar"):
            parse_game_time(text)

    @given(st.text(max_size=60))
    def test_reads_or_refuses_anything(self, text: str) -> None:
        with suppress(UnusableTime):
            assert parse_game_time(text).tzinfo is None
