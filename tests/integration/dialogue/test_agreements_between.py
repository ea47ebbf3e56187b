"""Agreements to be at a place at a time, from a log in which each of them is known."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.dialogue.events import EVENTS, Agreed, Declined
from apps.dialogue.models import CONVERSATIONS
from apps.evaluation.social.guest_list import agreements_between
from apps.kernel.game_time import GameCalendar
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)
ADA, BEN, CEM, DEE, EVE = "ada", "ben", "cem", "dee", "eve"
FEAST = Agreed(
    conversation="4/ada",
    other=EVE,
    activity="come to the feast",
    place="Hobbs Cafe",
    day="2023-02-14",
    from_minute=17 * 60,
    to_minute=19 * 60,
)


def tick(day: int, hour: int, minute: int = 0) -> int:
    return CALENDAR.tick_at(datetime(2023, 2, day, hour, minute))


def agreed(
    log: ProjectedLog, *, place: str = "Hobbs Cafe", begins: int = 0, ends: int = 0
) -> dict[str, tuple[str, ...]]:
    """Return the agreements for the ticks, by default for the feast from 17:00 to 19:00."""
    ticks = range(begins or tick(14, 17), ends or tick(14, 19))
    return agreements_between(log.simulation_id, place, CALENDAR, ticks)


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log in which Ada and Ben agreed to come, Cem declined, and Dee comes elsewhere.

    In a second simulation Dee agreed to come.
    """
    log, elsewhere = (
        ProjectedLog(EVENTS, [CONVERSATIONS]),
        ProjectedLog(EVENTS, [CONVERSATIONS]),
    )
    log.append(10, ADA, FEAST)
    log.append(11, BEN, replace(FEAST, place="the garden of Hobbs Cafe"))
    log.append(12, CEM, Declined(conversation="4/ada", other=EVE, activity=FEAST.activity))
    log.append(13, DEE, replace(FEAST, place="Johnson Park"), replace(FEAST, place=""))
    elsewhere.append(13, DEE, FEAST)
    return log


def test_are_those_that_name_the_place(log: ProjectedLog) -> None:
    assert agreed(log) == {ADA: ("10/ada/0",), BEN: ("11/ben/0",)}
    assert agreed(log, place="Johnson Park") == {DEE: ("13/dee/0",)}


@pytest.mark.parametrize(
    ("begins", "ends", "is_counted"),
    [
        (tick(14, 15), tick(14, 17), False),  # over when the agreement begins
        (tick(14, 15), tick(14, 17, 1), True),
        (tick(14, 18, 59), tick(14, 23), True),
        (tick(14, 19), tick(14, 23), False),  # begins when the agreement is over
        (tick(14, 18), tick(14, 18, 10), True),
        (tick(13, 17), tick(13, 19), False),  # the day before
        (tick(13, 8), tick(15, 8), True),
    ],
)
def test_overlap_the_time(
    log: ProjectedLog, begins: int, ends: int, *, is_counted: bool
) -> None:
    assert (ADA in agreed(log, begins=begins, ends=ends)) is is_counted


def test_have_each_event_of_an_agent_in_order(log: ProjectedLog) -> None:
    log.append(20, ADA, replace(FEAST, other=CEM, activity="dance at the feast"))
    assert agreed(log)[ADA] == ("10/ada/0", "20/ada/0")


def test_that_were_cancelled_before_the_end_do_not_count(log: ProjectedLog) -> None:
    log.append(20, ADA, replace(FEAST, replaces="10/ada/0", cancelled=True))
    log.append(tick(14, 19), BEN, replace(FEAST, replaces="11/ben/0", cancelled=True))
    assert agreed(log) == {BEN: ("11/ben/0",)}


def test_that_were_changed_count_for_the_new_time(log: ProjectedLog) -> None:
    later = replace(FEAST, from_minute=21 * 60, to_minute=22 * 60, replaces="10/ada/0")
    log.append(20, ADA, later)
    assert ADA not in agreed(log)
    assert agreed(log, begins=tick(14, 21), ends=tick(14, 22)) == {ADA: ("20/ada/0",)}


def test_of_after_the_end_do_not_count(log: ProjectedLog) -> None:
    log.append(tick(14, 18), CEM, FEAST)
    log.append(tick(14, 19), EVE, FEAST)
    assert agreed(log).keys() == {ADA, BEN, CEM}
