"""Whole days of two worlds: what holds of every agent's day, whatever the seed."""

import re
from datetime import datetime
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agents.status import Agreement
from tests.unit.rule_model.lives import (
    HOUR,
    SAINT_BRANNOC,
    SMALLVILLE,
    PlannedDay,
    as_yesterday,
    outline_input,
    place_named,
    plan_day,
    setting,
)

AGENTS = [
    (folder, name) for folder in (SAINT_BRANNOC, SMALLVILLE) for name in setting(folder).agents
]
SEEDS = (1, 7)
DIFFERENT_ACTIONS_MIN = 25
SAME_ACTION_MAX = 9
ALIKE_MAX = 0.5
PLACE = "Hobbs Cafe"
# Those that keep no place, and those that know the one that they are invited to.
GUESTS = [
    name
    for name, person in setting(SMALLVILLE).agents.items()
    if PLACE in person.knows
    if not any(name in place.keepers for place in outline_input(SMALLVILLE, name).places)
]
BRIEF = ("making the bed", "getting dressed", "brushing", "putting out the light")
MODERN = (
    "phone",
    "news",
    "shower",
    "coffee",
    "music theory",
    "toilet",
    "teeth",
    "film",
    "stove",
)


@pytest.fixture(scope="module", params=SEEDS)
def days(request: pytest.FixtureRequest) -> dict[tuple[str, str], PlannedDay]:
    seed = request.param
    return {(folder.name, name): plan_day(folder, name, seed=seed) for folder, name in AGENTS}


Days = dict[tuple[str, str], PlannedDay]


def party_at(starts: int, ends: int) -> Agreement:
    """Return the agreement to come to a party of the second day, between two hours."""
    return Agreement(
        activity="come to Isabella Rodriguez's Valentine's Day party",
        place=PLACE,
        starts=datetime(2023, 2, 14, starts),
        ends=datetime(2023, 2, 14, ends),
        other="Isabella Rodriguez",
    )


class TestDay:
    def test_is_spent_in_known_and_open_places(self, days: Days) -> None:
        for folder, name in AGENTS:
            places = outline_input(folder, name).places
            for hour in days[folder.name, name].hours:
                place = place_named(places, hour.place)
                assert place is not None, (name, hour)
                assert place.lets_in(
                    name, from_minute=hour.from_minute, to_minute=hour.to_minute
                ), (name, hour)

    def test_has_activities_that_the_checks_of_answers_accept(self, days: Days) -> None:
        for (_, name), day in days.items():
            for slot in (*day.chunks, *day.hours):
                assert 0 < len(slot.activity) <= 300, (name, slot)
                assert not slot.activity.startswith(("to ", name)), slot

    def test_has_three_meals(self, days: Days) -> None:
        for folder, name in AGENTS:
            hours = setting(folder).agents[name].hours
            dinner = hours.dinner or 18 * HOUR
            spans = {
                "breakfast": (hours.wake, hours.wake + 4 * HOUR),
                "lunch": (11 * HOUR, 15 * HOUR + 30),
                "dinner": (dinner - HOUR, dinner + 3 * HOUR),
            }
            for meal, (start, end) in spans.items():
                eaten = [
                    action
                    for action in days[folder.name, name].actions
                    if start <= action.from_minute < end and "eating" in action.description
                ]
                assert eaten, (name, meal)
                assert any(action.object for action in eaten), (name, eaten)

    def test_goes_from_one_action_to_another(self, days: Days) -> None:
        for (world, name), day in days.items():
            done = [action.description for action in day.actions]
            assert all(one != other for one, other in pairwise(done)), (world, name)
            assert len(set(done)) >= DIFFERENT_ACTIONS_MIN, name
            most = max(set(done), key=done.count)
            assert done.count(most) <= SAME_ACTION_MAX, (name, most)

    def test_is_told_in_progress_form_without_the_name(self, days: Days) -> None:
        for (_, name), day in days.items():
            for action in day.actions:
                assert action.description.split()[0].endswith("ing"), (name, action)
                assert name not in action.description
                assert "{" not in action.description + action.object_state

    def test_takes_a_moment_for_what_takes_a_moment(self, days: Days) -> None:
        for day in days.values():
            for action in day.actions:
                if action.description.startswith(BRIEF):
                    assert action.to_minute - action.from_minute <= 10, action

    def test_has_an_emoji_and_a_state_for_each_object(self, days: Days) -> None:
        for day in days.values():
            for action in day.actions:
                assert action.emoji
                assert bool(action.object) == bool(action.object_state), action
                assert not action.object_state.startswith("The ")

    def test_differs_from_that_of_others(self, days: Days) -> None:
        done = {
            key: {action.description for action in day.actions} for key, day in days.items()
        }
        for one, other in combinations(done, 2):
            shared = len(done[one] & done[other]) / len(done[one] | done[other])
            assert shared <= ALIKE_MAX, (one, other, shared)

    def test_is_the_same_for_the_same_seed(self) -> None:
        name = "Wulfstan Cook"
        assert plan_day(SAINT_BRANNOC, name) == plan_day(SAINT_BRANNOC, name)
        assert plan_day(SAINT_BRANNOC, name, seed=1) != plan_day(SAINT_BRANNOC, name, seed=2)

    @pytest.mark.parametrize("name", ["Sam Moore", "Yuriko Yamamoto", "Adam Smith"])
    def test_ends_otherwise_than_the_day_before(self, name: str) -> None:
        first = plan_day(SMALLVILLE, name)
        yesterday = as_yesterday(first, setting(SMALLVILLE).first_day)
        second = plan_day(SMALLVILLE, name, day=1, yesterday=yesterday)
        evening = 19 * HOUR
        assert [
            action.description for action in first.actions if action.from_minute > evening
        ] != [action.description for action in second.actions if action.from_minute > evening]


