"""User control: the agent performs what its user requests, under the same norms (U4)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionBegan, ActionKind, ObjectStateLeft, WalkBegan
from apps.agents.sharing import Use
from apps.dialogue.events import Said
from apps.dialogue.utterances import Talk
from apps.planning.inputs import UserControlEnded
from apps.simulation.embodiment import requested_actions as actions
from apps.simulation.embodiment.events import ActionRequestAnswered
from apps.simulation.embodiment.requested_actions import (
    Action,
    ActionRequest,
    Control,
    Embodiment,
)
from apps.simulation.turn.context.outcome import (
    Perform,
    RevisePlan,
    Turn,
    WalkTo,
)
from apps.simulation.turn.context.records import ActReport
from apps.simulation.turn.decide.user_control import act_for_user
from apps.simulation.turn.pipeline import run_steps
from tests.support.builders import spoken_by
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    COTTAGE,
    KITCHEN,
    NOW,
    OVER,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    action,
    descriptions_of,
    events_of,
    norms,
    run,
    tick_at,
    tile_at,
    tile_in,
)

CONTROLLED = Embodiment(
    number=1,
    agent=ADA,
    is_visitor=False,
    by="player",
    reason="",
    from_tick=tick_at("9:30"),
    to_tick=None,
    ended_by="",
    ended_reason="",
)


def request(action: Action | None, *, event: str = "3599/commands/0") -> ActionRequest:
    return ActionRequest(
        event=event, tick=NOW, embodiment=1, action=action, by="player", reason=""
    )


COOK = request(actions.Use(object=STOVE, doing="cooking", state="hot", emoji="🍳"))
MOVE = request(actions.Move(to=BEDROOM))


def hello(**changes: Any) -> ActionRequest:
    return request(actions.Say(text="Hello!", **changes))


def scene(
    *requests: ActionRequest, in_progress: ActionRequest | None = None, **changes: Any
) -> Scene:
    embodiment = changes.pop("embodiment", CONTROLLED)
    control = Control(embodiment=embodiment, requests=requests, in_progress=in_progress)
    facts: dict[str, Any] = {"control": control, "own": OVER}
    return Scene(**facts | changes)


def answers(outcome: Turn) -> list[tuple[str, str]]:
    """Return outcome and error code of each answered request."""
    return [
        (event.outcome, event.code)
        for event in events_of(outcome)
        if isinstance(event, ActionRequestAnswered)
    ]


class TestRequests:
    def test_an_action_begins_on_the_spot_with_its_effects(self) -> None:
        cooking = scene(COOK, tile=tile_at(STOVE))
        outcome = run(act_for_user, cooking.context())
        assert answers(outcome) == [("begun", "")]
        assert isinstance(outcome.intention, Perform)
        step = outcome.intention.step
        assert (step.kind, step.object_state) == (ActionKind.USER_CONTROLLED, "hot")
        assert (step.emoji, step.to_tick) == ("🍳", NOW + 60)
        assert cooking.model.asked == []

    def test_an_action_without_effects_has_the_usual_ones(self) -> None:
        plain = request(actions.Use(object=STOVE, doing="cooking"))
        outcome = run(act_for_user, scene(plain, tile=tile_in(BEDROOM)).context())
        assert isinstance(outcome.intention, Perform)
        step = outcome.intention.step
        assert (step.object_state, step.emoji) == ("in use", "✋")

    def test_a_walk_leads_to_the_place(self) -> None:
        outcome = run(act_for_user, scene(MOVE).context())
        assert isinstance(outcome.intention, WalkTo)

    def test_a_walk_is_done_where_the_agent_stands_already(self) -> None:
        outcome = run(
            act_for_user, scene(MOVE, tile=COTTAGE.map.standing_tiles(BEDROOM)[0]).context()
        )
        assert answers(outcome) == [("begun", ""), ("done", "")]

    def test_words_are_said_as_the_user_wrote_them(self) -> None:
        outcome = run(act_for_user, scene(hello(to=BEN), ben=tile_at(STOVE)).context())
        said = events_of(outcome)[0]
        assert isinstance(said, Said)
        assert (said.text, said.to) == ("Hello!", BEN)
        assert answers(outcome) == [("done", "")]

    @pytest.mark.parametrize(("to", "code"), [("", "nobody-addressed"), (BEN, "not-in-view")])
    def test_words_without_a_listener_are_refused(self, to: str, code: str) -> None:
        outcome = run(act_for_user, scene(hello(to=to)).context())
        assert answers(outcome) == [("refused", code)]

    def test_another_request_drops_the_one_in_progress(self) -> None:
        control = scene(MOVE, in_progress=replace(COOK, event="3000/commands/0"))
        control.script = {}
        assert answers(run_steps(control.context())) == [
            ("begun", ""),
            ("refused", "broken-off"),
        ]

    def test_words_leave_the_object_in_use(self) -> None:
        using = action("cooking", object=STOVE, until_tick=NOW + 60)
        talking = scene(hello(to=BEN), in_progress=COOK, own=using, ben=tile_at(STOVE))
        outcome = run(act_for_user, talking.context())
        assert outcome.dropped is None

    def test_a_refused_use_is_the_answer_to_its_request(self) -> None:
        bens = Use(agent=BEN, node=TABLE, state="", since_tick=NOW - 9, from_tick=NOW - 9)
        eat = request(actions.Use(object=TABLE, doing="eating"))
        taken = scene(
            eat,
            world=norms(TABLE, holds=1),
            tile=tile_at(TABLE),
            uses=[bens],
        )
        outcome = run_steps(taken.context())
        assert answers(outcome) == [("begun", ""), ("refused", "turned-away")]


def with_agent(kind: ActKind, **changes: Any) -> ActionRequest:
    return request(actions.WithAgent.model_validate({"kind": kind, "other": BEN} | changes))


class TestActsWithAgents:
    def test_an_agent_in_view_is_found_at_once(self) -> None:
        outcome = run_steps(
            scene(with_agent(ActKind.LOOK_FOR), ben=tile_at(STOVE), script={}).context()
        )
        assert answers(outcome) == [("begun", ""), ("done", "")]

    def test_an_agent_is_looked_for_where_it_lives(self) -> None:
        outcome = run_steps(scene(with_agent(ActKind.LOOK_FOR), script={}).context())
        assert answers(outcome) == [("begun", "")]
        [walk] = [one for one in events_of(outcome) if isinstance(one, WalkBegan)]
        assert walk.towards == BEDROOM

    def test_an_agent_that_is_nowhere_is_not_found(self) -> None:
        looking = with_agent(ActKind.LOOK_FOR)
        reports = tuple(
            ActReport(plan_item=0, outcome=ActOutcome.NOT_HERE, area=area, tick=NOW)
            for area in (KITCHEN, BEDROOM)
        )
        records = replace(PLANNED, act_reports=reports)
        outcome = run_steps(scene(in_progress=looking, records=records, script={}).context())
        assert answers(outcome) == [("refused", "agent-not-found")]

    def test_an_agent_that_comes_ends_the_wait(self) -> None:
        waiting = action("waiting", act=ActKind.WAIT_FOR, other=BEN)
        met = scene(
            in_progress=with_agent(ActKind.WAIT_FOR),
            own=waiting,
            ben=tile_at(STOVE),
            script={},
        )
        assert answers(run_steps(met.context())) == [("done", "")]

    def test_a_wait_in_vain_is_refused(self) -> None:
        began = replace(with_agent(ActKind.WAIT_FOR), tick=NOW - 60)
        waited = action("waiting", act=ActKind.WAIT_FOR, other=BEN, until_tick=NOW)
        outcome = run_steps(scene(in_progress=began, own=waited, script={}).context())
        assert answers(outcome) == [("refused", "agent-not-found")]
        assert "Ben Marsh has not come" in descriptions_of(outcome)

    def test_a_thing_is_left_at_the_object(self) -> None:
        leaving = with_agent(
            ActKind.LEAVE, other="", thing="a letter", object=TABLE, state="holding a letter"
        )
        outcome = run_steps(scene(leaving, tile=tile_at(TABLE), script={}).context())
        assert ObjectStateLeft(object=TABLE, state="holding a letter") in events_of(outcome)
        assert answers(outcome) == [("begun", ""), ("done", "")]


class TestGoingOn:
    def test_an_action_that_is_over_is_done(self) -> None:
        used = action("cooking", object=STOVE, until_tick=NOW)
        outcome = run(act_for_user, scene(in_progress=COOK, own=used).context())
        assert answers(outcome) == [("done", "")]
        began = events_of(outcome)[-1]
        assert isinstance(began, ActionBegan)
        assert began.description == "looking around"

    def test_a_walk_goes_on_after_a_door(self) -> None:
        outcome = run(act_for_user, scene(in_progress=MOVE).context())
        assert isinstance(outcome.intention, WalkTo)

    def test_an_action_goes_on_while_it_lasts(self) -> None:
        using = action("cooking", object=STOVE, until_tick=NOW + 60)
        assert run(act_for_user, scene(in_progress=COOK, own=using).context()).events == ()

    def test_a_sleeper_wakes_when_the_control_begins(self) -> None:
        asleep = action("sleeping", asleep=True)
        outcome = run(act_for_user, scene(own=asleep).context())
        [began] = (one for one in events_of(outcome) if isinstance(one, ActionBegan))
        assert (began.description, began.asleep) == ("looking around", False)


class TestListening:
    TALK = Talk(agent=ADA, conversation="c", other=BEN, from_tick=NOW - 9, to_tick=None)
    MINE = spoken_by(ADA, BEN, "Hm.", tick=NOW - 9, conversation="c")
    ANSWER = replace(MINE, agent=BEN, to=ADA, tick=NOW - 1, number=2, event="1/ben-marsh/0")

    def test_waits_for_the_answer_of_the_user(self) -> None:
        talking = scene(ben=tile_at(STOVE), talks=[self.TALK], spoken=[self.MINE, self.ANSWER])
        [began] = events_of(run(act_for_user, talking.context()))
        assert isinstance(began, ActionBegan)
        assert (began.kind, talking.model.asked) == (ActionKind.TALKING, [])

    def test_answers_in_the_conversation_that_there_is(self) -> None:
        talking = scene(
            hello(), ben=tile_at(STOVE), talks=[self.TALK], spoken=[self.MINE, self.ANSWER]
        )
        said = [
            one
            for one in events_of(run(act_for_user, talking.context()))
            if isinstance(one, Said)
        ]
        assert [(one.conversation, one.number) for one in said] == [("c", 3)]

    def test_answers_all_that_take_part(self) -> None:
        others = {BEN, CEM}
        answer = replace(self.ANSWER, participants=(ADA, CEM))
        talking = scene(
            hello(),
            ben=tile_at(STOVE),
            others={CEM: tile_at(STOVE)},
            talks=[self.TALK, replace(self.TALK, agent=BEN, other=ADA)],
            spoken=[replace(self.MINE, participants=tuple(sorted(others))), answer],
        )
        [said] = [
            one
            for one in events_of(run(act_for_user, talking.context()))
            if isinstance(one, Said)
        ]
        assert (said.conversation, said.to, set(said.participants)) == ("c", BEN, others)


class TestHandingBack:
    ENDED = replace(CONTROLLED, to_tick=NOW)
    END = request(None)

    def test_refuses_what_is_open_and_plans_the_rest_of_the_day(self) -> None:
        records = replace(PLANNED, activities_under_control=("cooking",))
        back = scene(self.END, MOVE, embodiment=self.ENDED, records=records)
        outcome = run(act_for_user, back.context())
        assert answers(outcome) == [("done", ""), ("refused", "handed-back")]
        assert isinstance(outcome.intention, RevisePlan)
        [reason] = outcome.intention.reasons
        assert isinstance(reason, UserControlEnded)
        assert reason.activities == ("cooking",)
        assert outcome.intention.cause == self.END.event

    def test_lets_a_visitor_leave(self) -> None:
        visitor = replace(self.ENDED, is_visitor=True)
        outcome = run(act_for_user, scene(self.END, embodiment=visitor).context())
        assert outcome.leaves_simulation
        assert outcome.intention is None

    def test_refuses_a_request_of_an_earlier_embodiment(self) -> None:
        later = replace(CONTROLLED, number=2)
        outcome = run(act_for_user, scene(in_progress=COOK, embodiment=later).context())
        assert answers(outcome) == [("refused", "handed-back")]
