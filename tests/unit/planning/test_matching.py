"""The offered place that an answer means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.planning.matching import chosen

AREAS = [
    "Hobbs Cafe: cafe",
    "Isabella Rodriguez's apartment: kitchen",
    "Isabella Rodriguez's apartment: bathroom",
]


class TestChosen:
    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            ("Isabella Rodriguez's apartment: kitchen", AREAS[1]),
            ("KITCHEN", AREAS[1]),
            ("2", AREAS[1]),
            ("Isabella's apartment: kitchen", AREAS[1]),
            ("in the kitchen, at the stove", AREAS[1]),
            ("bathrom", AREAS[2]),
            ("<Hobbs Cafe: cafe>", AREAS[0]),
            ("the moon", None),
            ("", None),
            ("17", None),
        ],
    )
    def test_repairs_what_is_nearly_an_option_and_nothing_else(
        self, answer: str, expected: str | None
    ) -> None:
        assert chosen(answer, AREAS) == expected

    def test_prefers_the_option_of_which_most_is_named(self) -> None:
        options = ["Oak Hill College", "Oak Hill College: library"]
        assert chosen("the library of Oak Hill College", options) == options[1]

    @given(st.text(), st.lists(st.text()))
    def test_gives_an_offered_option_or_none(self, answer: str, options: list[str]) -> None:
        assert chosen(answer, options) in {*options, None}
