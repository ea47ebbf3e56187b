"""Dates and weekdays in phrases (stand-in)."""

import pytest

from apps.rule_model.planning.dates import applies, dates, day_after, is_on, is_past

TUESDAY = "Tuesday, February 14, 2023"


class TestDates:
    @pytest.mark.parametrize(
        "told",
        [
            "on February 14",
            "on Tuesday, February 14, from 5 pm",
            "on February 14th",
            "on the 14th of February",
            "on 14 February 2023",
            "on Feb 14",
            "on 2023-02-14",
        ],
    )
    def test_are_read_however_they_are_told(self, told: str) -> None:
        assert dates(told) == [(2, 14)]
        assert is_on(told, TUESDAY)

    @pytest.mark.parametrize("told", ["on Tuesday", "may go", "March 145", "at 14:00"])
    def test_are_not_seen_where_there_are_none(self, told: str) -> None:
        assert dates(told) == []

    def test_of_another_year_are_another_day(self) -> None:
        assert not is_on("on February 14, 2024", TUESDAY)

    def test_go_over_the_end_of_a_month_and_a_year(self) -> None:
        assert day_after("Tuesday, February 28, 2023") == "Wednesday, March 1, 2023"
        assert day_after("Sunday, December 31, 2023") == "Monday, January 1, 2024"

    def test_that_are_over_are_past(self) -> None:
        assert is_past("on February 13", TUESDAY)
        assert not is_past("on February 14", TUESDAY)


class TestApplies:
    @pytest.mark.parametrize(
        ("sentence", "holds"),
        [
            ("buys groceries on Thursdays", False),
            ("buys groceries on Tuesdays", True),
            ("has classes at Oak Hill College", True),
            ("rests on weekends", False),
            ("gives a party on February 14", True),
            ("gives a party on February 15", False),
        ],
    )
    def test_says_whether_a_sentence_holds_today(self, sentence: str, holds: bool) -> None:
        assert applies(sentence, TUESDAY) is holds