class TestParty:
    """A gathering in the evening of the second day, which agents have agreed to come to."""

    @settings(max_examples=30, deadline=None)
    @given(
        name=st.sampled_from(GUESTS),
        starts=st.integers(16, 19),
        hours=st.integers(1, 3),
        seed=st.integers(0, 50),
    )
    def test_leaves_its_guests_time_for_dinner(
        self, name: str, starts: int, hours: int, seed: int
    ) -> None:
        party = party_at(starts, min(starts + hours, 20))
        day = plan_day(SMALLVILLE, name, seed=seed, day=1, agreements=(party,))
        dinner = setting(SMALLVILLE).agents[name].hours.dinner or 18 * HOUR
        eaten = [
            action
            for action in day.actions
            if dinner - HOUR <= action.from_minute < dinner + 3 * HOUR
            # At the party there is something to eat, too.
            and re.search(r"\beating\b|\bto eat\b", action.description)
        ]
        assert eaten, day.hours
        there = [
            hour
            for hour in day.hours
            if hour.from_minute <= starts * HOUR + 30 < hour.to_minute
            and hour.place.startswith(party.place)
        ]
        assert there, day.hours

    @pytest.mark.parametrize(
        ("name", "minutes"),
        [
            ("Carmen Ortiz", 19 * HOUR - (18 * HOUR + 5)),  # her shop closes before the end
            ("Arthur Burton", 2 * HOUR + 20),  # his bar does not: he promised to come
        ],
    )
    def test_is_gone_to_by_keepers_that_promised_to_come(self, name: str, minutes: int) -> None:
        day = plan_day(SMALLVILLE, name, day=1, agreements=(party_at(17, 19),))
        at_party = [hour for hour in day.hours if "party" in hour.activity]
        assert sum(hour.to_minute - hour.from_minute for hour in at_party) == minutes


class TestPriory:
    """Saint Brannoc's, a priory of 1147."""

    def test_has_nothing_of_another_age(self, days: Days) -> None:
        for (world, _), day in days.items():
            if world == SAINT_BRANNOC.name:
                for action in day.actions:
                    told = f"{action.description} {action.object_state}"
                    assert not [word for word in MODERN if word in told.split()], told

    @pytest.mark.parametrize(
        ("name", "minute", "words", "area", "thing"),
        [
            ("Osric Penhale", 9 * HOUR + 30, "psalter", "writing room", "Osric's writing desk"),
            ("Osric Penhale", 18 * HOUR + 22, "vespers", "choir", "choir stalls"),
            ("Wulfstan Cook", 6 * HOUR + 30, "", "kitchen", ""),
            ("Edmund Hale", 7 * HOUR + 45, "", "goat pen", ""),
            ("Edmund Hale", 10 * HOUR, "", "garden", "herb beds"),
            ("Aldwin Prior", 11 * HOUR, "", "porch", ""),
        ],
    )
    def test_follows_the_descriptions(
        self, days: Days, name: str, minute: int, words: str, area: str, thing: str
    ) -> None:
        day = days[SAINT_BRANNOC.name, name]
        near = [one for one in day.actions if abs(one.from_minute - minute) <= 20]
        assert all(one.area.endswith(f": {area}") for one in near), near
        assert any(words in one.description for one in near), near
        assert any(one.object.endswith(thing) for one in near), near

    def test_sleeps_on_own_pallets_only(self, days: Days) -> None:
        for (world, name), day in days.items():
            if world == SAINT_BRANNOC.name:
                used = {action.object for action in day.actions if "pallet" in action.object}
                assert all(f"{name.split()[0]}'s pallet" in path for path in used)

    def test_prepares_a_feast_and_holds_it(self) -> None:
        eve = plan_day(SAINT_BRANNOC, "Wulfstan Cook")
        assert "feast of Saint Brannoc" in eve.at(15 * HOUR + 30).description or any(
            "feast of Saint Brannoc" in hour.activity for hour in eve.hours
        )
        day = plan_day(SAINT_BRANNOC, "Wulfstan Cook", day=1)
        hosting = next(one for one in day.hours if one.from_minute <= 16 * HOUR < one.to_minute)
        assert "guests" in hosting.activity
        assert hosting.place.startswith("The Refectory")


class TestShops:
    """Places that open at an hour."""

    @pytest.mark.parametrize(
        "name", ["Isabella Rodriguez", "Arthur Burton", "Tom Moreno", "Carmen Ortiz"]
    )
    def test_have_their_keeper_when_they_open_and_close(self, days: Days, name: str) -> None:
        inputs = outline_input(SMALLVILLE, name)
        kept = next(place for place in inputs.places if name in place.keepers)
        assert kept.opens is not None
        assert kept.closes is not None
        day = days[SMALLVILLE.name, name]
        for minute in (kept.opens - 5, kept.opens + 5, kept.closes - 5):
            assert day.at(minute).area.startswith(kept.path), minute

    def test_serve_behind_their_counter(self, days: Days) -> None:
        used = {action.object for action in days[SMALLVILLE.name, "Tom Moreno"].actions}
        assert any(path.endswith("behind the grocery counter") for path in used)
