"""Furniture that a plan names reaches the actions (stand-in)."""

import pytest

from apps.rule_model.planning.furniture import (
    at_counter,
    at_seat,
    seat_in,
    seated,
    without_seat,
)


class TestSeats:
    @pytest.mark.parametrize(
        ("text", "seat"),
        [
            ("paint at the easel in her house", "at the easel"),
            (
                "write code at the desk with a computer in his room",
                "at the desk with a computer",
            ),
            ("read a book on the sofa", "on the sofa"),
            ("rehearse in the common room of the house", "in the common room"),
            ("take a walk in Johnson Park", ""),
        ],
    )
    def test_are_found_in_words(self, text: str, seat: str) -> None:
        assert seat_in(text) == seat

    def test_are_carried_from_the_chunk_to_the_hour_and_left_out_again(self) -> None:
        hour = seated("draft the next section", "work on the paper at the table in her house")
        assert hour == "draft the next section at the table"
        assert without_seat(hour) == "draft the next section"

    @pytest.mark.parametrize(
        ("action", "told"),
        [
            ("writing at the desk", "writing at the table"),
            ("reading a chapter", "reading a chapter at the table"),
            ("fetching a book from the shelf", "fetching a book from the shelf"),
            ("stretching", "stretching"),
        ],
    )
    def test_are_where_things_are_done_that_can_be_done_anywhere(
        self, action: str, told: str
    ) -> None:
        assert at_seat(action, "at the table") == told


class TestCounters:
    def test_are_called_as_the_plan_calls_them(self) -> None:
        told = "eat a bite of lunch behind the pharmacy counter of the market"
        assert at_counter("eating behind the counter", told) == (
            "eating behind the pharmacy counter"
        )

    def test_stay_plain_where_the_plan_names_none(self) -> None:
        assert at_counter("paying at the counter", "buy groceries") == "paying at the counter"
