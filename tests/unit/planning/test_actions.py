"""The actions of an hour: one call whose answer takes effect as given, or is on record."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.llm.cleaning import in_one_line
from apps.planning.actions import HourSoFar, plan_actions
from apps.planning.answered_times import NEIGHBOUR, OVER
from apps.planning.events import ActionsPlanned, PlannedAction, PlannedItem
from apps.planning.llm_tasks.hour_actions import AFTER_HOUR, HourAction, HourActions
from tests.support.llm_doubles import (
    AgentLLMInMemory,
    Scripted,
    ScriptedModel,
    agent_llm_in_memory,
)
from tests.unit.planning.people import (
    CALENDAR,
    ISABELLA,
    planned,
    planning_context_of,
    scripted_mind,
    tick,
)

HOME = "Isabella Rodriguez's apartment"
KITCHEN, BATHROOM = f"{HOME}: kitchen", f"{HOME}: bathroom"
STOVE = "kitchen: stove"
HOUR = PlannedItem(
    number=9,
    parent=1,
    description="make breakfast",
    place=HOME,
    from_tick=tick("6:00"),
    to_tick=tick("7:00"),
    asleep=False,
)


def action(
    description: str = "frying eggs", starts: str = "06:00", **changes: Any
) -> HourAction:
    facts: dict[str, Any] = {
        "area": "kitchen",
        "object": STOVE,
        "object_state": "sizzling",
        "emoji": "🍳",
        "importance": 1,
    }
    return HourAction(description=description, starts=starts, **facts | changes)


def divided(hour: PlannedItem, *answers: Scripted, now: int | None = None) -> ActionsPlanned:
    return plan_actions(
        scripted_mind(hour_actions=list(answers)),  # type: ignore[arg-type]
        planning_context_of(ISABELLA),
        hour=hour,
        now_tick=hour.from_tick if now is None else now,
        so_far=HourSoFar(),
        next_number=50,
    )


def spans(items: Sequence[PlannedAction]) -> list[tuple[int, int]]:
    return [(item.from_tick, item.to_tick) for item in items]


actions = st.builds(
    action,
    description=st.text(min_size=1, max_size=200).filter(in_one_line),
    starts=st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)),
)


class TestPlanActions:
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(actions, min_size=1, max_size=25), st.integers(1, 90), st.integers(0, 500))
    def test_cover_what_is_left_of_the_hour(
        self, answered: list[HourAction], minutes: int, late: int
    ) -> None:
        hour = replace(HOUR, to_tick=HOUR.from_tick + 6 * minutes)
        now = min(hour.from_tick + late, hour.to_tick - 1)
        items = divided(hour, HourActions(actions=answered), now=now).items
        edges = [now, *(item.to_tick for item in items)]
        assert [item.from_tick for item in items] == edges[:-1]
        assert edges[-1] == hour.to_tick
        # Two minutes, the first of which may have begun.
        assert len(items) == 1 or all(end - start >= 7 for start, end in spans(items))

    def test_are_all_planned_where_the_hour_begins_between_two_minutes(self) -> None:
        answer = HourActions(actions=[action(starts="06:50"), action("clearing up", "06:55")])
        first, last = divided(HOUR, answer, now=HOUR.to_tick - 9 * 6 - 1).items
        assert (first.description, last.description) == ("frying eggs", "clearing up")

    def test_take_effect_as_answered(self) -> None:
        shower = action(
            "taking a shower",
            "06:00",
            area="bathroom",
            object="bathroom: shower",
            object_state="running",
            emoji="🚿",
            importance=3,
        )
        idle = action("humming", "06:45", object="none", object_state="", emoji="🎶")
        washed, *_, hummed = divided(
            HOUR, HourActions(actions=[shower, action(starts="06:15"), idle])
        ).items
        assert (washed.area, washed.object) == (BATHROOM, f"{BATHROOM}: shower")
        assert (washed.object_state, washed.emoji, washed.importance) == ("running", "🚿", 3)
        assert (hummed.area, hummed.object, hummed.object_state) == (KITCHEN, "", "")

    def test_are_one_item_however_long_one_is(self) -> None:
        items = divided(
            HOUR, HourActions(actions=[action("lecturing"), action(starts="06:45")])
        ).items
        assert [(one.description, one.to_tick - one.from_tick) for one in items] == [
            ("lecturing", 45 * 6),
            ("frying eggs", 15 * 6),
        ]

    def test_last_until_the_next_one_with_the_walks_to_their_areas(self) -> None:
        shower = action("showering", "06:30", area="bathroom", object="none", object_state="")
        answer = HourActions(actions=[action(starts="06:12"), shower])
        items = self.planned_after_a_walk(answer, {KITCHEN: 12, BATHROOM: 14}).items
        assert [(one.to_tick - one.from_tick) // 6 for one in items] == [12 + 18, 30]

    def test_are_moved_rather_than_left_out(self) -> None:
        shower = action("showering", "06:11", area="bathroom", object="none", object_state="")
        hour = replace(HOUR, to_tick=HOUR.from_tick + 6 * 12)
        answer = HourActions(actions=[action(), shower])
        items = self.planned_after_a_walk(answer, {KITCHEN: 0}, hour=hour).items
        cooked, washed = ((one.to_tick - one.from_tick) // 6 for one in items)
        assert (cooked, washed) == (7, 3 + 2)

    def test_are_one_where_the_walk_takes_the_hour(self) -> None:
        answer = HourActions(actions=[action(starts="06:00"), action(starts="06:05")])
        [item] = self.planned_after_a_walk(answer, {KITCHEN: 90}).items
        assert (item.from_tick, item.to_tick) == (HOUR.from_tick, HOUR.to_tick)

    def planned_after_a_walk(
        self, answer: HourActions, on_foot: dict[str, int], hour: PlannedItem = HOUR
    ) -> ActionsPlanned:
        context = replace(
            planning_context_of(ISABELLA),
            walks=on_foot,
            walks_from=lambda area: {BATHROOM: 3} if area == KITCHEN else {},
        )
        return plan_actions(
            scripted_mind(hour_actions=answer),
            context,
            hour=hour,
            now_tick=hour.from_tick,
            so_far=HourSoFar(),
            next_number=50,
        )

    def test_have_an_odd_answer_word_for_word(self) -> None:
        odd = 'singing "Happy Birthday"; Mei claps.'
        [item] = divided(HOUR, HourActions(actions=[action(odd)])).items
        assert item.description == odd

    def test_are_one_in_the_bed_while_asleep(self) -> None:
        night = planned(ISABELLA).hours.items[-1]
        [item] = divided(night).items
        assert item.asleep
        assert item.object == f"{HOME}: main room: bed"
        assert (item.description, item.emoji) == ("sleeping", "😴")
        assert CALENDAR.hours_of(item.to_tick - item.from_tick) == 7

    def test_refuse_an_hour_that_is_over(self) -> None:
        with pytest.raises(ValueError, match="is over"):
            divided(HOUR, now=tick("7:00"))


class TestRejectedAnswers:
    """An answer that cannot be used is asked again, then replaced; both are on record."""

    def asked(
        self, *answers: list[HourAction]
    ) -> tuple[ActionsPlanned, ScriptedModel, AgentLLMInMemory]:
        scripted = [HourActions(actions=answer) for answer in answers]
        model = ScriptedModel({"planning.hour_actions": scripted})
        llm = agent_llm_in_memory(model)
        result = plan_actions(
            llm,
            planning_context_of(ISABELLA),
            hour=HOUR,
            now_tick=HOUR.from_tick,
            so_far=HourSoFar(),
            next_number=50,
        )
        return result, model, llm

    @pytest.mark.parametrize(
        ("rejected", "reason"),
        [
            (action(f"{ISABELLA} is frying eggs"), "begins with 'Isabella Rodriguez'"),
            (action(area="kitchn"), '"main room", "kitchen", "bathroom"'),
            (action(object="kitchen: anvil"), '"kitchen: refrigerator"'),
        ],
    )
    def test_are_asked_again_with_the_reason(self, rejected: HourAction, reason: str) -> None:
        result, model, llm = self.asked([rejected], [action()])
        assert [item.description for item in result.items] == ["frying eggs"]
        assert reason in model.asked[1].messages[-1].content
        [call] = llm.call_log.calls.values()
        assert (len(call.attempts), call.fallback) == (2, "")

    @pytest.mark.parametrize(
        ("field", "answered", "used"),
        [
            ("area", "bathroom", KITCHEN),
            ("object_state", "", "in use"),
            ("object_state", "The stove is hot", "hot"),
            ("object_state", "hot " * 40, "in use"),
            ("emoji", "sleeping", "💭"),
            ("emoji", "☕ coffee", "☕"),
            ("emoji", "", "💭"),
        ],
    )
    def test_are_not_asked_again_for_what_can_be_read_or_decides_nothing(
        self, field: str, answered: str, used: str
    ) -> None:
        changed: dict[str, Any] = {field: answered}
        result, model, llm = self.asked([action(**changed)])
        [item] = result.items
        assert getattr(item, field) == used
        assert len(model.asked) == 1
        [call] = llm.call_log.calls.values()
        [difference] = call.differences
        assert difference["field"] == f"actions.1.{field}"
        assert used.endswith(difference["used"])

    @pytest.mark.parametrize(
        ("second", "used", "reasons"),
        [
            ("06:20", 20, ()),
            ("05:20", 2, (NEIGHBOUR, OVER)),
            ("06:01", 2, (NEIGHBOUR,)),
            ("07:30", None, (AFTER_HOUR,)),
        ],
    )
    def test_record_other_times(
        self, second: str, used: int | None, reasons: tuple[str, ...]
    ) -> None:
        result, _, llm = self.asked([action("eating"), action("frying eggs", second)])
        [call] = llm.call_log.calls.values()
        lengths = [(one.to_tick - one.from_tick) // 6 for one in result.items]
        assert lengths == ([60] if used is None else [used, 60 - used])
        assert tuple(one["reason"] for one in call.differences) == reasons

    def test_give_way_to_a_fallback_that_is_on_record(self) -> None:
        result, _, llm = self.asked(*[[action(area="the moon")]] * 3)
        [item] = result.items
        assert item.description == "keeping to the plan: make breakfast"
        assert (item.area, item.object) == (f"{HOME}: main room", "")
        [call] = llm.call_log.calls.values()
        assert call.fallback == "hour_as_planned"
