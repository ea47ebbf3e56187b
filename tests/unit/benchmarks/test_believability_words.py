"""The word lists of the counting rules: what each phrase is taken for."""

import pytest

from benchmarks.believability.word_lists import PROMISE, sentences_of
from tools.day_figures.word_lists import (
    DEPARTURE,
    LEAVE_TAKING,
    OFTEN,
    clock_minutes,
    introduces,
    span_of,
    stems_of,
)


@pytest.mark.parametrize(
    "text",
    [
        "Good afternoon. I don't think we've met: I'm Isabella.",
        "Hello, we haven't met.",
        "Nice to meet you, Hailey.",
        "Hi, my name is Ada.",
        "Hey, Latoya. I'm Ada Finch. I have some news.",
    ],
)
def test_a_strangers_greeting_is_recognised(text: str) -> None:
    assert introduces(text, "Ada Finch")


@pytest.mark.parametrize(
    "text",
    [
        "But we know each other, Ada!",
        "Good to see you, Ben.",
        "I'm well, Ada Finch says hello.",
    ],
)
def test_other_words_are_no_strangers_greeting(text: str) -> None:
    assert not introduces(text, "Ada Finch")


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("Well, I have to go. Take care.", True),
        ("I'd better get going.", True),
        ("I have to get on now. See you later, Latoya.", True),
        ("I must be off", True),
        ("See you around, Klaus!", False),
        ("Have a nice day!", False),
    ],
)
def test_a_departure_is_a_leave_taking_and_not_the_reverse(text: str, leaves: bool) -> None:
    assert LEAVE_TAKING.search(text)
    assert bool(DEPARTURE.search(text)) is leaves


@pytest.mark.parametrize("text", ["I have classes at ten.", "What are you up to today?"])
def test_plain_words_are_no_leave_taking(text: str) -> None:
    assert not LEAVE_TAKING.search(text)


@pytest.mark.parametrize(
    ("text", "promises"),
    [
        ("I'll pass it on.", True),
        ("I'll tell Maria.", True),
        ("I'll knock and tell her, no problem.", True),
        ("I will let everybody know.", True),
        ("I'll tell you later.", False),
        ("I pass the church.", False),
    ],
)
def test_promises(text: str, promises: bool) -> None:
    assert bool(PROMISE.search(text)) is promises


@pytest.mark.parametrize(
    ("text", "often"),
    [
        ("Ada and Ben often talk", True),
        ("Ada has got used to having Ben around", True),
        ("Ada and Ben have a good deal to say to each other", True),
        ("Ada has the party in mind a good deal", False),
        ("Ada values what Ben has to say", False),
    ],
)
def test_claims_of_a_frequency(text: str, often: bool) -> None:
    assert bool(OFTEN.search(text)) is often


def test_forms_of_a_word_have_one_stem() -> None:
    for forms in (
        "copies copying copied",
        "sings singing",
        "bakes baking",
        "runs running",
        "teaches teaching",
    ):
        assert len(stems_of(forms)) == 1, forms


def test_stems_are_of_content_words_without_the_phrases_left_out() -> None:
    assert stems_of("Ada Finch owns the Mill Cafe", without=["Mill Cafe", "Ada Finch"]) == {
        "own"
    }


def test_times_of_day() -> None:
    assert clock_minutes("from 8:30 am to 12:00 pm, then 12:15 am") == [510, 720, 15]
    assert span_of("from 9:30 pm to 12:30 am") == (1_290, 1_470)
    assert span_of("around 1 pm") == (780, 780)
    assert span_of("on Thursdays") is None


def test_sentences() -> None:
    assert sentences_of("Name: Ada\nShe bakes.") == ["Name: Ada", "She bakes."]
    assert sentences_of("Hi, Ada. How are you? Well!") == ["Hi, Ada.", "How are you?", "Well!"]
