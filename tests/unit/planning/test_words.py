"""Words of models, brought into form: nothing here may fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.planning.words import (
    DESCRIPTION_CHARACTERS_MAX,
    base_verb,
    chosen,
    doing,
    minute_of_clock,
    only_emoji,
    plain_activity,
    plain_state,
    said_as_plan,
)

NAME = "Isabella Rodriguez"
AREAS = [
    "Hobbs Cafe: cafe",
    "Isabella Rodriguez's apartment: kitchen",
    "Isabella Rodriguez's apartment: bathroom",
]


class TestPlainActivity:
    @pytest.mark.parametrize(
        ("said", "plain"),
        [
            ("Isabella Rodriguez is brewing coffee.", "brewing coffee"),
            ("Isabella is brewing coffee", "brewing coffee"),
            ("1) 8:00 am: Open the cafe", "open the cafe"),
            ("She is  wiping\nthe tables;", "wiping the tables"),
            ('"Reading a book"', "reading a book"),
            ("plans to serve customers", "serve customers"),
            ("...", "taking a rest"),
            ("", "taking a rest"),
        ],
    )
    def test_keeps_only_what_is_done(self, said: str, plain: str) -> None:
        assert plain_activity(NAME, said, default="taking a rest") == plain

    @given(st.text())
    def test_is_never_empty_nor_too_long(self, said: str) -> None:
        plain = plain_activity(NAME, said, default="taking a rest")
        assert 0 < len(plain) <= DESCRIPTION_CHARACTERS_MAX


class TestDoing:
    @pytest.mark.parametrize(
        ("activity", "expected"),
        [
            (
                "open the cafe, wash and have breakfast",
                "opening the cafe, washing and having breakfast",
            ),
            ("get ready for bed", "getting ready for bed"),
            ("edit a film, then lie down", "editing a film, then lying down"),
            ("wiping the tables", "wiping the tables"),
            ("asleep", "asleep"),
        ],
    )
    def test_turns_infinitives_into_what_one_is_doing(
        self, activity: str, expected: str
    ) -> None:
        assert doing(activity) == expected


class TestBaseVerb:
    @pytest.mark.parametrize(
        ("word", "verb"),
        [
            ("studies", "study"),
            ("writing", "write"),
            ("running", "run"),
            ("has", "have"),
            ("teaches", "teach"),
            ("cats", None),
        ],
    )
    def test_finds_the_infinitive(self, word: str, verb: str | None) -> None:
        assert base_verb(word) == verb


class TestSaidAsPlan:
    def test_fits_infinitives_and_doings_behind_plans(self) -> None:
        assert said_as_plan("open Hobbs Cafe") == "to open Hobbs Cafe"
        assert said_as_plan("working late") == "on working late"
        assert said_as_plan("sing") == "to sing"


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


class TestMinuteOfClock:
    @pytest.mark.parametrize(
        ("text", "minute"),
        [
            ("14:30", 870),
            ("2:30 pm", 870),
            ("9", 540),
            ("12 am", 0),
            ("25:00", 1_500),
            ("soon", None),
        ],
    )
    def test_reads_times_of_day(self, text: str, minute: int | None) -> None:
        assert minute_of_clock(text) == minute


class TestOnlyEmoji:
    @pytest.mark.parametrize(
        ("text", "emoji"),
        [
            ("☕", "☕"),
            ("coffee ☕️ and 🥐 and 🍳", "☕️🥐"),
            ("👩‍🍳", "👩‍🍳"),
            ("none", "💭"),
            ("", "💭"),
        ],
    )
    def test_keeps_at_most_two_emoji(self, text: str, emoji: str) -> None:
        assert only_emoji(text, default="💭") == emoji

    @given(st.text())
    def test_always_gives_something_to_show(self, text: str) -> None:
        assert only_emoji(text, default="💭")


class TestPlainState:
    @pytest.mark.parametrize(
        ("said", "state"),
        [
            ("The coffee machine is brewing coffee.", "brewing coffee"),
            ("brewing coffee", "brewing coffee"),
            ("becomes hot", "hot"),
            ("", "in use"),
        ],
    )
    def test_leaves_the_object_out(self, said: str, state: str) -> None:
        assert plain_state(said, of="coffee machine", default="in use") == state
