"""What the stand-in makes of hours: meals in two halves, appointments that were forgotten."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from apps.planning.chains.action_detail import HourToDetail
from apps.planning.chains.hourly_plan import HourSlot, HoursToPlan
from apps.planning.offers import OfferedPlace
from apps.rule_model.model import Chance
from apps.rule_model.planning.actions import action_detail
from apps.rule_model.planning.activities import is_moment
from apps.rule_model.planning.hours import hourly_plan

CHANCE = Chance(seed=7, chain="planning.hourly_plan", call_id="1/klaus-mueller/x/0")
HOME, CAFE = "Oak Hill College Dorm", "Hobbs Cafe"
PLACES = (OfferedPlace(path=HOME), OfferedPlace(path=CAFE, opens=480, closes=1_200))


def hours_of(*slots: HourSlot, memories: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    given = HoursToPlan(
        agent_name="Klaus Mueller",
        summary="Klaus Mueller is kind.",
        memories=memories,
        date="Tuesday, February 14, 2023",
        slots=slots,
        places=PLACES,
    )
    return [(hour.activity, hour.place) for hour in hourly_plan(given, CHANCE).hours]


def slots(chunk: str, place: str, *minutes: int) -> list[HourSlot]:
    return [
        HourSlot(from_minute=start, to_minute=end, chunk=chunk, place=place)
        for start, end in pairwise(minutes)
    ]


def deeds(
    activity: str,
    minutes: int,
    *,
    place: str = HOME,
    before: str = "",
    done: Sequence[str] = (),
) -> list[str]:
    given = HourToDetail(
        agent_name="Klaus Mueller",
        summary="",
        memories=(),
        date="Tuesday, February 14, 2023",
        before=before,
        done=tuple(done),
        activity=activity,
        place=place,
        from_minute=720,
        to_minute=720 + minutes,
        least=5,
        most=15,
    )
    return [
        f"{action.description} {action.minutes}"
        for action in action_detail(given, CHANCE).actions
    ]


class TestMending:
    @pytest.mark.parametrize("thing", ["coffee machine", "piano", "grocery shelves", "stove"])
    @pytest.mark.parametrize("minutes", [15, 25])
    def test_is_done_with_tools_whatever_it_is(self, thing: str, minutes: int) -> None:
        assert deeds(f"mend the broken {thing}", minutes, place=CAFE) == [
            "fetching tools 5",
            f"mending the broken {thing} {min(minutes - 5, 15)}",
        ]

    def test_of_a_whole_hour_is_nothing_else(self) -> None:
        told = "fix the coffee machine"
        assert hours_of(*slots(told, CAFE, 840, 900)) == [(told, CAFE)]
        [first, *mending, last] = deeds(told, 60, place=CAFE)
        assert (first, last) == ("fetching tools 5", "putting the tools away 5")
        assert {deed.rpartition(" ")[0] for deed in mending} == {"fixing the coffee machine"}

    @pytest.mark.parametrize(
        ("remedy", "done"),
        [
            (
                "wipe up what is spilled at the coffee machine",
                "wiping up what is spilled at the coffee machine 10",
            ),
            ("put out the fire at the bookshelf", "putting out the fire at the bookshelf 10"),
            ("get the piano to move again", "getting the piano to move again 10"),
        ],
    )
    def test_or_another_remedy_is_not_taken_for_what_the_thing_is_for(
        self, remedy: str, done: str
    ) -> None:
        assert deeds(remedy, 10, place=CAFE) == [done]


class TestMeals:
    def test_that_begin_late_in_an_hour_are_eaten_in_the_next(self) -> None:
        told = "have dinner, then from 7:30 pm read a book"
        hours = hours_of(*slots(told, HOME, 1_050, 1_080, 1_140, 1_200))
        assert [text for text, _ in hours][:2] == ["get dinner ready", "sit down to dinner"]
        assert "meal" in hours[2][0] or "easy" in hours[2][0] or "kitchen" in hours[2][0]

    def test_out_are_ordered_and_then_eaten(self) -> None:
        told = "have lunch at Hobbs Cafe, then from 1:30 pm study chemistry at Hobbs Cafe"
        hours = hours_of(*slots(told, CAFE, 750, 780, 840))
        assert hours[0][0] == "order lunch"
        assert hours[1][0].startswith("eat lunch in peace, then from 1:30 pm ")

    def test_that_another_cooks_are_helped_with(self) -> None:
        told = "have dinner with his family, then from 6:15 pm read a book"
        hours = hours_of(*slots(told, HOME, 1_050, 1_080, 1_140))
        assert [text.partition(",")[0] for text, _ in hours] == [
            "help with dinner",
            "sit down to dinner together",
        ]

    def test_of_a_whole_hour_stay_as_they_are(self) -> None:
        [(text, _)] = hours_of(*slots("have lunch at Hobbs Cafe", CAFE, 750, 810))
        assert text == "have lunch at Hobbs Cafe"

    @pytest.mark.parametrize("minutes", [25, 30, 45, 60, 75, 90])
    @pytest.mark.parametrize(
        "meal",
        ["make and eat lunch", "have bread and cheese for dinner", "cook and eat dinner"],
    )
    def test_hold_a_time_to_eat_however_short_they_are(self, meal: str, minutes: int) -> None:
        eaten = [deed for deed in deeds(meal, minutes) if deed.startswith("eating")]
        assert int(eaten[0].rpartition(" ")[2]) >= 5

    def test_are_not_made_again_by_who_was_interrupted(self) -> None:
        morning = "have breakfast, wash and get dressed"
        whole = [deed.rpartition(" ")[0] for deed in deeds(morning, 60)]
        eating = next(at for at, deed in enumerate(whole) if "eating" in deed)
        rest = deeds(morning, 20, done=whole[: eating + 1])
        assert not any("eating" in deed or "making" in deed for deed in rest)
        assert rest[0].rpartition(" ")[0] == whole[eating + 1]

    def test_are_begun_late_enough_to_come_home_for(self) -> None:
        dinner = deeds("have bread and cheese for dinner", 60)
        before = dinner[: next(n for n, deed in enumerate(dinner) if "eating" in deed)]
        assert sum(int(deed.rpartition(" ")[2]) for deed in before) >= 25


class TestHours:
    def test_longer_than_their_steps_are_not_filled_by_dawdling(self) -> None:
        morning = deeds("wash, get dressed and have breakfast", 90)
        assert sum(int(deed.rpartition(" ")[2]) for deed in morning) == 90
        assert "making the bed 5" in morning
        assert "brushing teeth 5" in morning
        assert len(morning) == len(set(morning))

    def test_of_work_are_filled_with_more_of_it(self) -> None:
        lesson = deeds("go to the first class of the day", 90, place="Oak Hill College")
        assert sum("listening to the lecture" in deed for deed in lesson) >= 2

    def test_do_not_begin_with_what_was_just_done(self) -> None:
        text = "write new pages of the poem"
        for before in ("writing the poem on a bench", "going on with the poem at the desk"):
            first = deeds(text, 60, place="Johnson Park", before=before)[0]
            assert first.rpartition(" ")[0] != before.replace("at the desk", "on a bench")


class TestForgottenAppointments:
    AGREED = (
        "Klaus Mueller agreed to come to a party at Hobbs Cafe on Tuesday, February 14, "
        "from 5:00 PM to 7:00 PM",
    )

    def test_are_kept(self) -> None:
        evening = slots("read a book", HOME, 960, 1_020, 1_080, 1_140, 1_200)
        places = [place for _, place in hours_of(*evening, memories=self.AGREED)]
        assert places == [HOME, CAFE, CAFE, HOME]

    def test_do_not_lead_to_a_closed_door(self) -> None:
        late = (self.AGREED[0].replace("5:00 PM to 7:00", "9:00 PM to 10:00"),)
        evening = slots("read a book", HOME, 1_260, 1_320)
        assert hours_of(*evening, memories=late)[0][1] == HOME

    def test_are_not_those_one_was_only_invited_to(self) -> None:
        invited = (
            "Isabella Rodriguez invited Klaus Mueller to a party at Hobbs Cafe on "
            "February 14, from 5:00 PM to 7:00 PM",
        )
        evening = slots("read a book", HOME, 1_020, 1_080)
        assert hours_of(*evening, memories=invited)[0][1] == HOME


class TestMoments:
    @pytest.mark.parametrize(
        "done",
        [
            "is making the bed",
            "is writing a paragraph of the research paper",
            "is writing a paragraph of the research paper at the dining table",
            "is painting the light at the easel",
            "is writing the poem on a bench",
            "was drawing a diagram on the blackboard",
        ],
    )
    def test_are_known_by_the_vocabulary(self, done: str) -> None:
        assert is_moment(done)

    @pytest.mark.parametrize(
        "pursuit",
        [
            "is writing a research paper on what gentrification does to communities",
            "is working on a composition, which is due this week",
            "is planning a Valentine's Day party",
            "writes at the desk from 8:00 am to 12:00 pm",
        ],
    )
    def test_are_not_what_somebody_works_on(self, pursuit: str) -> None:
        assert not is_moment(pursuit)
