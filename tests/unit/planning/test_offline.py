"""The stand-in's days read like the people's, and keep the town's norms."""

from dataclasses import replace

import pytest

from apps.planning.commands import DayPlan, SoFar, plan_actions
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.surroundings import known_places
from tests.unit.planning.people import (
    CALENDAR,
    ISABELLA,
    KLAUS,
    MARIA,
    circumstances_of,
    offline_mind,
    planned,
    smallville,
    tick,
)

THREE = (ISABELLA, KLAUS, MARIA)
EVERYBODY = tuple(person.name for person in smallville().people)
CAFE, LIBRARY = "Hobbs Cafe", "Oak Hill College: library"


def hour_at(plan: DayPlan, clock: str, day: int = 13) -> PlannedItem:
    return plan.hour_at(tick(clock, day))


def acted(name: str, hour: PlannedItem, seed: int = 7) -> tuple[PlannedAction, ...]:
    of = circumstances_of(name)
    mind = offline_mind(seed=seed, at=hour.from_tick, stream=of.identity.slug)
    return plan_actions(
        mind,
        of,
        hour=hour,
        now_tick=hour.from_tick,
        so_far=SoFar(),
        current_area=of.identity.home,
        next_number=100,
    ).items


def minutes(tick_of_day: int) -> int:
    time = CALENDAR.time_at(tick_of_day)
    return time.hour * 60 + time.minute


class TestIsabella:
    @pytest.fixture
    def plan(self) -> DayPlan:
        return planned(ISABELLA)

    def test_is_at_her_cafe_before_it_opens_and_until_it_closes(self, plan: DayPlan) -> None:
        assert hour_at(plan, "7:45").place == CAFE
        at_cafe = {hour_at(plan, f"{hour}:30").place for hour in range(8, 20)}
        assert at_cafe == {CAFE}

    def test_begins_and_ends_the_day_at_home(self, plan: DayPlan) -> None:
        assert hour_at(plan, "6:00").place == "Isabella Rodriguez's apartment"
        assert "bed" in hour_at(plan, "22:45").description
        assert hour_at(plan, "23:00").asleep

    def test_turns_on_the_coffee_machine_when_she_opens(self, plan: DayPlan) -> None:
        opening = acted(ISABELLA, hour_at(plan, "7:30"))
        machine = next(item for item in opening if item.object.endswith("coffee machine"))
        assert machine.description == "turning on the coffee machine"
        assert machine.object_state == "heating up"
        assert machine.emoji == "☕"

    def test_goes_behind_her_counter(self, plan: DayPlan) -> None:
        day = [item for hour in plan.hours.items for item in acted(ISABELLA, hour)]
        behind = [item for item in day if item.object == "Hobbs Cafe: cafe: behind the counter"]
        assert len(behind) >= 5

    def test_washes_and_eats_where_one_does(self, plan: DayPlan) -> None:
        morning = acted(ISABELLA, hour_at(plan, "6:00"))
        objects = {item.object.rpartition(": ")[2] for item in morning}
        assert {"bed", "shower", "sink", "closet", "stove"} <= objects

    def test_hosts_the_party_on_its_day_and_decorates_before(self) -> None:
        plan = planned(ISABELLA, day=14)
        told = "; ".join(item.description for item in plan.outlined.items)
        assert "decorate Hobbs Cafe for the Valentine's Day party" in told
        assert "host the Valentine's Day party" in told
        assert hour_at(plan, "17:30", 14).place == CAFE

    def test_decorates_and_invites_on_the_afternoon_before(self, plan: DayPlan) -> None:
        hour = hour_at(plan, "15:30")
        assert "decorate Hobbs Cafe and invite guests" in hour.description
        done = " ".join(item.description for item in acted(ISABELLA, hour))
        assert "decorations for the Valentine's Day party" in done
        assert "asking a guest in the customer seating to come" in done

    def test_hosts_no_party_on_another_day(self, plan: DayPlan) -> None:
        assert not any("host" in item.description for item in plan.outlined.items)


