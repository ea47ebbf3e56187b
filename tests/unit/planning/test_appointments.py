"""Appointments are read out of memories, however they are told."""

import pytest

from apps.planning.offers import OfferedPlace
from apps.rule_model.planning.appointments import Appointment, appointments_of

NAME, HOME = "Klaus Mueller", "Oak Hill College Dorm"
MONDAY, TUESDAY = "Monday, February 13, 2023", "Tuesday, February 14, 2023"
CAFE, PARK, LIBRARY = "Hobbs Cafe", "Johnson Park", "Oak Hill College: library"
PLACES = tuple(
    OfferedPlace(path=path) for path in (HOME, CAFE, PARK, "Oak Hill College", LIBRARY)
)
PARTY = "be at the Valentine's Day party at Hobbs Cafe"
FIVE, SEVEN = 17 * 60, 19 * 60


def read(*memories: str, date: str = TUESDAY) -> list[Appointment]:
    return appointments_of(NAME, memories, date=date, places=PLACES, home=HOME)


def told(*memories: str, date: str = TUESDAY) -> list[tuple[str, str, int, int, bool]]:
    return [(a.text, a.place, a.start, a.end, a.sure) for a in read(*memories, date=date)]


class TestWhatWasAgreedTo:
    def test_is_an_appointment(self) -> None:
        memory = (
            "Klaus Mueller agreed to come to the Valentine's Day party at Hobbs Cafe on "
            "Tuesday, February 14, from 5:00 PM to 7:00 PM"
        )
        assert told(memory) == [(PARTY, CAFE, FIVE, SEVEN, True)]

    @pytest.mark.parametrize(
        "when",
        [
            "on Tuesday, February 14, from 5:00 PM to 7:00 PM",
            "on February 14, 2023, from 5:00 pm to 7:00 pm",
            "on February 14 from 5 pm to 7 pm",
            "on February 14th from 5 to 7 pm",
            "on the 14th of February between 5 and 7 pm",
            "on 14 February from 17:00 to 19:00",
            "on Feb 14, 17:00-19:00",
            "on 2023-02-14 from 17:00 until 19:00",
            "from 5:00 PM to 7:00 PM on Tuesday, February 14",
            "on February 14 at 5 p.m. until 7 p.m.",
            # A party whose end is not told lasts two hours.
            "on February 14 from 5 pm",
            "on Tuesday, February 14, at 5:00 PM",
            "on Tuesday at 5 PM",
        ],
    )
    def test_is_read_at_any_telling_of_the_time(self, when: str) -> None:
        memory = f"Klaus Mueller agreed to come to Isabella's party at Hobbs Cafe {when}"
        assert told(memory) == [("be at the party at Hobbs Cafe", CAFE, FIVE, SEVEN, True)]

    @pytest.mark.parametrize(
        ("agreed", "text"),
        [
            (
                "agreed to have lunch with Maria Lopez at Hobbs Cafe",
                "have lunch with Maria Lopez at Hobbs Cafe",
            ),
            ("promised to help Isabella Rodriguez at Hobbs Cafe", None),
            ("has agreed to meet Maria Lopez at Hobbs Cafe", "meet Maria Lopez at Hobbs Cafe"),
            ("agreed with Maria Lopez to meet at Hobbs Cafe", "meet at Hobbs Cafe"),
            (
                "accepted Isabella Rodriguez's invitation to her party at Hobbs Cafe",
                "be at the party at Hobbs Cafe",
            ),
            ("is going to attend a concert at Hobbs Cafe", "be at the concert at Hobbs Cafe"),
            ("plans to go to a reading at Hobbs Cafe", "be at the reading at Hobbs Cafe"),
            ("agreed to come to Hobbs Cafe", "be at Hobbs Cafe"),
            (
                "agreed to join Maria Lopez for coffee at Hobbs Cafe",
                "join Maria Lopez for coffee at Hobbs Cafe",
            ),
        ],
    )
    def test_may_be_anything(self, agreed: str, text: str | None) -> None:
        [appointment] = read(f"Klaus Mueller {agreed} on February 14 from 5 pm to 7 pm")
        assert (appointment.place, appointment.start, appointment.sure) == (CAFE, FIVE, True)
        assert text is None or appointment.text == text

    def test_lasts_an_hour_when_its_end_is_not_told(self) -> None:
        memory = "Klaus Mueller agreed to walk in Johnson Park on February 14 at noon"
        assert told(memory) == [("walk in Johnson Park", PARK, 720, 780, True)]

    def test_is_at_a_part_of_the_day_when_no_time_is_told(self) -> None:
        memory = "Klaus Mueller agreed to study in the library on February 14 in the evening"
        [appointment] = read(memory)
        assert (appointment.place, appointment.start) == (LIBRARY, 18 * 60)

    def test_is_at_home_when_no_place_is_told(self) -> None:
        memory = "Klaus Mueller agreed to telephone his mother on February 14 at 5 pm"
        [appointment] = read(memory)
        assert appointment.place == HOME

    def test_is_read_among_other_sentences(self) -> None:
        memory = (
            "Klaus Mueller talked with Isabella Rodriguez. Klaus Mueller agreed to come to "
            "her party at Hobbs Cafe on February 14 from 5 pm to 7 pm."
        )
        assert len(read(memory)) == 1


