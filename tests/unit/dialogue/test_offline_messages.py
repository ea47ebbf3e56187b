"""What somebody has decided to say is said to whom it is for, and to nobody else."""

import pytest

from apps.dialogue.chains.utterance import Line
from tests.unit.dialogue.talking import EDDY, JOHN, Speaker, digested, says, turn

MEI = "Mei Lin"
DECIDED = f"{EDDY} has decided to tell their mother that {EDDY} wants to leave college"
SON = Speaker(
    EDDY,
    (
        f"{EDDY} loves his mother, {MEI}",
        f"{EDDY} respects his father, {JOHN}",
        f"{EDDY} is going to tell {EDDY}'s mother that {EDDY} wants to leave college",
        DECIDED,
    ),
)
CONTENT = "I want to leave college"
HELLO = "Hello, Eddy! Not much is going on here today."
SEEDS = range(1, 30)


def answers(other: str, seed: int, son: Speaker = SON) -> str:
    return says(turn(son, other, [Line(speaker=other, text=HELLO)]), seed).utterance


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_told_to_the_one_it_is_for_who_speaks_first(seed: int) -> None:
    answer = answers(MEI, seed)
    assert CONTENT in answer
    assert "tell my mother" not in answer


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_what_the_intent_says(seed: int) -> None:
    intent = f"tell {MEI} that {EDDY} wants to leave college"
    assert CONTENT in says(turn(SON, MEI, intent=intent), seed).utterance


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("other", [JOHN, "Vera Novak"])
def test_neither_it_nor_the_errand_is_told_to_others(other: str, seed: int) -> None:
    assert "leave college" not in answers(other, seed)
    assert "leave college" not in says(turn(SON, other), seed).utterance


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_told_once(seed: int) -> None:
    talked = f"{EDDY} and {MEI} talked about the news that {EDDY} wants to leave college"
    assert CONTENT not in answers(MEI, seed, SON.remembering(talked))


def test_it_is_remembered_by_both() -> None:
    lines = [
        Line(speaker=EDDY, text=f"Hi Mom. I wanted to tell you that {CONTENT}."),
        Line(speaker=MEI, text="Is that so?"),
    ]
    for name, other in ((EDDY, MEI), (MEI, EDDY)):
        kept = digested(Speaker(name), other, lines)
        assert f"the news that {EDDY} wants to leave college" in kept.gist


def test_of_what_it_is_may_be_all_that_is_said() -> None:
    decided = f"{EDDY} has decided to tell {MEI} about the exam"
    son = Speaker(EDDY, (SON.memories[0], decided))
    assert "I wanted to tell you about the exam." in answers(MEI, 1, son)
