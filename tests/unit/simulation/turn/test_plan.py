"""Plan: the day on waking, each hour when it begins, the rest of a day again (P1, P3, X2)."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.dialogue.events import Agreed
from apps.eventlog.store import NewEvent
from apps.memory.events import MemoryKind
from apps.planning.events import ActionsPlanned, DayOutlined, HoursPlanned
from apps.planning.inputs import (
    ActivitiesAgreed,
    EarlierWork,
    IntendedTalk,
    ReactionReason,
    Yesterday,
)
from apps.planning.llm_tasks.day_outline import ordinary_day
from apps.planning.llm_tasks.hour_actions import HourActions
from apps.planning.llm_tasks.hourly_plan import hours_as_planned
from apps.planning.llm_tasks.revised_hours import HourChange, RevisedHours, plan_unchanged
from apps.planning.revision import ImmediateActivity
from apps.simulation.turn.context.outcome import FollowPlan, Perform, RevisePlan
from apps.simulation.turn.context.records import (
    DoneAction,
    EndedConversation,
    PutOffTalk,
    RefusedUse,
)
from apps.simulation.turn.perform.plan import plan
from tests.support.builders import hour_action, open_commitment
from tests.support.turns import (
    BEDROOM,
    BEN,
    CEM,
    KITCHEN,
    NOW,
    OVER,
    PLACE,
    PLANNED,
    TABLE,
    Scene,
    events_of,
    item,
    run,
    tick_at,
)

BAKING = HourActions(actions=[hour_action("kneading the dough", emoji="🍞")])
DAY_TASKS = {
    "planning.day_outline": ordinary_day,
    "planning.hourly_plan": hours_as_planned,
    "planning.revised_hours": plan_unchanged,
    "planning.hour_actions": BAKING,
}
NO_ACTION = replace(PLANNED, action=None)
NOTHING_PLANNED = replace(PLANNED, action=None, hours=())


class TestFollowing:
    def test_performs_the_action_that_is_planned_for_now(self) -> None:
        scene = Scene(own=OVER)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.step.description == "writing to the mayor"
        assert (outcome.intention.step.plan_item, outcome.intention.step.area) == (3, KITCHEN)
        assert scene.model.asked == []

    def test_divides_an_hour_that_begins_and_performs_its_first_action(self) -> None:
        scene = Scene(own=OVER, records=NO_ACTION, script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        [planned] = events_of(outcome)
        assert isinstance(planned, ActionsPlanned)
        assert planned.items[0].description == "kneading the dough", "word for word"
        assert planned.items[0].number == PLANNED.next_plan_item
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.cause == outcome.last_event

    @pytest.mark.parametrize(
        ("ends", "begun", "calls"),
        [("10:09", True, 0), ("10:10", True, 1), ("10:09", False, 1)],
    )
    def test_does_not_plan_the_last_minutes_of_an_hour(
        self, ends: str, *, begun: bool, calls: int
    ) -> None:
        hour = item("hour", "9:00" if begun else "10:00", ends, number=2)
        done = (self.done("kneading", hour=2, ends="10:00"),) if begun else ()
        records = replace(NO_ACTION, hours=(hour,), done=done)
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert len(scene.model.asked) == calls

    def test_plans_an_hour_anew_without_an_object_that_stays_taken(self) -> None:
        """Three refusals in the hour: the rest of it has nothing at the table."""
        refusals = [RefusedUse(tick=NOW - at, node=TABLE, why="taken") for at in (38, 19, 1)]
        at_table = item("action", "9:30", "11:00", "writing to the mayor", object=TABLE)
        records = replace(PLANNED, action=at_table, refusals=tuple(refusals))
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        [planned] = events_of(outcome)
        assert isinstance(planned, ActionsPlanned)
        assert (planned.parent, planned.items[0].from_tick) == (2, NOW)
        offered = scene.inputs().objects
        assert "kitchen: stove" in offered
        assert "kitchen: table" not in offered

    def test_tries_an_object_again_that_was_taken_less_often(self) -> None:
        at_table = item("action", "9:30", "11:00", "writing to the mayor", object=TABLE)
        refusals = tuple(RefusedUse(tick=NOW - at, node=TABLE, why="taken") for at in (19, 1))
        scene = Scene(own=OVER, records=replace(PLANNED, action=at_table, refusals=refusals))
        outcome = run(plan, scene.context(), intention=FollowPlan())
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.step.object == TABLE

    def test_tells_the_model_what_is_done_of_an_interrupted_hour(self) -> None:
        resumed = item("hour", "10:00", "11:00", number=7, continues=2)
        records = replace(
            NO_ACTION,
            hours=(resumed,),
            done=(
                self.done("sharpening pencils", hour=2, ends="10:00"),
                self.done("peeling potatoes", hour=5, ends="10:00"),
            ),
        )
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().done == ("sharpening pencils",)

    def test_tells_the_model_what_is_done_of_an_hour_that_a_revision_changed(self) -> None:
        changed = item("hour", "10:00", "11:00", "answer the mayor", number=7)
        records = replace(
            NO_ACTION,
            hours=(changed,),
            done=(
                self.done("making the bed", hour=2, ends="10:00"),
                replace(
                    self.done("sharpening pencils", hour=3, ends="11:00"),
                    activity="Answer the mayor",
                ),
                replace(
                    self.done("peeling potatoes", hour=4, ends="11:00"), activity="cook soup"
                ),
            ),
        )
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().done == ("sharpening pencils",)
        assert scene.inputs().done_before == (
            EarlierWork(action="peeling potatoes", broken_off="cook soup"),
        )

    def test_tells_the_model_what_an_hour_may_go_on_with(self) -> None:
        cut = replace(
            self.done("peeling potatoes", hour=2, ends="10:00"),
            activity="cook soup",
            place=KITCHEN,
            is_cut=True,
        )
        records = replace(
            NO_ACTION,
            hours=(item("hour", "10:00", "11:00", number=7),),
            done=(
                replace(
                    self.done("sealing envelopes", hour=1, ends="7:00"),
                    activity="Write letters",
                    is_recent=False,
                ),
                replace(cut, description="washing potatoes"),
                cut,
                replace(cut, description="drying hay", place=BEDROOM),
                replace(
                    self.done("sweeping", hour=3, ends="9:00"), activity="clean", is_cut=True
                ),
            ),
        )
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().done == ()
        assert scene.inputs().done_before == (
            EarlierWork(action="sealing envelopes"),
            EarlierWork(action="peeling potatoes", broken_off="cook soup"),
        )

    def test_tells_the_model_nothing_of_work_that_was_resumed(self) -> None:
        potatoes = replace(
            self.done("peeling potatoes", hour=2, ends="10:00"),
            activity="cook soup",
            place=KITCHEN,
        )
        records = replace(
            NO_ACTION,
            hours=(item("hour", "10:00", "11:00", number=7),),
            done=(
                replace(potatoes, is_cut=True),
                replace(potatoes, hour=5, continues=2),
            ),
        )
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().done_before == ()

    def test_tells_the_model_the_talks_that_were_put_off(self) -> None:
        later = (PutOffTalk(other=BEN, what="ask for flour"),)
        scene = Scene(own=OVER, records=replace(NO_ACTION, put_off=later), script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        asked = scene.inputs()
        assert asked.put_off == (IntendedTalk(other="Ben Marsh", what="ask for flour"),)

    def test_tells_the_model_nothing_of_the_talks_before_the_activity(self) -> None:
        """The talk at breakfast is not done of the letters, which begin now."""
        breakfast = EndedConversation(to_tick=NOW - 6, gist="They spoke of jam.")
        for hour, done in (
            (item("hour", "10:00", "11:00"), ()),
            (item("hour", "9:30", "11:00"), ("talking with Ben Marsh",)),
        ):
            records = replace(NO_ACTION, hours=(hour,), last_talks={BEN: breakfast})
            scene = Scene(own=OVER, records=records, script=DAY_TASKS)
            run(plan, scene.context(), intention=FollowPlan())
            assert scene.inputs().done == done

    def test_tells_the_model_of_the_talks_of_the_last_hour(self) -> None:
        talks = {
            BEN: EndedConversation(to_tick=NOW - 6, gist="They greeted each other."),
            CEM: EndedConversation(to_tick=NOW - 600, gist="They greeted each other."),
        }
        records = replace(NO_ACTION, last_talks=talks)
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().done == ("talking with Ben Marsh",)

    def done(self, description: str, *, hour: int, ends: str) -> DoneAction:
        return DoneAction(
            description=description, hour=hour, continues=0, hour_ends=tick_at(ends)
        )

    def test_plans_the_day_where_there_is_none(self) -> None:
        scene = Scene(own=OVER, records=NOTHING_PLANNED, script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        outlined, hours, actions = events_of(outcome)
        assert isinstance(outlined, DayOutlined)
        assert isinstance(hours, HoursPlanned)
        assert isinstance(actions, ActionsPlanned)
        assert outlined.items[0].from_tick == NOW
        numbers = [one.number for event in (outlined, hours, actions) for one in event.items]
        assert numbers == list(range(10, 10 + len(numbers))), "numbered on from the records"
        assert {memory.draft.kind for memory in outcome.memories} == {MemoryKind.PLAN}

    def test_plans_the_day_with_what_happened_on_the_last(self) -> None:
        sunday = Yesterday(date=date(2024, 6, 2), performed=(), talks=())
        records = replace(NOTHING_PLANNED, yesterday=sunday)
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        assert scene.inputs().yesterday == sunday

    def test_has_the_new_outline_in_the_prompts_that_follow(self) -> None:
        scene = Scene(own=OVER, records=NOTHING_PLANNED, script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        outlined = events_of(outcome)[0]
        assert isinstance(outlined, DayOutlined)
        inputs: list[Any] = [asked.inputs for asked in scene.model.asked]
        outline, hourly, actions = (one.outline for one in inputs)
        assert outline == ()
        *chunks, night = (chunk.description for chunk in outlined.items)
        assert night == "sleep"
        assert [one.activity for one in hourly] == chunks
        assert actions == hourly

    def test_asks_nothing_in_the_night(self) -> None:
        night = tick_at("23:00")
        scene = Scene(tick=night, own=replace(OVER, until_tick=night), records=NOTHING_PLANNED)
        outcome = run(plan, scene.context(), intention=FollowPlan())
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.step.asleep
        assert scene.model.asked == []
        hours = [query for query in scene.memories.queries if "sleep" in query]
        assert hours == [], "nothing is retrieved for an hour of sleep"


class TestAgreements:
    """Open agreements are in every prompt of a plan; changed and cancelled ones are not."""

    PARTY = open_commitment(
        "40/ada-finch/2",
        BEN,
        "come to the party",
        "2024-06-04",
        (1_020, 1_140),
        place="Mill Cottage",
    )
    LINE = (
        "Tuesday, June 4, 2024, 5:00 pm to 7:00 pm: come to the party (Mill Cottage), agreed "
        "with Ben Marsh"
    )

    def test_are_listed_in_the_outline_and_the_hours(self) -> None:
        records = replace(NOTHING_PLANNED, commitments=(self.PARTY,))
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        run(plan, scene.context(), intention=FollowPlan())
        prompts = [request.messages[1].content for request in scene.model.asked[:2]]
        assert all(self.LINE in prompt for prompt in prompts)

    def test_are_listed_in_a_revision(self) -> None:
        records = replace(PLANNED, commitments=(self.PARTY,))
        scene = Scene(records=records, script=DAY_TASKS)
        run(
            plan,
            scene.context(),
            intention=RevisePlan(reasons=(ActivitiesAgreed(activities=()),)),
        )
        assert self.LINE in scene.model.asked[0].messages[1].content

    def test_are_those_of_this_turn_too(self) -> None:
        scene = Scene(own=OVER, records=NOTHING_PLANNED, script=DAY_TASKS)
        new = NewEvent(event=self._agreed())
        run(plan, scene.context(), intention=FollowPlan(), events=(new,))
        assert [one.activity for one in scene.inputs().agreements] == ["come to the party"]

    def test_are_gone_in_the_turn_that_cancels_them(self) -> None:
        records = replace(NOTHING_PLANNED, commitments=(self.PARTY,))
        scene = Scene(own=OVER, records=records, script=DAY_TASKS)
        cancelled = self._agreed(replaces=self.PARTY.event, cancelled=True)
        run(plan, scene.context(), intention=FollowPlan(), events=(NewEvent(event=cancelled),))
        assert scene.inputs().agreements == ()

    def _agreed(self, *, replaces: str = "", cancelled: bool = False) -> Agreed:
        return Agreed(
            conversation="40/ada-finch",
            other=BEN,
            activity=self.PARTY.activity,
            place=self.PARTY.place,
            day=self.PARTY.day,
            from_minute=self.PARTY.from_minute,
            to_minute=self.PARTY.to_minute,
            replaces=replaces,
            cancelled=cancelled,
        )


class TestRevising:
    REASON = ActivitiesAgreed(activities=())

    def test_begins_with_the_first_thing_and_keeps_the_rest(self) -> None:
        first = ImmediateActivity(description="put out the fire", place=BEDROOM, ticks=30)
        intention = RevisePlan(reasons=(self.REASON,), first=first, cause="3600/ada-finch/0")
        scene = Scene(script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=intention)
        revised, _actions = events_of(outcome)
        assert isinstance(revised, HoursPlanned)
        assert [(one.description, one.from_tick) for one in revised.items] == [
            ("put out the fire", NOW),
            ("write letters", NOW + 30),
            ("cook lunch", tick_at("11:00")),
        ]
        assert revised.items[1].continues == 2, "it goes on with the hour of number 2"
        assert outcome.events[0].cause == "3600/ada-finch/0"
        assert isinstance(outcome.intention, Perform)

    def test_retrieves_memories_of_its_reason_alone(self) -> None:
        reason = ReactionReason(observation="the stove is burning", activity="put it out")
        scene = Scene(script=DAY_TASKS)
        run(plan, scene.context(), intention=RevisePlan(reasons=(reason,)))
        assert scene.memories.queries[0] == "the stove is burning: put it out"

    def test_puts_the_new_hours_into_the_outline_of_the_prompt_that_follows(self) -> None:
        first = ImmediateActivity(description="put out the fire", place=BEDROOM, ticks=30)
        chunks = (
            item("outline", "9:00", "9:20", "write letters", number=1),
            item("outline", "9:20", "12:00", "cook", number=2),
        )
        scene = Scene(records=replace(PLANNED, outline=chunks), script=DAY_TASKS)
        run(
            plan,
            scene.context(),
            intention=RevisePlan(reasons=(self.REASON,), first=first),
        )
        inputs: list[Any] = [asked.inputs for asked in scene.model.asked]
        before, after = (one.outline for one in inputs)
        assert [one.activity for one in before] == ["write letters", "cook"]
        assert [one.activity for one in after] == [
            "write letters",
            "cook",
            "put out the fire",
            "write letters",
            "cook lunch",
        ]
        assert after[1].ends == after[2].starts

    def test_tells_the_model_where_the_agent_is_and_what_it_does(self) -> None:
        scene = Scene(script=DAY_TASKS)
        run(plan, scene.context(), intention=RevisePlan(reasons=(self.REASON,)))
        prompt = scene.model.asked[0].messages[1].content
        assert scene.inputs().here in prompt
        assert "Ada Finch is writing a letter" in prompt

    def test_gives_the_reasons_to_the_model(self) -> None:
        scene = Scene(script=DAY_TASKS)
        run(plan, scene.context(), intention=RevisePlan(reasons=(self.REASON,)))
        assert scene.inputs().reasons == (self.REASON,)

    def test_plans_the_day_first_where_there_is_none(self) -> None:
        scene = Scene(records=NOTHING_PLANNED, script=DAY_TASKS)
        outcome = run(plan, scene.context(), intention=RevisePlan(reasons=(self.REASON,)))
        assert [type(event) for event in events_of(outcome)] == [
            DayOutlined,
            HoursPlanned,
            ActionsPlanned,
        ]

    def test_goes_on_with_the_plan_where_nothing_changes(self) -> None:
        scene = Scene(script={"planning.revised_hours": plan_unchanged})
        outcome = run(plan, scene.context(), intention=RevisePlan(reasons=(self.REASON,)))
        assert events_of(outcome) == []
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.step.description == "writing to the mayor"

    def test_keeps_the_actions_before_the_time_of_an_agreement(self) -> None:
        listen = HourChange(
            starts="10:30", ends="10:45", activity="listen to the piece", place=PLACE
        )
        scene = Scene(
            script={"planning.revised_hours": RevisedHours(changes=[listen], dropped=[])}
        )
        outcome = run(plan, scene.context(), intention=RevisePlan(reasons=(self.REASON,)))
        [revised] = events_of(outcome)
        assert isinstance(revised, HoursPlanned)
        assert [(one.description, one.from_tick) for one in revised.items] == [
            ("listen to the piece", tick_at("10:30")),
            ("write letters", tick_at("10:45")),
            ("cook lunch", tick_at("11:00")),
        ]
        assert isinstance(outcome.intention, Perform)
        step = outcome.intention.step
        assert (step.description, step.to_tick) == ("writing to the mayor", tick_at("10:30"))
        assert len(scene.model.asked) == 1
