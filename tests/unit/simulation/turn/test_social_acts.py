"""Acts between agents: performed with an agent that is there, else perceived as in vain."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.acts import Act, ActKind, ActOutcome
from apps.agents.events import ActionBegan, ActionKind, ActReported, ObjectStateLeft
from apps.agents.queries import Seen
from apps.dialogue.commitments import CarriedOut
from apps.dialogue.utterances import Talk
from apps.memory.events import MemoryOrigin
from apps.planning.events import ActionsPlanned
from apps.planning.rules import PlanItem, planned_action
from apps.simulation.settings import SimulationSettings
from apps.simulation.turn.context.outcome import (
    FollowPlan,
    Perform,
    SpeakTo,
    Turn,
    WalkTo,
)
from apps.simulation.turn.context.records import ActReport
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.decide.social_acts import begin_act, end_search, pursue_act
from apps.simulation.turn.perceive.relationships import coming_actions
from apps.simulation.turn.perceive.situation import known_agents
from apps.simulation.turn.perform.plan import plan
from apps.simulation.turn.perform.plan_context import step_of
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    KITCHEN,
    NOW,
    OVER,
    PLACE,
    PLANNED,
    TABLE,
    Scene,
    action,
    descriptions_of,
    events_of,
    item,
    run,
    tile_at,
    tile_in,
)

TALK = Act(kind=ActKind.TALK_TO, other=BEN, about="whether he comes to supper")
NEXT = item("action", "10:05", "11:00", "reading", number=4)
ASLEEP = action("sleeping", asleep=True)


def planned(act: Act, **changes: Any) -> PlanItem:
    facts = {"act": act.kind, "other": act.other, "about": act.about}
    return item("action", "9:55", "10:05", "asking Ben", **facts | changes)


def begun(
    act: Act,
    *,
    seen: Seen | None = None,
    reports: tuple[ActReport, ...] = (),
    next_actions: tuple[PlanItem, ...] = (NEXT,),
    changes: dict[str, Any] | None = None,
    **scene: Any,
) -> Turn:
    """Return the outcome of the step that begins the act, the next action being NEXT."""
    first = planned(act, **changes or {})
    records = replace(PLANNED, action=first, next_actions=next_actions, act_reports=reports)
    facts: dict[str, Any] = {"own": OVER, "records": records}
    context = Scene(**facts | scene).context()
    if seen is not None:
        agents = {**context.acquainted.agents, BEN: seen}
        context = replace(context, acquainted=replace(context.acquainted, agents=agents))
    return run(begin_act, context, intention=Perform(step=step_of(first)))


def outcomes(outcome: Turn) -> list[ActOutcome]:
    return [one.outcome for one in events_of(outcome) if isinstance(one, ActReported)]


def performs(outcome: Turn) -> str:
    """Return the description of the step that the agent is about to perform."""
    assert isinstance(outcome.intention, Perform)
    return outcome.intention.step.description


class TestDoneTogether:
    """A step with another agent, which is out of view when it is about to begin."""

    HERE = Seen("Ben is drinking coffee", NOW - 60, KITCHEN)

    def joint(self, **scene: Any) -> Turn:
        return begun(Act(kind=ActKind.NONE), changes={"with_agents": (BEN,)}, **scene)

    def test_waits_for_an_agent_that_may_come(self) -> None:
        for scene in ({}, {"seen": self.HERE, "homes": {ADA: PLACE, BEN: PLACE}}):
            outcome = self.joint(**scene)
            assert descriptions_of_actions(outcome) == ["waiting for Ben Marsh"], scene

    def test_does_not_wait_for_a_guest_that_was_here_and_has_left(self) -> None:
        outcome = self.joint(seen=self.HERE)
        assert outcomes(outcome) == [ActOutcome.NOT_FOUND]
        assert performs(outcome) == "reading"


class TestActionsAhead:
    """The actions of the hour that have not begun, as the turn leaves them."""

    def turn(self, **records: Any) -> Turn:
        ahead = replace(PLANNED, action=planned(TALK), next_actions=(NEXT,))
        return Scene(records=replace(ahead, **records)).context()

    def test_are_those_that_the_turn_has_planned(self) -> None:
        before = self.turn()
        assert coming_actions(before) == ("asking Ben", "reading")
        revised = planned_action(item("action", "10:05", "11:00", "sweeping", number=9))
        after = before.record(ActionsPlanned(parent=2, items=(revised,)))
        assert coming_actions(after) == ("sweeping",)
        [sweeping] = after.actions_ahead()
        assert sweeping.planned_tick == NOW

    @pytest.mark.parametrize(
        ("outcome", "coming"),
        [
            (ActOutcome.NOT_HERE, ("asking Ben", "reading")),
            (ActOutcome.DONE, ("reading",)),
        ],
    )
    def test_have_a_search_among_them_until_it_is_over(
        self, outcome: ActOutcome, coming: tuple[str, ...]
    ) -> None:
        report = ActReported(
            kind=TALK.kind, other=BEN, outcome=outcome, area=KITCHEN, plan_item=3
        )
        assert coming_actions(self.turn().record(report)) == coming


class TestCarriedOut:
    """A joint action for which the two have agreed, and a talk that carried that out."""

    KEPT = CarriedOut(ended_tick=NOW - 30, other=BEN, besides=())

    @pytest.mark.parametrize(
        ("planned_tick", "other", "outcome"),
        [
            (NOW - 60, BEN, [ActOutcome.OVERTAKEN]),
            (NOW - 20, BEN, []),
            (NOW - 60, "cem", []),
        ],
        ids=["planned before", "planned since", "with another one"],
    )
    def test_is_dropped_on_record(
        self, planned_tick: int, other: str, outcome: list[ActOutcome]
    ) -> None:
        act = Act(kind=ActKind.NONE)
        first = planned(act, with_agents=(BEN,), planned_tick=planned_tick)
        kept = replace(self.KEPT, other=other)
        records = replace(PLANNED, action=first, next_actions=(NEXT,), carried_out=(kept,))
        turn = Scene(own=OVER, records=records, ben=tile_at(TABLE)).context()
        done = run(begin_act, turn, intention=Perform(step=step_of(first)))
        assert outcomes(done) == outcome
        assert descriptions_of(done) == []
        assert performs(done) == ("reading" if outcome else first.description)


class TestOvertaken:
    """An act for which the two have talked in the turn in which it is due."""

    GIST = "Ada and Ben talked about supper"

    @pytest.mark.parametrize(("planned_at", "since"), [(NOW - 60, GIST), (NOW, "")])
    def test_is_what_was_planned_before_the_talk(self, planned_at: int, since: str) -> None:
        first = replace(planned(TALK), planned_tick=planned_at)
        records = replace(PLANNED, action=first)
        turn = Scene(own=OVER, records=records, ben=tile_at(TABLE)).context()
        turn = turn.with_memory(self.GIST, origin=MemoryOrigin.CONVERSATION, subject=BEN)
        outcome = run(begin_act, turn, intention=Perform(step=step_of(first)))
        assert isinstance(outcome.intention, SpeakTo)
        assert outcome.intention.since == since


def descriptions_of_actions(outcome: Turn) -> list[str]:
    return [one.description for one in events_of(outcome) if isinstance(one, ActionBegan)]


class TestTalking:
    def test_speaks_to_an_agent_in_view(self) -> None:
        outcome = begun(TALK, ben=tile_at(TABLE))
        assert isinstance(outcome.intention, SpeakTo)
        assert (outcome.intention.other, outcome.intention.intent) == (BEN, TALK.about)
        assert outcome.intention.cause == outcome.last_event
        assert outcomes(outcome) == [ActOutcome.DONE]
        assert descriptions_of(outcome) == []

    def test_walks_to_where_the_agent_was_seen_lately(self) -> None:
        outcome = begun(TALK, seen=Seen("Ben is resting", NOW - 60, BEDROOM))
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == BEDROOM
        assert descriptions_of(outcome) == ["Ben Marsh is not in the kitchen of Mill Cottage"]

    def test_perceives_that_the_agent_is_not_there_and_goes_on(self) -> None:
        outcome = begun(TALK)
        assert outcomes(outcome) == [ActOutcome.NOT_HERE, ActOutcome.NOT_FOUND]
        assert descriptions_of(outcome) == [
            "Ben Marsh is not in the kitchen of Mill Cottage",
            "Ada Finch did not find Ben Marsh",
        ]
        assert performs(outcome) == "reading"

    def test_looks_in_no_area_twice(self) -> None:
        was_there = ActReport(
            plan_item=3, outcome=ActOutcome.NOT_HERE, area=BEDROOM, tick=NOW - 10
        )
        seen = Seen("Ben is resting", NOW - 60, BEDROOM)
        outcome = begun(TALK, seen=seen, reports=(was_there,), tile=tile_in(BEDROOM))
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == KITCHEN

    def test_waits_for_an_agent_that_talks_with_another_one(self) -> None:
        talk = Talk(
            agent=BEN, other="cem", conversation="1/ben", from_tick=NOW - 5, to_tick=None
        )
        outcome = begun(TALK, ben=tile_at(TABLE), talks=[talk])
        assert outcomes(outcome) == []
        assert events_of(outcome)[0].description == "waiting for Ben Marsh"  # type: ignore[attr-defined]

    def test_lets_a_sleeper_sleep(self) -> None:
        outcome = begun(TALK, ben=tile_at(TABLE), bens=ASLEEP)
        assert outcomes(outcome) == [ActOutcome.ASLEEP]
        assert performs(outcome) == "reading"

    def test_pauses_where_nothing_else_is_planned(self) -> None:
        outcome = begun(TALK, next_actions=())
        assert events_of(outcome)[-1].kind is ActionKind.PASSING_TIME  # type: ignore[attr-defined]

    def test_begins_as_soon_as_the_agent_comes_into_view(self) -> None:
        walking = action("walking", towards=BEDROOM, plan_item=3)
        records = replace(PLANNED, action=planned(TALK))
        scene = Scene(own=walking, records=records, ben=tile_at(TABLE))
        assert isinstance(run(pursue_act, scene.context()).intention, Perform)
        away = Scene(own=walking, records=records)
        assert run(pursue_act, away.context()).intention is None

    def test_is_followed_early_by_the_next_action(self) -> None:
        over = ActReport(plan_item=3, outcome=ActOutcome.DONE, area=KITCHEN, tick=NOW - 9)
        records = replace(
            PLANNED, action=planned(TALK), next_actions=(NEXT,), act_reports=(over,)
        )
        outcome = run(plan, Scene(own=OVER, records=records).context(), intention=FollowPlan())
        assert performs(outcome) == "reading"


class TestTelling:
    TELL = Act(kind=ActKind.TELL, about="the news")

    def test_speaks_to_those_present(self) -> None:
        outcome = begun(self.TELL, ben=tile_at(TABLE))
        assert isinstance(outcome.intention, SpeakTo)
        assert outcome.intention.intent == "the news"

    def test_finds_nobody(self) -> None:
        outcome = begun(self.TELL)
        assert outcomes(outcome) == [ActOutcome.NOT_FOUND]
        assert descriptions_of(outcome) == ["Ada Finch did not find anybody"]


class TestLookingFor:
    LOOK = Act(kind=ActKind.LOOK_FOR, other=BEN)

    def test_is_done_when_the_agent_is_in_view(self) -> None:
        outcome = begun(self.LOOK, ben=tile_at(TABLE))
        assert outcomes(outcome) == [ActOutcome.DONE]
        assert performs(outcome) == "reading"

    def test_says_what_it_is_about(self) -> None:
        outcome = begun(replace(self.LOOK, about="supper"), ben=tile_at(TABLE))
        assert isinstance(outcome.intention, SpeakTo)
        assert (outcome.intention.other, outcome.intention.intent) == (BEN, "supper")

    def test_crosses_a_room_that_is_larger_than_the_vision(self) -> None:
        outcome = begun(self.LOOK, settings=SimulationSettings(vision=1))
        assert outcomes(outcome) == []
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == KITCHEN

    def test_goes_on_in_the_next_likely_area(self) -> None:
        outcome = begun(self.LOOK)
        assert outcomes(outcome) == [ActOutcome.NOT_HERE]
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == BEDROOM, "his home"


class TestWaitingFor:
    WAIT = Act(kind=ActKind.WAIT_FOR, other=BEN)
    WAITING = action(act=ActKind.WAIT_FOR, other=BEN)

    def test_stays_until_the_agent_comes(self) -> None:
        assert performs(begun(self.WAIT)) == "asking Ben"
        assert outcomes(begun(self.WAIT, ben=tile_at(TABLE))) == [ActOutcome.DONE]

    def test_ends_when_the_agent_comes_into_view(self) -> None:
        records = replace(PLANNED, action=planned(self.WAIT), next_actions=(NEXT,))
        scene = Scene(own=self.WAITING, records=records, ben=tile_at(TABLE))
        assert isinstance(run(pursue_act, scene.context()).intention, Perform)

    def test_goes_on_to_the_place_past_the_agent_on_the_way(self) -> None:
        there = planned(self.WAIT, place=BEDROOM)
        walking = action(
            "walking", towards=BEDROOM, kind=ActionKind.WALKING, act=ActKind.WAIT_FOR, other=BEN
        )
        scene = Scene(own=walking, records=replace(PLANNED, action=there), ben=tile_at(TABLE))
        assert run(pursue_act, scene.context()).intention is None

    def test_in_vain_is_perceived(self) -> None:
        over = replace(self.WAITING, until_tick=NOW)
        outcome = run(pursue_act, Scene(own=over).context())
        assert outcomes(outcome) == [ActOutcome.NOT_FOUND]
        assert descriptions_of(outcome) == ["Ben Marsh has not come"]
        assert outcome.intention is None, "the plan goes on"


class TestSearchingUntilTheTimeIsOver:
    LOOK = Act(kind=ActKind.LOOK_FOR, other=BEN)
    WALK = action("walking", towards=BEDROOM, until_tick=NOW, kind=ActionKind.WALKING)

    def ended(self, act: Act = LOOK, **scene: Any) -> Turn:
        ended = planned(act, to_tick=NOW)
        records = replace(PLANNED, unreported=ended, action=NEXT)
        facts: dict[str, Any] = {"own": self.WALK, "records": records}
        return run(end_search, Scene(**facts | scene).context())

    def test_is_in_vain_and_the_plan_goes_on(self) -> None:
        outcome = self.ended()
        [report] = [one for one in events_of(outcome) if isinstance(one, ActReported)]
        assert (report.kind, report.plan_item) == (ActKind.LOOK_FOR, 3)
        assert report.outcome is ActOutcome.NOT_FOUND
        assert descriptions_of(outcome) == ["Ada Finch did not find Ben Marsh"]
        assert outcome.intention is None

    def test_is_done_if_the_agent_is_in_view_just_then(self) -> None:
        assert outcomes(self.ended(ben=tile_at(TABLE))) == [ActOutcome.DONE]
        spoken = self.ended(TALK, ben=tile_at(TABLE))
        assert isinstance(spoken.intention, SpeakTo)
        assert spoken.intention.intent == TALK.about
        assert outcomes(self.ended(TALK, ben=tile_at(TABLE), bens=ASLEEP)) == [ActOutcome.BUSY]

    def test_is_no_search_where_the_agent_does_something_else(self) -> None:
        assert self.ended(own=OVER).events == ()


class TestFollowing:
    FOLLOW = Act(kind=ActKind.FOLLOW, other=BEN)
    LEAVING = action("walking to the bedroom", towards=BEDROOM)

    def test_stays_where_the_other_one_stays(self) -> None:
        outcome = begun(self.FOLLOW, ben=tile_at(TABLE), changes={"object": TABLE})
        assert isinstance(outcome.intention, Perform)
        assert (outcome.intention.step.area, outcome.intention.step.object) == (KITCHEN, "")

    def test_walks_where_the_other_one_walks(self) -> None:
        following = action(act=ActKind.FOLLOW, other=BEN)
        records = replace(PLANNED, action=planned(self.FOLLOW))
        scene = Scene(own=following, records=records, ben=tile_at(TABLE), bens=self.LEAVING)
        pursued = run(pursue_act, scene.context())
        assert isinstance(pursued.intention, Perform)
        outcome = run(begin_act, scene.context(), intention=pursued.intention)
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == BEDROOM


class TestHandingOver:
    GIVE = Act(kind=ActKind.GIVE, other=BEN, about="a cup of coffee")
    ON_TABLE: dict[str, Any] = {  # noqa: RUF012 (never changed)
        "object": TABLE,
        "object_state": "holding a cup of coffee",
    }

    @pytest.mark.parametrize(
        ("act", "state"),
        [
            (GIVE, "holding a cup of coffee"),
            (replace(GIVE, kind=ActKind.LEAVE, other=""), "holding a cup of coffee"),
            (replace(GIVE, kind=ActKind.LEAVE), "holding a cup of coffee, for Ben Marsh"),
        ],
    )
    def test_leaves_the_object_in_its_state(self, act: Act, state: str) -> None:
        outcome = begun(act, changes=self.ON_TABLE, tile=tile_at(TABLE), ben=tile_at(TABLE))
        left = events_of(outcome)[-1]
        assert left == ObjectStateLeft(object=TABLE, state=state)
        assert performs(outcome) == "asking Ben"
        assert outcomes(outcome) == [ActOutcome.DONE]

    def test_is_not_performed_without_the_other_agent(self) -> None:
        outcome = begun(self.GIVE, changes=self.ON_TABLE, tile=tile_at(TABLE))
        assert outcomes(outcome) == [ActOutcome.NOT_HERE, ActOutcome.NOT_FOUND]
        assert not [one for one in events_of(outcome) if isinstance(one, ObjectStateLeft)]

    def test_walks_to_the_object_first(self) -> None:
        outcome = begun(self.GIVE, changes=self.ON_TABLE, tile=tile_in(BEDROOM))
        assert outcome.events == ()


def test_the_agents_of_the_home_are_known() -> None:
    context: TurnContext = Scene().context()
    assert [(one.slug, one.name) for one in known_agents(context)] == [(BEN, "Ben Marsh")]
    assert ADA not in {one.slug for one in known_agents(context)}
