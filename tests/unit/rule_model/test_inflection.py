"""Forms of verbs that no list holds."""

import pytest

from apps.rule_model.language.grammar import (
    as_infinitive,
    gerund_of,
    in_first_person,
    in_progress,
    in_third_person,
    infinitive_of,
)


@pytest.mark.parametrize(
    ("verb", "gerund"),
    [
        ("copy", "copying"), ("bake", "baking"), ("run", "running"), ("lie", "lying"),
        ("see", "seeing"), ("open", "opening"), ("stir", "stirring"), ("sew", "sewing"),
        ("mix", "mixing"), ("play", "playing"), ("begin", "beginning"), ("eat", "eating"),
        ("weed", "weeding"), ("shop", "shopping"), ("gather", "gathering"),
        ("grind", "grinding"),
        ("help", "helping"), ("visit", "visiting"), ("plan", "planning"), ("be", "being"),
        ("dye", "dyeing"), ("sit", "sitting"), ("read", "reading"), ("have", "having"),
    ],
)  # fmt: skip
def test_gerund(verb: str, gerund: str) -> None:
    assert gerund_of(verb) == gerund


@pytest.mark.parametrize(
    ("third", "infinitive"),
    [
        ("copies", "copy"), ("bakes", "bake"), ("washes", "wash"), ("teaches", "teach"),
        ("goes", "go"), ("has", "have"), ("closes", "close"), ("lies", "lie"),
        ("presses", "press"), ("mixes", "mix"), ("minds", "mind"), ("tries", "try"),
    ],
)  # fmt: skip
def test_infinitive(third: str, infinitive: str) -> None:
    assert infinitive_of(third) == infinitive


def test_verbs_behind_and_follow() -> None:
    assert in_progress("open the gate and greet the guests") == (
        "opening the gate and greeting the guests"
    )
    assert in_progress("serve customers and bake fresh pastries") == (
        "serving customers and baking fresh pastries"
    )
    assert in_progress("buy bread and cheese") == "buying bread and cheese"
    assert as_infinitive("grinds pigments and paints initials at the desk") == (
        "grind pigments and paint initials at the desk"
    )
    assert as_infinitive("sells herbs and flowers in the yard") == (
        "sell herbs and flowers in the yard"
    )


def test_persons_are_changed_and_changed_back() -> None:
    known = "Ada Finch studies chemistry at the college and is an athlete"
    said = in_first_person(known, "Ada Finch", "Bo Reed")
    assert said == "I study chemistry at the college and am an athlete"
    assert in_third_person(said, "Ada Finch", "Bo Reed") == known
