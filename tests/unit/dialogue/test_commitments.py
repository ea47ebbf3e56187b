"""Agreements on one occasion: known by time and place, in whatever words they were made."""

from dataclasses import replace
from datetime import datetime

from apps.dialogue.commitments import passed, still_open, without_passed
from tests.unit.dialogue.test_endings import PARTY

KLAUS = replace(PARTY, to_minute=18 * 60)
MARIA = replace(
    KLAUS,
    event="2500/isabella/1",
    other="maria",
    activity="welcome Maria at the Valentine's Day party",
    place="hobbs cafe",
    to_minute=19 * 60,
)
DINNER = replace(
    MARIA, event="2510/isabella/1", other="tom", from_minute=1_170, to_minute=1_200
)
HALF_PAST_FIVE = datetime(2023, 2, 14, 17, 30)
HALF_PAST_SIX = datetime(2023, 2, 14, 18, 30)
SEVEN = datetime(2023, 2, 14, 19)


def test_are_one_in_prompts_with_all_guests_and_the_last_end() -> None:
    party, dinner = still_open([DINNER, MARIA, KLAUS], HALF_PAST_FIVE)
    assert (party.activity, party.others) == (KLAUS.activity, ("klaus", "maria"))
    assert party.ends == SEVEN
    assert dinner == DINNER


def test_go_on_until_the_last_of_them_is_over() -> None:
    assert still_open([KLAUS, MARIA], HALF_PAST_SIX)[0].others == ("klaus", "maria")
    assert without_passed([MARIA, KLAUS], HALF_PAST_SIX) == (KLAUS, MARIA)
    assert passed([KLAUS, MARIA], HALF_PAST_SIX) == []
    [ended] = passed([KLAUS, MARIA], SEVEN)
    assert (ended.events, ended.ends) == ((KLAUS.event, MARIA.event), SEVEN)
    assert without_passed([KLAUS, MARIA], SEVEN) == ()


def test_at_another_place_or_time_are_others() -> None:
    elsewhere = replace(MARIA, place="Johnson Park")
    later = replace(MARIA, from_minute=17 * 60 + 30)
    for other in (elsewhere, later):
        assert len(still_open([KLAUS, other], HALF_PAST_FIVE)) == 2