class TestKlaus:
    @pytest.fixture
    def plan(self) -> DayPlan:
        return planned(KLAUS)

    def test_writes_his_paper_in_the_library(self, plan: DayPlan) -> None:
        assert hour_at(plan, "10:00").place == LIBRARY
        assert "research paper" in hour_at(plan, "10:00").description

    def test_has_lunch_once_and_at_the_cafe(self, plan: DayPlan) -> None:
        lunches = [item for item in plan.hours.items if "lunch" in item.description]
        assert [item.place for item in lunches] == [CAFE]
        assert minutes(lunches[0].from_tick) == 12 * 60 + 30

    def test_sits_at_the_tables_between_the_shelves(self, plan: DayPlan) -> None:
        work = acted(KLAUS, hour_at(plan, "9:00"))
        names = {item.object.rpartition(": ")[2] for item in work}
        assert names <= {"tables", "bookshelves", "computers", "sofa", ""}
        assert "tables" in names


class TestMaria:
    @pytest.fixture
    def plan(self) -> DayPlan:
        return planned(MARIA)

    def test_streams_games_for_hours_in_her_room(self, plan: DayPlan) -> None:
        streaming = [
            item
            for hour in plan.hours.items
            for item in acted(MARIA, hour)
            if item.emoji == "🎮" and "Maria Lopez's room" in item.area
        ]
        ticks = sum(item.to_tick - item.from_tick for item in streaming)
        assert CALENDAR.hours_of(ticks) >= 3

    def test_goes_to_bed_at_midnight(self, plan: DayPlan) -> None:
        assert not hour_at(plan, "23:59").asleep
        assert plan.hour_at(tick("0:00", 14)).asleep


class TestEveryDay:
    @pytest.mark.parametrize("name", EVERYBODY)
    @pytest.mark.parametrize("seed", range(1, 4))
    def test_has_no_hour_at_a_closed_place_but_for_its_keeper(
        self, name: str, seed: int
    ) -> None:
        of = circumstances_of(name)
        places = {place.path: place for place in of.places()}
        for day in (13, 14):
            for item in planned(name, seed=seed, day=day).hours.items:
                place = places.get(item.place)
                assert item.asleep or place is not None
                if place is not None:
                    start = minutes(item.from_tick)
                    length = round(CALENDAR.minutes_of(item.to_tick - item.from_tick))
                    assert place.lets_in(name, from_minute=start, to_minute=start + length)

    @pytest.mark.parametrize("name", THREE)
    def test_is_the_same_for_the_same_seed(self, name: str) -> None:
        assert planned(name, seed=3) == planned(name, seed=3)

    def test_varies_with_the_seed(self) -> None:
        days = {
            tuple(item.description for item in planned(ISABELLA, seed=seed).hours.items)
            for seed in range(8)
        }
        assert len(days) > 4

    @pytest.mark.parametrize("name", EVERYBODY)
    def test_holds_a_lunch_a_dinner_and_a_bedtime(self, name: str) -> None:
        told = " ".join(item.description for item in planned(name).outlined.items)
        assert told.count("lunch") == 1
        assert told.count("dinner") == 1
        assert "get ready for bed" in told

    @pytest.mark.parametrize("name", EVERYBODY)
    def test_is_acted_out_in_known_areas_with_objects_of_theirs(self, name: str) -> None:
        of = circumstances_of(name)
        for hour in planned(name).hours.items:
            for item in acted(name, hour):
                assert item.area in of.known
                assert smallville().tree.place_of(item.area) == smallville().tree.place_of(
                    hour.place
                )
                assert not item.object or item.object.startswith(f"{item.area}: ")
                assert bool(item.object) == bool(item.object_state)
                assert item.emoji
                assert name.partition(" ")[0] not in item.description

    @pytest.mark.parametrize("name", THREE)
    def test_washes_in_a_bathroom_and_cooks_in_a_kitchen(self, name: str) -> None:
        morning = acted(name, planned(name).hours.items[0])
        areas = {item.object.rpartition(": ")[2]: item.area for item in morning}
        assert "bathroom" in areas["shower"]
        assert "kitchen" in areas["stove"]
        teeth = next(item for item in morning if "teeth" in item.description)
        assert "bathroom" in teeth.object

    def test_leaves_for_today_what_was_done_yesterday(self) -> None:
        phrases = ("Maria Lopez is patient",)
        for seed in range(5):
            first = planned(MARIA, *phrases, seed=seed)
            yesterday = "; ".join(item.description for item in first.outlined.items)
            second = planned(MARIA, *phrases, seed=seed, yesterday=yesterday)
            evening = {"read a book", "do some chores", "listen to music and relax"}
            done = {text for text in evening if text in yesterday}
            again = {
                text
                for text in evening
                if any(text in item.description for item in second.outlined.items)
            }
            assert not done or done != again


