"""Actions, rooms, objects and looks for any planned activity."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.planning.inputs import (
    ActionDetailInput,
    ActionOnObject,
    AreaChoiceInput,
    ObjectChoiceInput,
    PlacedAction,
    StagingInput,
)
from apps.planning.options import AreaOption
from apps.rule_model.tasks import task_rules
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


def detail(activity: str, minutes: int = 60, **changes: object) -> ActionDetailInput:
    outline = outline_input(SMALLVILLE, "Adam Smith")
    base = ActionDetailInput(
        agent_name="Ada Finch",
        summary=outline.summary,
        memories=(),
        date=outline.date,
        previous="",
        done=(),
        activity=activity,
        place="Mill",
        from_minute=600,
        to_minute=600 + minutes,
        minutes_min=5,
        minutes_max=15,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def actions(given_: ActionDetailInput) -> list[str]:
    answer = RULES["planning.action_detail"](given_, chance("action_detail", given_.activity))
    return [action.description for action in answer.actions]


class TestDetail:
    @settings(max_examples=60, deadline=None)
    @given(activity=WORDS, minutes=st.integers(5, 95))
    def test_fills_the_time_with_actions_in_progress_form(
        self, activity: str, minutes: int
    ) -> None:
        answer = RULES["planning.action_detail"](
            detail(activity, minutes), chance("d", activity)
        )
        assert answer.actions
        for action in answer.actions:
            assert action.description.split()[0].endswith("ing")
            assert "{" not in action.description
            assert 5 <= action.minutes <= 15

    def test_says_an_unknown_activity_in_its_own_words(self) -> None:
        assert "juggling clubs" in actions(detail("juggle clubs"))

    def test_keeps_the_furniture_of_the_plan(self) -> None:
        told = actions(detail("copy the charter at the old desk in The Mill"))
        assert "copying the charter at the old desk" in told

    def test_goes_on_where_a_meal_was_broken_off(self) -> None:
        done = (
            "washing the hands",
            "cutting bread and cheese",
            "eating bread and cheese for dinner",
        )
        told = actions(
            detail("have bread and cheese for dinner", 30, done=done, previous=done[-1])
        )
        assert not set(told) & set(done)

    def test_does_each_of_several_things_in_its_time(self) -> None:
        told = actions(detail("juggle clubs, then from 10:30 am weed the garden"))
        first, last = told[0], told[-1]
        assert "juggling clubs" in told
        assert first != last
        assert any("weed" in one or "plants" in one or "soil" in one for one in told)


class TestRooms:
    @settings(max_examples=60, deadline=None)
    @given(told=st.lists(WORDS, min_size=1, max_size=5))
    def test_are_offered_ones(self, told: list[str]) -> None:
        areas = RULES["planning.area_choice"](
            AreaChoiceInput(
                agent_name="Ada Finch",
                place="Mill",
                current_area="Mill: loft",
                actions=tuple(told),
                areas=AREAS,
                default="Mill: kitchen",
            ),
            chance("a", "1"),
        )
        offered = {area.path: area.objects for area in AREAS}
        assert [choice.action for choice in areas.choices] == list(range(1, len(told) + 1))
        assert all(choice.area in offered for choice in areas.choices)
        objects = RULES["planning.object_choice"](
            ObjectChoiceInput(
                agent_name="Ada Finch",
                actions=tuple(
                    PlacedAction(words, choice.area)
                    for words, choice in zip(told, areas.choices, strict=True)
                ),
                areas=AREAS,
            ),
            chance("o", "1"),
        )
        for choice, area in zip(objects.choices, areas.choices, strict=True):
            assert choice.object in (*offered[area.area], "none")
            assert choice.object != "Ben's bed"

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
        areas = RULES["planning.area_choice"](
            AreaChoiceInput(
                agent_name="Ada Finch",
                place="Mill",
                current_area="",
                actions=(action,),
                areas=AREAS,
                default="Mill: kitchen",
            ),
            chance("a", "1"),
        )
        assert areas.choices[0].area == area
        objects = RULES["planning.object_choice"](
            ObjectChoiceInput(
                agent_name="Ada Finch", actions=(PlacedAction(action, area),), areas=AREAS
            ),
            chance("o", "1"),
        )
        assert objects.choices[0].object == thing


class TestStaging:
    @given(told=WORDS)
    def test_has_a_state_for_objects_only(self, told: str) -> None:
        stagings = RULES["planning.staging"](
            StagingInput(
                agent_name="Ada Finch",
                actions=(ActionOnObject(told, ""), ActionOnObject(told, "Mill: loft: desk")),
            ),
            chance("s", "1"),
        ).stagings
        assert [one.emoji for one in stagings if not one.emoji] == []
        assert stagings[0].object_state == ""
        assert stagings[1].object_state

    def test_shows_a_repair(self) -> None:
        stagings = RULES["planning.staging"](
            StagingInput(
                agent_name="Ada Finch",
                actions=(ActionOnObject("mending the broken desk", "Mill: loft: desk"),),
            ),
            chance("s", "1"),
        ).stagings
        assert (stagings[0].emoji, stagings[0].object_state) == ("🔧", "being mended")
