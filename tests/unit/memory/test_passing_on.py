"""The terms on which something may be told, and the facts of a description that are kept."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.memory.commands import facts_of
from apps.memory.events import FactKind
from apps.memory.facts import lasting_facts, secret_learnt, with_events
from apps.memory.llm_tasks.facts import LastingFactsFound
from apps.memory.passing_on import may_be_told, require_terms, shared_terms, with_terms
from apps.rule_model.facts import lasting_facts as facts_by_rule
from apps.rule_model.model import Chance
from tests.unit.memory.test_facts import CALENDAR, INPUTS, OTHERS, PHRASES

NOON, EVENING = datetime(1410, 3, 1, 12), datetime(1410, 3, 1, 18)
LATER = "not before 1410-03-01 17:00"
ONLY = "only to Ada Finch, Ben Holt"


@pytest.mark.parametrize(
    ("terms", "name", "now", "may"),
    [
        ("", "Ada Finch", NOON, True),
        ("in confidence", "Ada Finch", EVENING, False),
        (LATER, "Ada Finch", NOON, False),
        (LATER, "Ada Finch", EVENING, True),
        (ONLY, "Ben Holt", NOON, True),
        (ONLY, "Cora Vale", NOON, False),
    ],
)
def test_terms_say_who_may_be_told_and_when(
    terms: str, name: str, now: datetime, may: bool
) -> None:
    assert may_be_told(terms, name, now) is may


@pytest.mark.parametrize(
    ("several", "now", "shared"),
    [
        ((), NOON, ""),
        (("", LATER), NOON, LATER),
        ((LATER, ""), EVENING, ""),
        ((LATER, "not before 1410-03-02 08:00"), NOON, "not before 1410-03-02 08:00"),
        ((ONLY, "only to Ben Holt"), NOON, "only to Ben Holt"),
        ((ONLY, "only to Cora Vale"), NOON, "in confidence"),
        ((ONLY, LATER), NOON, "in confidence"),
        ((ONLY, LATER), EVENING, ONLY),
        ((LATER, "in confidence"), NOON, "in confidence"),
    ],
)
def test_what_rests_on_several_memories_breaks_the_terms_of_none(
    several: tuple[str, ...], now: datetime, shared: str
) -> None:
    assert shared_terms(several, now) == shared
    assert shared_terms(several[::-1], now) == shared


@pytest.mark.parametrize(
    ("answered", "stored"),
    [
        ("", ""),
        (" in  confidence", "in confidence"),
        ("not before 1410-03-01", "not before 1410-03-01 00:00"),
        ("not before 1410-03-01T17:00", LATER),
        (ONLY, ONLY),
    ],
)
def test_terms_of_an_answer_are_stored_in_one_form(answered: str, stored: str) -> None:
    assert require_terms(answered) == stored


@pytest.mark.parametrize("answered", ["secret", "not before dinner", "only Ada Finch"])
def test_other_words_are_refused_with_the_forms(answered: str) -> None:
    with pytest.raises(ValueError, match="in confidence"):
        require_terms(answered)


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        ("", "It rains"),
        ("in confidence", "It rains (to be kept secret)"),
        (LATER, "It rains (to be kept until Thu 1 Mar 5:00 pm)"),
        (ONLY, "It rains (to be told only to Ada Finch and Ben Holt)"),
    ],
)
def test_terms_are_printed_with_what_they_are_of(terms: str, text: str) -> None:
    assert with_terms("It rains", terms) == text


def test_what_a_description_says_of_intentions_states_and_secrets_is_in_mind() -> None:
    found = LastingFactsFound(
        occupation=(1,), pursuits=(), intentions=(4,), secrets=(6,), states=(5,)
    )
    facts = with_events((), facts_of(found, PHRASES, OTHERS)).values()
    secret = f"{PHRASES[5]} (to be kept secret)"
    assert lasting_facts(facts, CALENDAR, 0).in_mind == (secret, PHRASES[3], PHRASES[4])


def test_what_is_to_be_kept_until_a_time_is_a_secret_until_then() -> None:
    told = secret_learnt((), "It rains", LATER, teller="ben-holt", memory=3, next_number=1)
    assert told is not None
    facts = with_events((), [told])
    assert lasting_facts(facts.values(), CALENDAR, 0).secrets
    assert not lasting_facts(facts.values(), CALENDAR, CALENDAR.tick_at(EVENING)).secrets
    again = secret_learnt(
        facts.values(), "It rains", LATER, teller="ben-holt", memory=9, next_number=2
    )
    assert again is None


def test_the_rule_model_finds_a_secret_by_its_words() -> None:
    crush = "Ada Finch has a secret crush on Dan Ives"
    inputs = replace(INPUTS, statements=(*PHRASES, crush))
    found = facts_by_rule(inputs, Chance(1, "facts", "ada"))
    secrets = [
        one.statements
        for one in facts_of(found, inputs.statements, OTHERS)
        if one.kind is FactKind.SECRET
    ]
    assert secrets == [(crush,)]
