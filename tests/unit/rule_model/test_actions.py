"""Actions, rooms, objects and looks for any planned activity."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.planning.answered_times import walks_before
from apps.planning.inputs import (
    HourActionsInput,
    KnownAgent,
    Surroundings,
)
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS, HourActions, times_of
from apps.planning.surroundings import AreaOption
from apps.rule_model.content import vocabulary
from apps.rule_model.planning.rooms import areas_of, emoji_of, objects_of, state_of
from apps.rule_model.planning.wording import seated
from apps.rule_model.tasks import task_rules
from tests.support.inputs import check
from tests.unit.rule_model.lives import SMALLVILLE, chance, content, outline_input

RULES = task_rules(content())
VOCABULARY = (
    "mend the net copy a psalm sell fish eat with sister in garden from and then at Mill wash "
    "pray host feast of play dice tomorrow lunch desk go on teaching"
)
WORDS = st.lists(
    st.sampled_from(VOCABULARY.split()),
    min_size=1,
    max_size=8,
).map(" ".join)
AREAS = (
    AreaOption(path="Mill: kitchen", objects=("hearth", "grain chest")),
    AreaOption(path="Mill: loft", objects=("Ada's bed", "Ben's bed", "desk", "clothes chest")),
    AreaOption(path="Mill: wash house", objects=("tub",), holds=1),
)


def hour(activity: str, minutes: int = 60, **changes: object) -> HourActionsInput:
    outline = outline_input(SMALLVILLE, "Adam Smith")
    base = HourActionsInput(
        agent_name="Ada Finch",
        summary=outline.summary,
        memories=(),
        date=outline.date,
        previous="",
        done=(),
        activity=activity,
        place="Mill",
        next_activity="",
        from_minute=600,
        to_minute=600 + minutes,
        minutes_min=5,
        minutes_max=15,
        areas=AREAS,
        default_area="Mill: kitchen",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def answered(given_: HourActionsInput) -> HourActions:
    answer = RULES["planning.hour_actions"](given_, chance("hour_actions", given_.activity))
    assert isinstance(answer, HourActions)
    return answer


def actions(given_: HourActionsInput) -> list[str]:
    return [action.description for action in answered(given_).actions]


class TestDetail:
    @pytest.mark.parametrize("what", vocabulary("phrases_reaction")["in_place_of_waiting"])
    def test_is_what_was_decided_in_place_of_waiting(self, what: str) -> None:
        assert "going on with the work at hand" not in actions(hour(what, 15))

    def test_fills_the_time_with_the_walks_between_areas(self) -> None:
        walks = {
            "Mill: kitchen": {"Mill: wash house": 4},
            "Mill: wash house": {"Mill: kitchen": 4, "Mill: loft": 3},
        }
        given_ = hour("wash, get dressed and have breakfast", walks=walks)
        answer = answered(given_)
        assert HOUR_ACTIONS.adjust is not None
        assert HOUR_ACTIONS.adjust(given_, answer).differences == ()
        on_foot = walks_before(given_, [action.area for action in answer.actions])
        assert any(on_foot)
        lengths = [one.minutes for one in times_of(given_, answer.actions)]
        assert all(length - walk >= 2 for length, walk in zip(lengths, on_foot, strict=True))

    @settings(max_examples=60, deadline=None)
    @given(activity=WORDS, minutes=st.integers(5, 95))
    def test_fills_the_time_with_actions_in_progress_form(
        self, activity: str, minutes: int
    ) -> None:
        given_ = hour(activity, minutes)
        answer = answered(given_)
        assert answer.actions
        assert all(5 <= one.minutes <= 15 for one in times_of(given_, answer.actions))
        for action in answer.actions:
            assert action.description.split()[0].endswith("ing")
            assert "{" not in action.description

    def test_says_an_unknown_activity_in_its_own_words(self) -> None:
        assert "juggling clubs" in actions(hour("juggle clubs"))

    def test_keeps_the_furniture_of_the_plan(self) -> None:
        told = actions(hour("copy the charter at the old desk in The Mill"))
        assert "copying the charter at the old desk" in told

    def test_goes_on_where_a_meal_was_broken_off(self) -> None:
        done = (
            "washing the hands",
            "cutting bread and cheese",
            "eating bread and cheese for dinner",
        )
        told = actions(
            hour("have bread and cheese for dinner", 30, done=done, previous=done[-1])
        )
        assert not set(told) & set(done)

    def test_does_each_of_several_things_in_its_time(self) -> None:
        told = actions(hour("juggle clubs, then from 10:30 am weed the garden"))
        first, last = told[0], told[-1]
        assert "juggling clubs" in told
        assert first != last
        assert any("weed" in one or "plants" in one or "soil" in one for one in told)


class TestMeeting:
    def test_begins_with_a_talk_with_the_agent_that_the_plan_names(self) -> None:
        ben = KnownAgent(slug="ben-marsh", name="Ben Marsh")
        there = Surroundings(agents=(ben,))
        dinner = hour("have dinner with Ben Marsh", surroundings=there)
        answer = answered(dinner)
        check(HOUR_ACTIONS, dinner, answer)
        waited, talked, *_ = answer.actions
        assert waited.act is not None
        assert talked.act is not None
        assert (waited.act.kind, talked.act.kind) == ("wait for", "talk to")
        assert talked.act.agent == "Ben Marsh"
        lengths = [one.minutes for one in times_of(dinner, answer.actions)]
        assert lengths[:2] == [10, 5]

    def test_is_not_repeated_in_an_hour(self) -> None:
        there = Surroundings(agents=(KnownAgent(slug="ben-marsh", name="Ben Marsh"),))
        met = ("waiting for Ben Marsh", "meeting Ben Marsh")
        dinner = hour("have dinner with Ben Marsh", surroundings=there, done=met)
        assert not any(action.act for action in answered(dinner).actions)


class TestSteps:
    def test_name_what_the_words_of_an_hour_are_about(self) -> None:
        feast = "the feast of Saint Ia"
        done = [
            one.description
            for one in answered(hour(f"see to the last things for {feast}")).actions
        ]
        assert any(feast in description for description in done), done

    def test_need_what_is_there(self) -> None:
        hive = AreaOption(path="Mill: orchard", objects=("beehives", "herb beds"))
        for areas, is_done in ((AREAS, False), ((*AREAS, hive), True)):
            weeding = hour("weed the herbs", minutes=180, areas=areas)
            done = [one.description for one in answered(weeding).actions]
            assert ("seeing to the bees" in done) is is_done, done

    def test_are_done_at_the_object_that_the_plan_names(self) -> None:
        begun = "laying on the first color"
        painting = answered(hour("paint the clothes chest", previous=begun)).actions
        used = {one.object for one in painting if one.description.startswith("painting")}
        assert used == {"loft: clothes chest"}


class TestRooms:
    @settings(max_examples=60, deadline=None)
    @given(activity=WORDS)
    def test_are_offered_ones(self, activity: str) -> None:
        given_ = hour(activity)
        answer = answered(given_)
        check(HOUR_ACTIONS, given_, answer)
        assert not any("Ben's bed" in action.object for action in answer.actions)

    @pytest.mark.parametrize(
        ("action", "area", "thing"),
        [
            ("boiling a soup for dinner", "Mill: kitchen", "hearth"),
            ("making the bed", "Mill: loft", "Ada's bed"),
            ("washing clothes", "Mill: wash house", "tub"),
            ("writing a letter", "Mill: loft", "desk"),
            ("looking at what there is to eat", "Mill: kitchen", "grain chest"),
        ],
    )
    def test_suit_the_action(self, action: str, area: str, thing: str) -> None:
        [chosen] = areas_of(hour(action), [action], content())
        assert chosen.path == area
        assert objects_of(hour(action), [action], [chosen], content()) == [thing]


class TestLook:
    VOCABULARY = content().at("Mill")

    @given(told=WORDS)
    def test_has_a_state_for_objects_only(self, told: str) -> None:
        assert emoji_of(told, "", self.VOCABULARY)
        assert state_of(told, "", self.VOCABULARY) == ""
        assert state_of(told, "desk", self.VOCABULARY)

    def test_shows_a_repair(self) -> None:
        mending = "mending the broken desk"
        assert emoji_of(mending, "desk", self.VOCABULARY) == "🔧"
        assert state_of(mending, "desk", self.VOCABULARY) == "being mended"


BEN = KnownAgent(slug="ben-marsh", name="Ben Marsh", is_here=True, activity="eating bread")
ALONE = Surroundings(current_area="Mill: kitchen", current_place="Mill")
IN_THE_MILL = Surroundings(current_area="Mill: kitchen", current_place="Mill", agents=(BEN,))


class TestOthers:
    SHOP, DINNER = "serve the customers", "have dinner with his wife"

    @pytest.mark.parametrize(
        "present",
        [(), (replace(BEN, is_here=False),), (replace(BEN, is_asleep=True),)],
        ids=["nobody", "elsewhere", "asleep"],
    )
    def test_who_are_not_there_are_not_served(self, present: tuple[KnownAgent, ...]) -> None:
        around = replace(IN_THE_MILL, agents=present)
        for minutes in range(15, 95, 5):
            kept = hour(self.SHOP, minutes, surroundings=around, keepers=("Ada Finch",))
            done = answered(kept).actions
            assert not [one for one in done if "customer" in one.description]
            assert not [one for one in done if one.with_agents]

    def test_who_are_there_are_served_first_and_once(self) -> None:
        kept = hour(self.SHOP, surroundings=IN_THE_MILL, keepers=("Ada Finch",))
        served, *others = answered(kept).actions
        assert "Ben Marsh" in served.description
        assert served.with_agents == ("Ben Marsh",)
        assert not [one for one in others if one.with_agents]
        again = answered(replace(kept, done=(served.description,))).actions
        assert not [one for one in again if one.with_agents]

    def test_who_keep_the_place_too_are_no_customers(self) -> None:
        both = ("Ada Finch", "Ben Marsh")
        kept = hour(self.SHOP, surroundings=IN_THE_MILL, keepers=both)
        assert not [one for one in answered(kept).actions if one.with_agents]

    def test_who_eat_already_are_company_by_name(self) -> None:
        eaten = answered(hour(self.DINNER, surroundings=IN_THE_MILL)).actions
        assert [one.with_agents for one in eaten if "eating dinner" in one.description] == [
            ("Ben Marsh",)
        ]

    @pytest.mark.parametrize("present", [(), (replace(BEN, activity="mending a sack"),)])
    def test_who_do_not_eat_are_no_company(self, present: tuple[KnownAgent, ...]) -> None:
        alone = hour(self.DINNER, surroundings=replace(IN_THE_MILL, agents=present))
        done = actions(alone)
        assert "eating dinner" in done
        assert not [one for one in done if "together" in one]

    def test_an_agent_that_finds_no_company_does_not_sit_with_the_others(self) -> None:
        for minutes in range(15, 95, 5):
            alone = hour("see who is around for a talk", minutes, surroundings=ALONE)
            done = actions(alone)
            assert not [one for one in done if "the others" in one]
            assert all(one != after for one, after in pairwise(done)), done


def test_name_the_furniture_once() -> None:
    activity = "work on a proof at the blackboard"
    assert (
        seated("fill the blackboard with a proof", activity)
        == "fill the blackboard with a proof"
    )
    assert seated("try another approach", activity) == "try another approach at the blackboard"