class TestInvitations:
    INVITED = (
        "Isabella Rodriguez invited Klaus Mueller to her Valentine's Day party at Hobbs Cafe "
        "on Tuesday, February 14, from 5:00 PM to 7:00 PM"
    )
    AGREED = (
        "Klaus Mueller agreed to come to Isabella Rodriguez's Valentine's Day party at "
        "Hobbs Cafe on Tuesday, February 14, from 5:00 PM"
    )

    @pytest.mark.parametrize(
        "memory",
        [
            INVITED,
            INVITED.replace("to her", "to come to her"),
            INVITED.replace("Klaus Mueller", "Maria Lopez and Klaus Mueller"),
            INVITED.replace("Klaus Mueller", "Klaus"),
            "Klaus Mueller was invited by Isabella Rodriguez to her Valentine's Day party at "
            "Hobbs Cafe on February 14 from 5 pm to 7 pm",
        ],
    )
    def test_are_not_sure(self, memory: str) -> None:
        assert told(memory) == [(PARTY, CAFE, FIVE, SEVEN, False)]

    def test_are_sure_once_agreed_to(self) -> None:
        assert told(self.INVITED, self.AGREED) == [(PARTY, CAFE, FIVE, SEVEN, True)]

    def test_are_nothing_once_declined(self) -> None:
        declined = (
            "Klaus Mueller declined to come to the party at Hobbs Cafe on February 14, 5 pm"
        )
        assert read(self.INVITED, declined) == []

    def test_are_nothing_once_the_party_is_cancelled(self) -> None:
        cancelled = "Isabella Rodriguez cancelled the party on February 14 at 5 pm"
        assert read(self.AGREED, cancelled) == []

    def test_of_others_are_nothing(self) -> None:
        assert read(self.INVITED.replace("Klaus Mueller", "Maria Lopez")) == []
        assert read(self.AGREED.replace("Klaus Mueller", "Maria Lopez")) == []


class TestHosts:
    def test_give_what_they_plan(self) -> None:
        [party] = read(
            "Klaus Mueller is planning a Valentine's Day party at Hobbs Cafe on February 14, "
            "2023, from 5:00 pm to 7:00 pm"
        )
        assert party.text == "host the Valentine's Day party"
        assert party.is_host

    def test_are_not_those_who_heard_of_it(self) -> None:
        for heard in (
            "heard that Isabella Rodriguez is planning a party",
            "knows that Isabella Rodriguez plans a party",
            "talked with Isabella Rodriguez about a party",
            "is looking forward to a party",
            "told Maria Lopez that Isabella Rodriguez gives a party",
        ):
            memory = f"Klaus Mueller {heard} at Hobbs Cafe on February 14 from 5 pm to 7 pm"
            assert read(memory) == []

    def test_go_before_other_appointments(self) -> None:
        when = "at Hobbs Cafe on February 14 from 5 pm to 7 pm"
        [party] = read(
            f"Klaus Mueller agreed to come to a concert {when}",
            f"Klaus Mueller is organizing a party {when}",
        )
        assert party.text == "host the party"


class TestOtherSentences:
    @pytest.mark.parametrize(
        "memory",
        [
            "Klaus Mueller agreed to come to a party at Hobbs Cafe on February 15 from 5 pm",
            "Klaus Mueller agreed to come to a party at Hobbs Cafe on February 14, 2024, 5 pm",
            "Klaus Mueller agreed to come to a party at Hobbs Cafe on Friday at 5 pm",
            "Klaus Mueller agreed to come to a party at Hobbs Cafe some day",
            # What is at a place that one does not know cannot be gone to.
            "Klaus Mueller agreed to come to a party at Mill Hall on February 14 from 5 pm",
            # The plan of a day is made of appointments; it is none itself.
            "Klaus Mueller plans to take a walk in Johnson Park from 5:00 pm to 6:00 pm "
            "on Tuesday, February 14",
            "Klaus Mueller has lunch at Hobbs Cafe around 12:30 pm",
            "Maria Lopez has a party at Hobbs Cafe on February 14 from 5 pm to 7 pm",
        ],
    )
    def test_are_no_appointments_of_the_day(self, memory: str) -> None:
        assert read(memory) == []

    def test_on_the_day_in_plain_words_are(self) -> None:
        memory = "Klaus Mueller meets Maria Lopez at Hobbs Cafe on February 14 at 5 pm"
        assert told(memory) == [("meet Maria Lopez at Hobbs Cafe", CAFE, FIVE, FIVE + 60, True)]

    def test_come_in_order_of_time(self) -> None:
        memories = (
            "Klaus Mueller agreed to come to a party at Hobbs Cafe on February 14 from 5 pm",
            "Klaus Mueller agreed to walk in Johnson Park on February 14 at 9 am",
        )
        assert [a.start for a in read(*memories)] == [540, FIVE]
        assert read(*memories, date=MONDAY) == []
