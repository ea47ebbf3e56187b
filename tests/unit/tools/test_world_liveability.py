"""Warnings about phrases and objects that the rule-based model leaves out of the days."""

from dataclasses import replace

import pytest

from apps.world.problems import Problem
from tests.unit.rule_model.lives import SAINT_BRANNOC, content, setting
from tools.world_liveability import unlived


def warned(*phrases: str, name: str = "Osric Penhale", **facts: object) -> list[Problem]:
    """Return the warnings about phrases of the person, who is alone in the priory."""
    priory = setting(SAINT_BRANNOC)
    description = "; ".join(f"{name} {phrase}" for phrase in phrases)
    person = replace(priory.agents[name], description=description, **facts)  # type: ignore[arg-type]
    found = unlived(priory.tree, [person], priory.first_day, content())
    return [one for one in found if one.file == "people.yaml"]


@pytest.mark.parametrize(
    "phrase",
    [
        "copies the psalter at the writing desk in The Scriptorium from 8:00 am to 11:00 am",
        "weeds the herb beds of The Physic Garden on Thursdays from 2:00 pm to 3:00 pm",
        "eats the midday meal in the eating hall of The Refectory around 12:00 pm",
        "will read the lesson in The Priory Church on March 14, 1147, from 9:00 am to 10:00 am",
        "is the scribe of Saint Brannoc's",
    ],
)
def test_is_nothing_where_the_days_have_what_is_said(phrase: str) -> None:
    assert warned(phrase) == []


def test_tells_who_does_not_know_the_place() -> None:
    (warning,) = warned("gives alms at The Gatehouse from 10:00 am to 11:00 am")
    assert "Osric Penhale does not know The Gatehouse" in str(warning)
    assert warning.hint == "add 'The Gatehouse' to what Osric Penhale knows"


def test_tells_when_the_place_is_closed() -> None:
    known = (*setting(SAINT_BRANNOC).agents["Osric Penhale"].knows, "The Gatehouse")
    (warning,) = warned("counts stars at The Gatehouse from 7:00 pm to 8:00 pm", knows=known)
    assert "The Gatehouse is open from 6:00 am to 6:00 pm" in str(warning)


def test_tells_who_sleeps_at_that_time() -> None:
    (warning,) = warned("sings matins in The Priory Church from 2:00 am to 3:00 am")
    assert "Osric Penhale sleeps then" in str(warning)


def test_tells_which_phrases_are_of_one_time() -> None:
    copies = "copies the psalter in The Scriptorium from 8:00 am to 11:30 am"
    weeds = "weeds the herb beds of The Physic Garden from 9:00 am to 10:00 am"
    (warning,) = warned(copies, weeds)
    assert weeds in warning.element
    assert copies in warning.what
    assert warning.hint == "give the two different times"


def test_tells_of_a_time_that_is_not_read() -> None:
    (warning,) = warned("walks to the sea at a quarter to nine")
    assert "does not read when that is" in warning.what
    assert '"from 9:00 am to 12:00 pm"' in warning.hint


def test_tells_of_objects_that_nothing_uses() -> None:
    priory = setting(SAINT_BRANNOC)
    plain = [replace(one, description=one.name) for one in priory.agents.values()]
    idle = {one.element for one in unlived(priory.tree, plain, priory.first_day, content())}
    assert "The Priory Church: bell tower: bell rope" in idle
    lived = unlived(priory.tree, list(priory.agents.values()), priory.first_day, content())
    used = idle - {one.element for one in lived}
    assert "The Priory Church: bell tower: bell rope" in used
    assert "The Physic Garden: goat pen: goats" in used
    assert all("rule_model.yaml" in one.hint for one in lived if one.file == "world.yaml")
