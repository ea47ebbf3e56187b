"""Apply interventions: inner voices, observations and interviews (U1, U2, U6)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.planning.llm_tasks.own_thought import OwnThought
from apps.reaction.llm_tasks import Decision
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.turn.context.outcome import RevisePlan
from apps.simulation.turn.decide.intervene import (
    apply_interventions,
    follow_thoughts,
    react_to_observations,
)
from tests.support.turns import (
    ADA,
    BEN,
    KITCHEN,
    NOW,
    PLANNED,
    STOVE,
    Scene,
    descriptions_of,
    run,
    tile_at,
)

BY: Any = {"by": "researcher", "reason": ""}
VOICE = InnerVoiceGiven(agent=ADA, text="You are going to bake a cake now.", **BY)
NEWS = ObservationGiven(agent=ADA, text="Ben Marsh is crying", about=BEN, **BY)
LATER = OwnThought(
    thought="Ada Finch wants to bake a cake", deed="bake a cake", place="kitchen", minutes_now=0
)
AT_ONCE = LATER.model_copy(update={"minutes_now": 30})
GO_ON = Decision(choice="go on", observation=1, what="", place="", minutes=0)


class TestInnerVoice:
    @pytest.mark.parametrize(("answer", "minutes"), [(LATER, None), (AT_ONCE, 30)])
    def test_becomes_a_thought_and_a_plan(
        self, answer: OwnThought, minutes: int | None
    ) -> None:
        scene = Scene(told=[VOICE], script={"planning.own_thought": answer})
        outcome = run(apply_interventions, scene.context())
        thought, plan = (memory.draft for memory in outcome.memories)
        assert (thought.kind, thought.description) == (
            MemoryKind.REFLECTION,
            "Ada Finch wants to bake a cake",
        )
        assert (plan.kind, plan.evidence) == (MemoryKind.PLAN, (thought.number,))
        assert plan.scheduled is not None
        assert (plan.scheduled.starts is not None) == (minutes is not None)
        assert outcome.memories[0].cause == f"{NOW}/commands/0"

    def test_revises_the_plan_and_begins_at_once_what_is_for_now(self) -> None:
        scene = Scene(told=[VOICE], script={"planning.own_thought": AT_ONCE})
        outcome = follow_thoughts(run(apply_interventions, scene.context()))
        assert isinstance(outcome.intention, RevisePlan)
        first = outcome.intention.first
        assert first is not None
        assert (first.description, first.place, first.ticks) == ("bake a cake", KITCHEN, 180)

    def test_for_later_begins_nothing_at_once(self) -> None:
        scene = Scene(told=[VOICE], script={"planning.own_thought": LATER})
        outcome = follow_thoughts(run(apply_interventions, scene.context()))
        assert isinstance(outcome.intention, RevisePlan)
        assert outcome.intention.first is None

    def test_without_a_deed_is_a_thought_and_no_plan(self) -> None:
        answer = LATER.model_copy(update={"deed": "", "place": ""})
        scene = Scene(told=[VOICE], script={"planning.own_thought": answer})
        outcome = run(apply_interventions, scene.context())
        assert descriptions_of(outcome) == ["Ada Finch wants to bake a cake"]

    def test_that_was_not_given_revises_nothing(self) -> None:
        assert run(follow_thoughts, Scene().context()).intention is None


class TestObservation:
    def test_is_remembered_in_the_words_of_the_user(self) -> None:
        [memory] = run(apply_interventions, Scene(told=[NEWS]).context()).memories
        assert memory.draft.description == "Ben Marsh is crying"
        assert (memory.draft.subject, memory.draft.perceived) == (BEN, True)

    def test_is_decided_about_with_the_agent_that_it_is_about(self) -> None:
        scene = Scene(told=[NEWS], ben=tile_at(STOVE), script={"reaction.decision": GO_ON})
        run(react_to_observations, scene.context())
        [observed] = scene.inputs().observed
        assert observed.agent.status.agent_name == "Ben Marsh"
        assert observed.agent.may_talk

    def test_is_about_an_agent_that_cannot_be_addressed_out_of_view(self) -> None:
        scene = Scene(told=[NEWS], script={"reaction.decision": GO_ON})
        run(react_to_observations, scene.context())
        [observed] = scene.inputs().observed
        assert not observed.agent.may_talk

    def test_that_is_alarming_is_decided_about_without_a_plan(self) -> None:
        fire = ObservationGiven(agent=ADA, text="it smells burnt", is_alarming=True, **BY)
        for event, asked in ((fire, 1), (NEWS, 0)):
            scene = Scene(
                told=[event],
                records=replace(PLANNED, hours=()),
                script={"reaction.decision": GO_ON},
            )
            run(react_to_observations, scene.context())
            assert len(scene.model.asked) == asked


def test_an_interview_is_remembered_with_question_and_answer() -> None:
    interview = InterviewGiven(
        agent=ADA, persona="a reporter", question="Who are you?", answer="I am Ada.", **BY
    )
    [memory] = run(apply_interventions, Scene(told=[interview]).context()).memories
    assert memory.draft.description == (
        'A reporter said to Ada Finch: "Who are you?" Ada Finch answered: "I am Ada."'
    )
    assert memory.draft.origin is MemoryOrigin.INTERVIEW
