"""The ends of agreements: one for each, kept, missed or dropped."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.dialogue.commitments import (
    Attendance,
    absent_from,
    outcome_of,
    passed,
)
from apps.memory.events import AgreementOutcome
from tests.support.builders import open_commitment

PARTY = open_commitment(
    "2490/isabella/3",
    "klaus",
    "host the party",
    "2023-02-14",
    (17 * 60, 19 * 60),
    place="Hobbs Cafe",
)
WITH_MARIA = replace(PARTY, event="2500/isabella/1", other="maria")
SEVEN = datetime(2023, 2, 14, 19)
AWAY = Attendance(minutes_there=0, was_planned=False, seen=())


def test_an_agreement_with_several_ends_once_at_its_end() -> None:
    assert passed([PARTY, WITH_MARIA], SEVEN.replace(minute=0, hour=18)) == []
    [ended] = passed([WITH_MARIA, PARTY], SEVEN)
    assert ended.events == (PARTY.event, WITH_MARIA.event)
    assert ended.others == ("klaus", "maria")
    assert absent_from(ended, ["maria", "sam"]) == ("klaus",)


@pytest.mark.parametrize(
    ("attended", "outcome"),
    [
        (replace(AWAY, minutes_there=10, seen=("klaus",)), AgreementOutcome.KEPT),
        (replace(AWAY, minutes_there=10, seen=("sam",)), AgreementOutcome.ALONE),
        (replace(AWAY, minutes_there=9), AgreementOutcome.DROPPED),
        (replace(AWAY, was_planned=True), AgreementOutcome.MISSED),
        (replace(AWAY, minutes_there=None, seen=("sam", "klaus")), AgreementOutcome.KEPT),
        (replace(AWAY, minutes_there=None, seen=("sam",)), AgreementOutcome.MISSED),
    ],
)
def test_the_outcome_follows_from_where_the_agent_was(
    attended: Attendance, outcome: AgreementOutcome
) -> None:
    [ended] = passed([PARTY], SEVEN)
    assert outcome_of(ended, attended) is outcome


def test_half_of_a_short_time_is_enough() -> None:
    [ended] = passed([replace(PARTY, to_minute=17 * 60 + 10)], SEVEN)
    there = replace(AWAY, minutes_there=5, seen=("klaus",))
    assert outcome_of(ended, there) is AgreementOutcome.KEPT
    assert outcome_of(ended, replace(AWAY, minutes_there=4)) is AgreementOutcome.DROPPED
