"""Planning a day and dividing an hour, whatever a model answers."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.inputs import NewMemory
from apps.planning.commands import DayPlan, PreviousActions, plan_actions, plan_day
from apps.planning.events import ActionsPlanned, PlannedAction, PlannedItem
from apps.planning.llm_tasks.action_detail import ActionDetail, DetailedAction
from apps.planning.llm_tasks.area_choice import AreaChoice, AreaChoices
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk, ordinary_day
from apps.planning.llm_tasks.hourly_plan import HourActivity, HourlyPlan, hours_as_planned
from apps.planning.llm_tasks.object_choice import ObjectChoice, ObjectChoices
from apps.planning.llm_tasks.staging import Staging, Stagings
from tests.support.llm_doubles import (
    AgentLLMInMemory,
    Scripted,
    ScriptedModel,
    agent_llm_in_memory,
)
from tests.unit.planning.people import (
    ADA,
    CALENDAR,
    ISABELLA,
    planned,
    planning_context_of,
    scripted_mind,
    tick,
)

HOME = "Isabella Rodriguez's apartment"
KITCHEN, BATHROOM = f"{HOME}: kitchen", f"{HOME}: bathroom"
NOTHING_ASKED: dict[str, Scripted] = {}

chunks = st.builds(
    OutlineChunk,
    starts=st.one_of(
        st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)), st.text()
    ),
    minutes=st.integers(-1_000, 100_000),
    activity=st.text(max_size=400),
    place=st.one_of(st.sampled_from(["Hobbs Cafe", "the park", HOME]), st.text()),
)
hours = st.builds(
    HourActivity,
    time=st.integers(-3, 40),
    activity=st.text(max_size=400),
    place=st.one_of(st.sampled_from(["Hobbs Cafe", "johnson park"]), st.text()),
)
actions = st.builds(
    DetailedAction, description=st.text(max_size=300), minutes=st.integers(-60, 10_000)
)


def spans(items: Sequence[PlannedItem | PlannedAction]) -> list[tuple[int, int]]:
    return [(item.from_tick, item.to_tick) for item in items]


def tiles(items: Sequence[PlannedItem | PlannedAction], start: int, end: int) -> bool:
    edges = [start, *(item.to_tick for item in items)]
    return edges[-1] == end and all(
        item.from_tick == edge < item.to_tick
        for item, edge in zip(items, edges[:-1], strict=True)
    )


def day_of(outline: DayOutline, hourly: HourlyPlan, *, at: str = "6:00") -> DayPlan:
    llm = scripted_mind(day_outline=outline, hourly_plan=hourly)
    return plan_day(
        llm, planning_context_of(ISABELLA), now_tick=tick(at), yesterday=None, next_number=1
    )


def divided(hour: PlannedItem, **script: Scripted) -> ActionsPlanned:
    return divided_from(hour.from_tick, hour, **script)


def divided_from(now: int, hour: PlannedItem, /, **script: Scripted) -> ActionsPlanned:
    return plan_actions(
        scripted_mind(**script),
        planning_context_of(ISABELLA),
        hour=hour,
        now_tick=now,
        so_far=PreviousActions(),
        current_area=f"{HOME}: main room",
        next_number=50,
    )


def an_hour(place: str = HOME, *, minutes: int = 60) -> PlannedItem:
    return PlannedItem(
        number=9,
        parent=1,
        description="make breakfast",
        place=place,
        from_tick=tick("6:00"),
        to_tick=tick("6:00") + 6 * minutes,
        asleep=False,
    )


class TestPlanDay:
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(chunks, min_size=1, max_size=14), st.lists(hours, max_size=30))
    def test_has_no_gap_and_no_overlap_whatever_is_answered(
        self, outline: list[OutlineChunk], hourly: list[HourActivity]
    ) -> None:
        plan = day_of(DayOutline(chunks=outline), HourlyPlan(hours=hourly))
        outlined, planned_hours = plan.outlined.items, plan.hours.items
        assert tiles(outlined, tick("6:00"), tick("6:00", 14))
        assert 5 <= len(outlined) <= 8
        for chunk in outlined:
            parts = [hour for hour in planned_hours if hour.parent == chunk.number]
            assert tiles(parts, chunk.from_tick, chunk.to_tick)
        numbers = [item.number for item in (*outlined, *planned_hours)]
        assert numbers == list(range(1, len(numbers) + 1))

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(chunks, min_size=1, max_size=14), st.lists(hours, max_size=30))
    def test_names_only_known_places_and_says_something_everywhere(
        self, outline: list[OutlineChunk], hourly: list[HourActivity]
    ) -> None:
        plan = day_of(DayOutline(chunks=outline), HourlyPlan(hours=hourly))
        of = planning_context_of(ISABELLA)
        for item in (*plan.outlined.items, *plan.hours.items):
            assert item.place in of.known
            assert item.description
            assert not item.description.startswith(f"{ISABELLA} ")

    def test_ends_with_sleep_where_the_bed_is(self) -> None:
        plan = planned(ISABELLA)
        night = plan.hours.items[-1]
        assert night.asleep
        assert night.place == f"{HOME}: main room"
        assert spans([night]) == [(tick("23:00"), tick("6:00", 14))]
        assert night.parent == plan.outlined.items[-1].number

    def test_puts_chunks_in_order_and_names_long_empty_stretches(self) -> None:
        outline = DayOutline(
            chunks=[
                OutlineChunk(starts="20:00", minutes=180, activity="rest", place=HOME),
                OutlineChunk(starts="06:00", minutes=60, activity="wash", place=HOME),
                OutlineChunk(starts="07:00", minutes=300, activity="work", place="Hobbs Cafe"),
                OutlineChunk(starts="12:00", minutes=60, activity="eat", place="Hobbs Cafe"),
            ]
        )
        plan = day_of(outline, HourlyPlan(hours=[]))
        assert [item.description for item in plan.outlined.items] == [
            "wash",
            "work",
            "eat",
            "take some free time",
            "rest",
            "sleep",
        ]

    def test_becomes_memories_with_the_facts_behind_them(self) -> None:
        first, *_, last = planned(ADA).outline_memories
        assert first == NewMemory(
            kind=MemoryKind.PLAN,
            origin=MemoryOrigin.PLANNED,
            description=(
                "Ada Finch plans on Monday, February 13, 2023 from 6:30 am to 7:30 am at Mill "
                "Cottage: wake up and complete the morning routine"
            ),
            scheduled=ScheduledActivity(
                activity="wake up and complete the morning routine",
                place="Mill Cottage",
                starts=datetime(2023, 2, 13, 6, 30),
                ends=datetime(2023, 2, 13, 7, 30),
            ),
        )
        assert last.scheduled is not None
        assert last.scheduled.activity == "sleep"
        assert last.scheduled.ends == datetime(2023, 2, 14, 6, 30)

    @pytest.mark.parametrize(
        "odd", ["Going to bed", "John and Mei have breakfast together", 'sing "Happy Birthday"']
    )
    def test_stores_odd_answers_word_for_word(self, odd: str) -> None:
        outline = DayOutline(
            chunks=[
                OutlineChunk(starts=f"{hour}:00", minutes=180, activity=odd, place=HOME)
                for hour in range(6, 23, 3)
            ]
        )
        hourly = HourlyPlan(
            hours=[HourActivity(time=n, activity=f" {odd}\n", place=HOME) for n in range(1, 20)]
        )
        plan = day_of(outline, hourly)
        items = [item for item in (*plan.outlined.items, *plan.hours.items) if not item.asleep]
        assert {item.description for item in items} == {odd}

    def test_gives_the_same_words_to_both_halves_of_a_long_chunk(self) -> None:
        one = OutlineChunk(starts="06:00", minutes=1_020, activity="write", place=HOME)
        plan = day_of(DayOutline(chunks=[one]), HourlyPlan(hours=[]))
        chunks = [item.description for item in plan.outlined.items]
        assert chunks == ["write"] * (len(chunks) - 1) + ["sleep"]
        assert len(chunks) > 2

    def test_starts_now_for_who_is_woken_late(self) -> None:
        plan = plan_day(
            scripted_mind(day_outline=ordinary_day, hourly_plan=hours_as_planned),
            planning_context_of(ISABELLA),
            now_tick=tick("9:17"),
            yesterday=None,
            next_number=31,
        )
        assert tiles(plan.outlined.items, tick("9:17"), tick("6:00", 14))
        assert plan.outlined.items[0].number == 31

    def test_is_sleep_again_in_the_night_and_asks_nothing(self) -> None:
        plan = plan_day(
            scripted_mind(**NOTHING_ASKED),
            planning_context_of(ISABELLA),
            now_tick=tick("2:00"),
            yesterday=None,
            next_number=1,
        )
        assert [item.asleep for item in plan.hours.items] == [True]
        assert tiles(plan.hours.items, tick("2:00"), tick("6:00"))
        assert plan.outline_memories == ()

    def test_is_an_ordinary_day_when_the_answer_stays_invalid(self) -> None:
        llm = scripted_mind(day_outline=lambda _: "no", hourly_plan=lambda _: "{}")
        plan = plan_day(
            llm,
            planning_context_of(ISABELLA),
            now_tick=tick("6:00"),
            yesterday=None,
            next_number=1,
        )
        assert "go about the work of the day" in [i.description for i in plan.outlined.items]
        assert tiles(plan.hours.items, tick("6:00"), tick("6:00", 14))

    def test_finds_the_hour_of_a_tick(self) -> None:
        plan = planned(ISABELLA)
        assert plan.hour_at(tick("6:00")) == plan.hours.items[0]
        with pytest.raises(ValueError, match="not in the plan-day"):
            plan.hour_at(tick("6:00", 14))


class TestPlanActions:
    NO_CHOICES: dict[str, Scripted] = {  # noqa: RUF012 (never changed)
        "area_choice": AreaChoices(choices=[]),
        "object_choice": ObjectChoices(choices=[]),
        "staging": Stagings(stagings=[]),
    }

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(actions, min_size=1, max_size=25), st.integers(1, 90), st.integers(0, 500))
    def test_cover_what_is_left_of_the_hour_whatever_is_answered(
        self, detail: list[DetailedAction], minutes: int, late: int
    ) -> None:
        hour = an_hour(minutes=minutes)
        now = min(hour.from_tick + late, hour.to_tick - 1)
        answer = ActionDetail(actions=detail)
        result = divided_from(now, hour, action_detail=answer, **self.NO_CHOICES)
        assert tiles(result.items, now, hour.to_tick)
        if hour.to_tick - now >= 30:
            assert all(30 <= end - start <= 90 for start, end in spans(result.items))
        assert all(item.description for item in result.items)

    def test_take_their_places_level_by_level_with_repairs(self) -> None:
        detail = ActionDetail(
            actions=[
                DetailedAction(description="taking a shower", minutes=15),
                DetailedAction(description="frying eggs", minutes=15),
                DetailedAction(description="daydreaming", minutes=15),
                DetailedAction(description="humming", minutes=15),
            ]
        )
        result = divided(
            an_hour(),
            action_detail=detail,
            area_choice=AreaChoices(
                choices=[
                    AreaChoice(action=1, area="the BATHROOM"),
                    AreaChoice(action=2, area="kitchn"),
                    AreaChoice(action=3, area="the moon"),
                ]
            ),
            object_choice=ObjectChoices(
                choices=[
                    ObjectChoice(action=1, object="Shower"),
                    ObjectChoice(action=2, object="the stove"),
                    ObjectChoice(action=3, object="stove"),
                    ObjectChoice(action=4, object="none"),
                ]
            ),
            staging=Stagings(
                stagings=[
                    Staging(action=1, emoji="🚿", object_state="running"),
                    Staging(action=4, emoji="🎶", object_state=""),
                ]
            ),
        )
        shower, eggs, dream, hum = result.items
        assert shower.description == "taking a shower"
        assert (shower.area, shower.object) == (BATHROOM, f"{BATHROOM}: shower")
        assert (shower.emoji, shower.object_state) == ("🚿", "running")
        assert (eggs.area, eggs.object_state, eggs.emoji) == (KITCHEN, "in use", "💭")
        assert dream.area == hum.area == f"{HOME}: main room"
        assert dream.object == hum.object == ""
        assert dream.object_state == ""

    def test_do_not_ask_where_there_is_no_choice(self) -> None:
        detail = ActionDetail(actions=[DetailedAction(description="resting", minutes=60)])
        script = {key: self.NO_CHOICES[key] for key in ("object_choice", "staging")}
        result = divided(an_hour("Johnson Park"), action_detail=detail, **script)
        assert {item.area for item in result.items} == {"Johnson Park: park"}

    def test_are_one_in_the_bed_while_asleep(self) -> None:
        night = planned(ISABELLA).hours.items[-1]
        [action] = divided(night, **NOTHING_ASKED).items
        assert action.asleep
        assert action.object == f"{HOME}: main room: bed"
        assert (action.description, action.emoji) == ("sleeping", "😴")
        assert CALENDAR.hours_of(action.to_tick - action.from_tick) == 7

    def test_refuse_an_hour_that_is_over(self) -> None:
        with pytest.raises(ValueError, match="is over"):
            divided_from(tick("7:00"), an_hour(), **NOTHING_ASKED)

    def test_fall_back_to_the_hour_itself(self) -> None:
        result = divided(
            an_hour(),
            action_detail=lambda _: "no",
            area_choice=lambda _: "no",
            object_choice=lambda _: "no",
            staging=lambda _: "no",
        )
        assert {item.description for item in result.items} == {
            "keeping to the plan: make breakfast"
        }
        assert tiles(result.items, tick("6:00"), tick("7:00"))

    def test_have_an_odd_answer_word_for_word(self) -> None:
        odd = 'singing "Happy Birthday"; Mei claps.'
        detail = ActionDetail(actions=[DetailedAction(description=odd, minutes=60)])
        result = divided(an_hour(), action_detail=detail, **self.NO_CHOICES)
        assert {item.description for item in result.items} == {odd}


class TestRejectedAnswers:
    """An answer that cannot be used is asked again, then replaced; both are on record."""

    NAMED = ActionDetail(
        actions=[DetailedAction(description=f"{ISABELLA} is frying eggs", minutes=60)]
    )

    def detailed(
        self, *answers: ActionDetail
    ) -> tuple[ActionsPlanned, ScriptedModel, AgentLLMInMemory]:
        script = {
            f"planning.{noun}": empty for noun, empty in TestPlanActions.NO_CHOICES.items()
        }
        model = ScriptedModel({"planning.action_detail": list(answers), **script})
        llm = agent_llm_in_memory(model)
        planned_actions = plan_actions(
            llm,
            planning_context_of(ISABELLA),
            hour=an_hour(),
            now_tick=tick("6:00"),
            so_far=PreviousActions(),
            current_area=f"{HOME}: main room",
            next_number=50,
        )
        return planned_actions, model, llm

    def test_are_asked_again_with_the_reason(self) -> None:
        usable = ActionDetail(actions=[DetailedAction(description="frying eggs", minutes=60)])
        result, model, llm = self.detailed(self.NAMED, usable)
        assert {item.description for item in result.items} == {"frying eggs"}
        again = model.asked[1].messages[-1].content
        assert "begins with 'Isabella Rodriguez'" in again
        assert "having lunch" in again
        [call, *_] = llm.call_log.calls.values()
        assert (len(call.attempts), call.fallback) == (2, "")

    def test_give_way_to_a_fallback_that_is_on_record(self) -> None:
        result, _, llm = self.detailed(*[self.NAMED] * 9)
        assert {item.description for item in result.items} == {
            "keeping to the plan: make breakfast"
        }
        [call, *_] = llm.call_log.calls.values()
        assert call.fallback == "hour_as_planned"
