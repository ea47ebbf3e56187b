"""Departure: who says that it leaves goes where its plan goes on, or plans anew (D1)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.status import Departure
from apps.dialogue.events import Said
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.planning.inputs import ActivitiesAgreed, LeaveTaken
from apps.planning.llm_tasks.revised_hours import reason_text
from apps.planning.rules import PlanItem
from apps.simulation.turn.context.outcome import FollowPlan, Perform, RevisePlan
from apps.simulation.turn.context.records import AgentRecords
from apps.simulation.turn.conversation.converse import converse
from apps.simulation.turn.conversation.departure import departure_of
from apps.simulation.turn.perform.plan import plan
from tests.support.turns import (
    BEDROOM,
    NOW,
    PLACE,
    PLANNED,
    Scene,
    events_of,
    item,
    run,
    tick_at,
)
from tests.unit.simulation.turn.test_converse import ANSWER, GIST, HELLO, MINE, SUPPER, in_talk

UPSTAIRS = item(
    "action", "10:20", "10:40", "airing the bed", number=4, place=BEDROOM, planned_tick=NOW - 90
)
AT_THE_WINDOW = item("action", "10:40", "11:00", "looking out", number=5, place=BEDROOM)
IN_THE_BEDROOM = replace(PLANNED, next_actions=(UPSTAIRS, AT_THE_WINDOW))
ABROAD = item("hour", "10:20", "11:00", "post the letters", number=6, place="Post Office")
NIGHT = item("hour", "22:00", "23:00", "sleep", number=7, place=BEDROOM, asleep=True)
LEAVING = replace(MINE, leaves=True)


def with_hours(*hours: PlanItem) -> AgentRecords:
    return replace(PLANNED, hours=(PLANNED.hours[0], *hours))


def after_the_last_words(records: AgentRecords, **changes: Any) -> Any:
    """Return the outcome of Ada's turn after Ben's last words; hers said that she leaves."""
    spoken = (LEAVING, replace(ANSWER, ends=True))
    scene = in_talk(*spoken, records=records, script={"dialogue.takeaways": GIST}, **changes)
    return run(converse, scene.context())


class TestPlan:
    @pytest.mark.parametrize(
        "records", [PLANNED, with_hours(replace(ABROAD, place=PLACE)), with_hours(NIGHT)]
    )
    def test_keeps_the_agent_here_by_day(self, records: AgentRecords) -> None:
        assert departure_of(Scene(records=records).context()) is None

    def test_leads_to_another_room(self) -> None:
        context = Scene(records=IN_THE_BEDROOM).context()
        found = departure_of(context)
        assert found == Departure(
            starts=context.constants.calendar.time_at(tick_at("10:20")),
            activity="write letters",
            place="the bedroom of Mill Cottage",
            leaves_place=False,
        )

    def test_leads_there_now_if_it_has_begun(self) -> None:
        begun = item("action", "9:50", "10:40", "airing the bed", place=BEDROOM)
        scene = Scene(records=replace(PLANNED, action=begun))
        found = departure_of(scene.context())
        assert found is not None
        assert found.starts == scene.context().now

    def test_is_told_to_the_model_before_it_speaks(self) -> None:
        scene = in_talk(MINE, ANSWER, records=IN_THE_BEDROOM)
        run(converse, scene.context())
        assert scene.inputs().departure == departure_of(scene.context())


class TestWordsOfLeaving:
    def test_are_on_the_log_as_the_model_has_answered(self) -> None:
        leaves = HELLO.model_copy(update={"leaves": True})
        scene = in_talk(MINE, ANSWER, script={"dialogue.utterance": leaves})
        said = events_of(run(converse, scene.context()))[0]
        assert isinstance(said, Said)
        assert said.leaves

    def test_begin_the_next_action_elsewhere_at_once(self) -> None:
        outcome = after_the_last_words(IN_THE_BEDROOM)
        (planned,) = [one for one in events_of(outcome) if isinstance(one, ActionsPlanned)]
        assert [(one.description, one.from_tick) for one in planned.items] == [
            ("airing the bed", NOW),
            ("looking out", AT_THE_WINDOW.from_tick),
        ]
        assert [one.number for one in planned.items] == [10, 11]
        [airing, _looking] = outcome.actions_ahead()
        assert outcome.intention == FollowPlan(begins=airing)
        assert airing.planned_tick == planned.planned_tick == UPSTAIRS.planned_tick
        context = Scene(records=IN_THE_BEDROOM).context()
        begun = run(plan, context, intention=outcome.intention).intention
        assert isinstance(begun, Perform)
        assert (begun.step.area, begun.step.from_tick) == (BEDROOM, NOW)

    def test_begin_the_next_hour_elsewhere_at_once(self) -> None:
        lunch = replace(PLANNED.hours[1], number=8)
        outcome = after_the_last_words(with_hours(ABROAD, lunch))
        (planned,) = [one for one in events_of(outcome) if isinstance(one, HoursPlanned)]
        assert [(one.place, one.from_tick) for one in planned.items] == [
            ("Post Office", NOW),
            (lunch.place, lunch.from_tick),
        ]
        assert outcome.intention == FollowPlan(begins=planned.items[0])

    def test_are_a_reason_beside_what_was_agreed(self) -> None:
        agreed = GIST.model_copy(update={"agreed": (SUPPER,)})
        spoken = (LEAVING, replace(ANSWER, ends=True))
        scene = in_talk(*spoken, script={"dialogue.takeaways": agreed})
        intention = run(converse, scene.context()).intention
        assert isinstance(intention, RevisePlan)
        supper, leave = intention.reasons
        assert isinstance(supper, ActivitiesAgreed)
        assert leave == LeaveTaken(other="Ben Marsh")

    def test_change_nothing_if_the_plan_leads_away_anyway(self) -> None:
        begun = item("action", "9:50", "10:40", "airing the bed", place=BEDROOM)
        outcome = after_the_last_words(replace(PLANNED, action=begun))
        assert not [one for one in events_of(outcome) if isinstance(one, ActionsPlanned)]
        assert outcome.intention == FollowPlan()

    @pytest.mark.parametrize(
        "records", [PLANNED, with_hours(replace(ABROAD, from_tick=tick_at("10:50")))]
    )
    def test_that_no_plan_supports_make_the_agent_plan_anew(
        self, records: AgentRecords
    ) -> None:
        intention = after_the_last_words(records).intention
        assert isinstance(intention, RevisePlan)
        assert intention.reasons == (LeaveTaken(other="Ben Marsh"),)
        assert reason_text(intention.reasons[0], name="Ada Finch") == (
            "Ada Finch took leave of Ben Marsh to go elsewhere now"
        )

    def test_of_the_other_one_do_not_send_the_agent_away(self) -> None:
        ended = replace(ANSWER, ends=True, leaves=True)
        scene = in_talk(MINE, ended, records=IN_THE_BEDROOM)
        outcome = run(converse, scene.context())
        assert outcome.intention == FollowPlan()
        assert not [one for one in events_of(outcome) if isinstance(one, ActionsPlanned)]
