"""The pipeline of a turn: which step decides, in which order, and the events that it leaves."""

from dataclasses import replace

import pytest

from apps.agents.events import ActionBegan, AgentLeft, Noticed
from apps.memory.events import MemoriesRetrieved, MemoryFormed, MemoryKind, MemoryOrigin
from apps.memory.items import UnratedMemory
from apps.memory.rules import NOTED_IMPORTANCE, ROUTINE_IMPORTANCE
from apps.planning.llm_tasks.hour_actions import HourActions
from apps.planning.llm_tasks.own_thought import OwnThought
from apps.reaction.events import ReactionDecided
from apps.reaction.llm_tasks import Decision
from apps.reflection.events import Reflected
from apps.reflection.llm_tasks.insights import Insights
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.simulation.embodiment.requested_actions import Control
from apps.simulation.events import InnerVoiceGiven
from apps.simulation.turn.pipeline import STEPS, run_steps
from tests.support.builders import hour_action, set_state
from tests.support.turns import (
    ADA,
    BEN,
    CEM,
    NOW,
    OVER,
    PLACE,
    PLANNED,
    STOVE,
    TABLE,
    MemoryStreamInMemory,
    Scene,
    events_of,
    identity,
    norms,
    tile_at,
)
from tests.unit.simulation.turn.test_user_control import CONTROLLED, request

GO_ON = Decision(choice="go on", observation=1, what="", place="", minutes=0)
REFLECTS = {
    "reflection.questions": SalientQuestions(questions=("Who?", "What?", "Why?")),
    "reflection.insights": Insights(insights=()),
}
BURNING = set_state(STOVE, "burning", NOW - 100, alarming=True)


class TestTurn:
    def test_of_an_agent_with_nothing_new_and_nothing_over_leaves_no_event(self) -> None:
        context = Scene(known=(PLACE, *Scene().known)).context()
        news = [seen.sight.subject for seen in context.news]
        context = replace(context, news=()) if news else context
        assert run_steps(context).events == ()

    def test_begins_the_planned_action_when_the_last_one_is_over(self) -> None:
        outcome = run_steps(Scene(own=OVER, tile=tile_at(STOVE)).context())
        began = [one for one in events_of(outcome) if isinstance(one, ActionBegan)]
        assert [one.description for one in began] == ["writing to the mayor"]

    def test_perceives_first_acts_then_and_remembers_last(self) -> None:
        scene = Scene(own=OVER, ben=tile_at(STOVE), script={"reaction.decision": GO_ON})
        kinds = [type(event) for event in events_of(run_steps(scene.context()))]
        order = [Noticed, ReactionDecided, ActionBegan, MemoryFormed, MemoriesRetrieved]
        assert [kind for kind in dict.fromkeys(kinds) if kind in order] == order

    def test_rates_routine_by_rule_whoever_it_is(self) -> None:
        at_dawn, cem = {BEN: "Ben Marsh is asleep"}, tile_at(TABLE)
        scene = Scene(
            own=OVER,
            ben=tile_at(STOVE),
            noticed=at_dawn,
            others={CEM: cem},
            script={"reaction.decision": GO_ON},
        )
        outcome = run_steps(scene.context())
        assert [one.task_name for one in scene.model.asked] == ["reaction.decision"]
        formed = [one for one in events_of(outcome) if isinstance(one, MemoryFormed)]
        assert [one.number for one in formed] == list(range(10, 10 + len(formed)))
        assert {one.description: one.importance for one in formed if one.rated} == {
            "Ben Marsh is baking bread": ROUTINE_IMPORTANCE,
            "Cem Kaya is resting": NOTED_IMPORTANCE,
        }

    def test_rates_perceptions_when_a_reflection_may_depend_on_them(self) -> None:
        told = UnratedMemory(
            number=9,
            kind=MemoryKind.DIALOGUE,
            origin=MemoryOrigin.UTTERANCE,
            description="Ben Marsh said to Ada Finch: The mill is sold",
            perceived=True,
        )
        for importance, threshold_passed in ((140, False), (141, True)):
            scene = Scene(
                records=replace(PLANNED, importance=importance, unrated=(told,)),
                memories=MemoryStreamInMemory("Ada writes", ratings={9: 10}),
                script=REFLECTS,
                known=(PLACE, *Scene().known),
            )
            events = events_of(run_steps(scene.context()))
            reflected = [one for one in events if isinstance(one, Reflected)]
            assert [one.importance for one in reflected] == [151] * threshold_passed

    def test_puts_a_danger_before_an_inner_voice(self) -> None:
        """The thought is adopted, and the fire decides what the agent does."""
        voice = InnerVoiceGiven(agent=ADA, text="Rest.", by="researcher", reason="")
        scene = Scene(
            told=[voice],
            set_states=[BURNING],
            script={
                "planning.own_thought": OwnThought(
                    thought="Ada Finch wants to rest", deed="", place="", minutes_now=0
                ),
                "reaction.decision": Decision(
                    choice="act", observation=1, what="put out the fire", place="", minutes=5
                ),
                "planning.revised_hours": '{"changes": [], "dropped": []}',
                "planning.hour_actions": HourActions(
                    actions=[hour_action("putting out the fire", emoji="🧯", importance=8)]
                ),
            },
        )
        began = [
            one for one in events_of(run_steps(scene.context())) if isinstance(one, ActionBegan)
        ]
        assert [one.description for one in began] == ["putting out the fire"]

    def test_of_a_controlled_agent_decides_nothing_itself(self) -> None:
        control = Control(embodiment=CONTROLLED, requests=(), in_progress=None)
        scene = Scene(control=control, ben=tile_at(STOVE))
        run_steps(scene.context())
        assert scene.model.asked == []

    def test_of_a_visitor_whose_control_ends_is_its_last(self) -> None:
        ended = replace(CONTROLLED, is_visitor=True, to_tick=NOW)
        control = Control(embodiment=ended, requests=(request(None),), in_progress=None)
        scene = Scene(control=control, known=(PLACE,))
        assert isinstance(events_of(run_steps(scene.context()))[-1], AgentLeft)

    def test_takes_an_agent_home_when_the_place_closes(self) -> None:
        world = norms("Mill Cottage: kitchen", hours=(480, 600))
        scene = Scene(
            world=world,
            agent=identity("cem"),
            script={},
            records=replace(PLANNED, action=None, hours=()),
        )
        outcome = run_steps(scene.context())
        assert any(
            getattr(event, "towards", "") == "Mill Cottage: bedroom"
            for event in events_of(outcome)
        )


@pytest.mark.parametrize("agent", [ADA, BEN])
def test_no_step_changes_what_it_is_given(agent: str) -> None:
    """A turn is frozen; a step returns a new one or the same."""
    turn = Scene(agent=identity(agent), own=OVER).context()
    for step, applies in STEPS:
        if applies(turn):
            before = replace(turn)
            after = step(turn)
            assert turn == before
            turn = after
    assert turn.events