class TestHousemates:
    def test_do_not_all_stand_in_one_bathroom(self) -> None:
        # Both wake at five in a house with one bathroom and one stove.
        mornings = {
            planned(name).hours.items[0].description for name in ("Sam Moore", "Jennifer Moore")
        }
        assert len(mornings) == 2

    def test_eat_what_one_of_them_cooks(self) -> None:
        cook, guest = planned("Mei Lin"), planned("Eddy Lin")
        assert "cook" in hour_at(cook, "17:30").description
        assert "with his family" in hour_at(guest, "17:30").description


class TestKeepers:
    def test_serve_at_the_counter_that_is_theirs(self) -> None:
        pharmacist = [
            item
            for hour in planned("John Lin").hours.items
            for item in acted("John Lin", hour)
            if "behind" in item.object
        ]
        assert {item.object.rpartition(": ")[2] for item in pharmacist} == {
            "behind the pharmacy counter"
        }

    def test_open_before_the_hour_and_close_after_it(self) -> None:
        plan = planned("Arthur Burton")
        pub = [item for item in plan.hours.items if item.place == "The Rose and Crown Pub"]
        assert minutes(pub[0].from_tick) <= 17 * 60
        assert minutes(pub[-1].to_tick) > 22 * 60


class TestCustomers:
    def test_pay_at_the_counter_and_do_not_go_behind_it(self) -> None:
        for name in ("Sam Moore", "Jane Moreno", "Latoya Williams", "Giorgio Rossi"):
            errands = [
                item
                for hour in planned(name).hours.items
                for item in acted(name, hour)
                if item.area.endswith(": store")
            ]
            used = {item.object.rpartition(": ")[2] for item in errands}
            assert any(name.endswith("counter") for name in used)
            assert not any(name.startswith("behind") for name in used)


class TestPeopleOfOtherKinds:
    """The rules know nobody by name: any phrases of the same make will do."""

    def test_classes_are_attended_on_weekdays_only(self) -> None:
        phrase = "Klaus Mueller has classes at Oak Hill College from 10:00 am to 2:00 pm"
        monday = planned(KLAUS, phrase, day=13)
        sunday = planned(KLAUS, phrase, day=19)
        assert hour_at(monday, "11:30").place == "Oak Hill College: classroom"
        assert hour_at(sunday, "11:30", 19).place != "Oak Hill College: classroom"

    def test_a_painter_paints_at_home(self) -> None:
        plan = planned(KLAUS, "Klaus Mueller is painting a portrait of the dorm")
        assert "portrait" in "".join(item.description for item in plan.outlined.items)

    def test_what_is_done_sometimes_is_left_out_on_some_days(self) -> None:
        phrase = "Maria Lopez sometimes studies at Hobbs Cafe from 2:00 pm to 4:00 pm"
        seen = {hour_at(planned(MARIA, phrase, seed=seed), "15:00").place for seed in range(12)}
        assert CAFE in seen
        assert len(seen) > 1

    def test_breakfast_is_had_after_an_early_run(self) -> None:
        plan = planned("Wolfgang Schulz")
        assert hour_at(plan, "6:15").place == "Johnson Park"
        assert "breakfast" in hour_at(plan, "7:35").description

    def test_work_in_words_unknown_to_the_tables_still_fills_a_day(self) -> None:
        plan = planned(MARIA, "Maria Lopez is a beekeeper")
        hours = [item for item in plan.hours.items if "beekeeper" in item.description]
        [hour, *_] = hours
        described = [item.description for item in acted(MARIA, hour)]
        assert "working as a beekeeper" in described

    def test_what_others_do_is_not_taken_for_one_s_own(self) -> None:
        plan = planned(MARIA, "Klaus Mueller is in Johnson Park from 8:00 am to 12:00 pm")
        assert hour_at(plan, "11:30").place != "Johnson Park"

    def test_what_was_done_is_not_taken_for_what_is_worked_on(self) -> None:
        own = smallville().person(MARIA).seeds
        done = (
            "Maria Lopez is making the bed",
            "Maria Lopez is writing a summary at a table",
            "Maria Lopez plans to take a walk in Johnson Park from 1:00 pm to 5:00 pm on "
            "Tuesday, February 14",
        )
        assert planned(MARIA, *own, *done, day=14) == planned(MARIA, *own, day=14)

    def test_a_keeper_is_there_when_the_door_opens(self) -> None:
        plan = planned("Arthur Burton")
        dinner = next(item for item in plan.hours.items if "dinner" in item.description)
        assert minutes(dinner.to_tick) <= 16 * 60 + 30


