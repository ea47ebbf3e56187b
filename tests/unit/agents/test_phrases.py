"""Statuses, planned times and earlier conversations, as prompts print them."""

import pytest

from apps.agents.phrases import (
    acquaintance_lines,
    last_talk_text,
    planned_time_text,
    status_text,
)
from apps.agents.status import STRANGER, Acquaintance, AgentStatus, LastTalk
from tests.support.inputs import OSRIC, at, planned, status


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        (status(OSRIC, "copying a psalter"), "Osric Penhale is copying a psalter"),
        (
            status(OSRIC, "copying a psalter", until=at("17:05")),
            "Osric Penhale is copying a psalter until 5:05 pm",
        ),
        (
            AgentStatus(agent_name=OSRIC, activity="eating", is_before_talk=True),
            "Osric Penhale was eating before this conversation",
        ),
        (status(OSRIC, ""), "it is not known what Osric Penhale is doing"),
    ],
)
def test_status(inputs: AgentStatus, text: str) -> None:
    assert status_text(inputs) == text


def test_planned_time_has_its_place_if_there_is_one() -> None:
    plan = (at("8:00"), at("12:30"), "copy the psalter")
    assert planned_time_text(planned(*plan)) == "8:00 am to 12:30 pm: copy the psalter"
    text = planned_time_text(planned(*plan, "The Scriptorium"))
    assert text == "8:00 am to 12:30 pm: copy the psalter (The Scriptorium)"


@pytest.mark.parametrize(
    ("minutes", "ago"),
    [
        (0, "1 minute ago"),
        (59, "59 minutes ago"),
        (60, "1 hour ago"),
        (1_439, "23 hours ago"),
        (1_440, "1 day ago"),
        (4_400, "3 days ago"),
    ],
)
def test_last_talk(minutes: int, ago: str) -> None:
    talk = LastTalk(minutes_ago=minutes, gist="They spoke of the ink.")
    assert last_talk_text(talk) == f"They last talked {ago}. They spoke of the ink."
    assert last_talk_text(LastTalk(minutes_ago=minutes, gist="")) == f"They last talked {ago}."


def test_earlier_talks_at_this_time_of_day_are_counted() -> None:
    talk = LastTalk(minutes_ago=1_440, gist="They spoke of the ink.", same_time_days=3)
    assert last_talk_text(talk) == (
        "They last talked 1 day ago. They spoke of the ink. "
        "They have talked at this time of day on 3 earlier days."
    )


def test_acquaintance_is_what_the_other_is_and_when_they_talked() -> None:
    talk = LastTalk(minutes_ago=60, gist="They spoke of the ink.")
    known = Acquaintance(facts=("Osric is Aldwin's pupil",), home="The Priory", last_talk=talk)
    assert acquaintance_lines(known, "Aldwin", "Osric") == (
        "Osric is Aldwin's pupil",
        "Aldwin and Osric both live in The Priory",
        "They last talked 1 hour ago. They spoke of the ink.",
    )


def test_only_of_strangers_it_is_said_that_they_have_never_talked() -> None:
    assert acquaintance_lines(STRANGER, "Aldwin", "Osric") == (
        "Aldwin and Osric have not talked before",
    )
    for known in (Acquaintance(home="The Priory"), Acquaintance(facts=("Osric likes him",))):
        *_, last = acquaintance_lines(known, "Aldwin", "Osric")
        assert last == "Aldwin and Osric have not talked today"