class TestAppointments:
    AGREED = (
        "{name} agreed to come to Isabella Rodriguez's Valentine's Day party at Hobbs Cafe on "
        "Tuesday, February 14, from 5:00 PM to 7:00 PM"
    )
    KNOWING = tuple(
        person.name
        for person in smallville().people
        if CAFE in person.knows and person.name != ISABELLA
    )

    def agreeing(self, name: str, seed: int = 7) -> DayPlan:
        memories = (*smallville().person(name).seeds, self.AGREED.format(name=name))
        return planned(name, *memories, seed=seed, day=14)

    @pytest.mark.parametrize("name", KNOWING)
    def test_are_kept_whatever_else_is_usual(self, name: str) -> None:
        plan = self.agreeing(name)
        for clock in ("17:15", "18:00", "18:45"):
            assert hour_at(plan, clock, 14).place == CAFE
        told = " ".join(item.description for item in plan.outlined.items)
        assert "be at the Valentine's Day party" in told

    @pytest.mark.parametrize("name", KNOWING)
    def test_leave_time_to_eat_and_sleep(self, name: str) -> None:
        told = " ".join(item.description for item in self.agreeing(name).outlined.items)
        assert told.count("lunch") == 1
        assert told.count("dinner") <= 1
        assert "bed" in told

    def test_are_set_out_for_in_time(self) -> None:
        party = next(i for i in self.agreeing(KLAUS).outlined.items if "party" in i.description)
        assert minutes(party.from_tick) < 17 * 60

    def test_of_another_day_change_nothing(self) -> None:
        seeds = smallville().person(KLAUS).seeds
        memory = self.AGREED.format(name=KLAUS)
        assert planned(KLAUS, *seeds, memory, day=13) == planned(KLAUS, *seeds, day=13)

    def test_at_an_hour_that_is_told_go_before_meals(self) -> None:
        memories = (
            *smallville().person(KLAUS).seeds,
            "Klaus Mueller agreed to meet Maria Lopez in Johnson Park on February 14, "
            "from 12:30 PM to 1:30 PM",
        )
        plan = planned(KLAUS, *memories, day=14)
        assert hour_at(plan, "13:00", 14).place == "Johnson Park"
        assert any("lunch" in item.description for item in plan.outlined.items)

    def test_that_were_only_offered_are_kept_by_some(self) -> None:
        invited = (
            "Isabella Rodriguez invited {name} to her Valentine's Day party at Hobbs Cafe on "
            "Tuesday, February 14, from 5:00 PM to 7:00 PM"
        )
        came = []
        for seed in range(20):
            phrases = ("Maria Lopez is patient", invited.format(name=MARIA))
            plan = planned(MARIA, *phrases, seed=seed, day=14)
            came.append("party" in " ".join(item.description for item in plan.outlined.items))
        assert any(came)
        assert not all(came)


class TestKnownPlaces:
    def test_are_those_of_the_person_and_nobody_else_s_room(self) -> None:
        of = circumstances_of(MARIA)
        paths = {place.path for place in of.places()}
        assert "Isabella Rodriguez's apartment" not in paths
        everything = frozenset(node.path for node in smallville().tree.nodes)
        curious = replace(of, known=everything)
        rooms = [area.path for area in curious.areas("Oak Hill College Dorm")]
        assert "Oak Hill College Dorm: Klaus Mueller's room" not in rooms
        assert "Oak Hill College Dorm: Maria Lopez's room" in rooms

    def test_come_with_their_norms(self) -> None:
        of = circumstances_of(KLAUS)
        offered = known_places(of.tree, of.known, person=KLAUS)
        cafe = next(place for place in offered if place.path == CAFE)
        assert cafe.in_words(KLAUS) == (
            "Hobbs Cafe (open from 8:00 am to 8:00 pm, closed otherwise; "
            "kept by Isabella Rodriguez)"
        )
        assert not cafe.lets_in(KLAUS, from_minute=19 * 60, to_minute=21 * 60)
        assert cafe.lets_in(ISABELLA, from_minute=19 * 60, to_minute=21 * 60)
