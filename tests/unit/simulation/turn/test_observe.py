"""Observe: what is new in view becomes known and is remembered (M2, W3, W5, X1)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind, Noticed, PlacesLearnt
from apps.agents.sharing import Use
from apps.dialogue.utterances import Talk
from apps.memory.earlier_memories import EarlierMemory
from apps.memory.events import FactEstablished, FactKind, MemoryOrigin, ScheduledActivity
from apps.memory.llm_tasks.facts import LastingFactsFound, Pursuit
from apps.memory.rules import NOTED_IMPORTANCE, ROUTINE_IMPORTANCE
from apps.simulation.settings import SimulationSettings
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.records import AgentRecords
from apps.simulation.turn.perceive.observe import observe, remember_description
from tests.support.builders import set_state
from tests.support.turns import (
    BEDROOM,
    BEN,
    CEM,
    KITCHEN,
    NOW,
    PLACE,
    STOVE,
    TABLE,
    MemoryStreamInMemory,
    Scene,
    action,
    descriptions_of,
    events_of,
    identity,
    norms,
    run,
    tick_at,
    tile_at,
    tile_in,
)

SINK = f"{KITCHEN}: sink"
DAY = tick_at("24:00")
BURNING = set_state(STOVE, "burning", NOW - 100, alarming=True)


class TestObserve:
    def test_remembers_an_agent_that_has_come_into_view(self) -> None:
        scene = Scene(ben=tile_at(STOVE), known=(PLACE, KITCHEN, STOVE, TABLE, SINK))
        outcome = run(observe, scene.context())
        [noticed] = events_of(outcome)
        assert isinstance(noticed, Noticed)
        assert [sight.subject for sight in noticed.sights] == [BEN]
        assert descriptions_of(outcome) == ["Ben Marsh is baking bread"]
        assert outcome.memories[0].draft.perceived

    def test_does_not_notice_again_what_has_not_changed(self) -> None:
        scene = Scene(
            ben=tile_at(STOVE),
            known=(PLACE, KITCHEN, STOVE, TABLE, SINK),
            noticed={BEN: "Ben Marsh is baking bread"},
        )
        assert events_of(run(observe, scene.context())) == []

    def test_remembers_a_crowd_once_instead_of_more_agents_in_it(self) -> None:
        scene = Scene(
            ben=tile_at(STOVE),
            known=(PLACE, KITCHEN, STOVE, TABLE, SINK),
            records=AgentRecords(sights_of_hour=SimulationSettings().sights_per_hour),
        )
        outcome = run(observe, scene.context())
        [noticed] = events_of(outcome)
        assert isinstance(noticed, Noticed)
        [crowd] = outcome.memories
        assert crowd.draft.description == "about 10 people: the kitchen of Mill Cottage"
        assert crowd.draft.activity == "in a crowd"

    def test_remembers_a_danger_in_a_crowd(self) -> None:
        scene = Scene(
            known=(PLACE, KITCHEN, TABLE, SINK, STOVE),
            set_states=[BURNING],
            records=AgentRecords(sights_of_hour=SimulationSettings().sights_per_hour),
        )
        assert descriptions_of(run(observe, scene.context())) == ["stove: burning"]

    def test_sees_nothing_through_a_wall(self) -> None:
        scene = Scene(ben=tile_in(BEDROOM), known=(PLACE, KITCHEN, STOVE, TABLE, SINK))
        assert events_of(run(observe, scene.context())) == []

    def test_knows_an_idle_object_that_is_new_and_does_not_remember_it(self) -> None:
        outcome = run(observe, Scene(known=(PLACE, KITCHEN, STOVE, TABLE)).context())
        [noticed] = events_of(outcome)
        assert isinstance(noticed, Noticed)
        assert [sight.subject for sight in noticed.sights] == [SINK]
        assert outcome.memories == ()

    def test_remembers_an_object_whose_state_has_changed(self) -> None:
        scene = Scene(known=(PLACE, KITCHEN, TABLE, SINK, STOVE), set_states=[BURNING])
        [memory] = run(observe, scene.context()).memories
        assert memory.draft.description == "stove: burning"
        assert memory.draft.importance is None, "the model rates it"
        assert memory.cause == BURNING.event

    def test_notices_a_thing_that_was_left_once_whoever_uses_the_object(self) -> None:
        left = replace(BURNING, object=TABLE, state="holding a cake", event="3500/cem-kaya/2")
        eating = Use(agent=BEN, node=TABLE, state="set", from_tick=NOW - 9, since_tick=NOW - 9)
        known = (PLACE, KITCHEN, STOVE, SINK)
        scene = Scene(known=(*known, TABLE), set_states=[left])
        assert descriptions_of(run(observe, scene.context())) == ["table: holding a cake"]
        seen = {TABLE: "holding a cake", BEN: "Ben Marsh is baking bread"}
        for uses in ((eating,), ()):
            scene = Scene(
                known=known, ben=tile_at(TABLE), noticed=seen, set_states=[left], uses=uses
            )
            assert run(observe, scene.context()).events == ()

    def test_knows_that_an_object_is_idle_again_and_does_not_remember_it(self) -> None:
        scene = Scene(known=(PLACE, KITCHEN, TABLE, SINK), noticed={STOVE: "burning"})
        outcome = run(observe, scene.context())
        assert [type(event) for event in events_of(outcome)] == [Noticed]
        assert outcome.memories == ()

    def test_notices_an_object_in_use_and_does_not_remember_it(self) -> None:
        """The user is out of view; where it is in view its action is remembered."""
        cooking = Use(agent=BEN, node=STOVE, state="hot", from_tick=NOW - 9, since_tick=NOW - 9)
        scene = Scene(known=(PLACE, KITCHEN, TABLE, SINK), uses=(cooking,))
        outcome = run(observe, scene.context())
        [noticed] = events_of(outcome)
        assert isinstance(noticed, Noticed)
        assert [sight.subject for sight in noticed.sights] == [STOVE]
        assert outcome.memories == ()

    def test_learns_the_room_around_and_its_place(self) -> None:
        outcome = run(observe, Scene(known=(STOVE, TABLE, SINK)).context())
        assert events_of(outcome) == [PlacesLearnt(nodes=(PLACE, KITCHEN))]

    def test_notices_in_sleep_a_danger_and_nothing_else(self) -> None:
        asleep = action("sleeping", asleep=True)
        scene = Scene(own=asleep, ben=tile_at(STOVE), known=(PLACE, KITCHEN, STOVE, TABLE))
        assert events_of(run(observe, scene.context())) == []
        scene.set_states = [BURNING]
        assert descriptions_of(run(observe, scene.context())) == ["stove: burning"]

    def test_remembers_a_conversation_of_others_once(self) -> None:
        ben, cem = (
            Talk(agent=one, conversation="c", other=other, from_tick=NOW - 9, to_tick=None)
            for one, other in ((BEN, CEM), (CEM, BEN))
        )
        scene = Scene(
            ben=tile_at(STOVE),
            bens=action("talking with Cem Kaya", kind=ActionKind.TALKING),
            others={CEM: tile_at(TABLE)},
            talks=[ben, cem],
            known=(PLACE, KITCHEN, STOVE, TABLE, SINK),
        )
        outcome = run(observe, scene.context())
        [noticed] = events_of(outcome)
        assert isinstance(noticed, Noticed)
        assert {sight.subject for sight in noticed.sights} == {BEN, CEM}
        assert len(outcome.memories) == 1
        scene.noticed = {CEM: "Cem Kaya is resting"}
        assert run(observe, scene.context()).memories == (), "Cem was noticed before"
        scene.talks = [ben, replace(cem, conversation="d")]
        assert len(run(observe, scene.context()).memories) == 1, "two conversations"

    def test_perceives_that_the_place_closes(self) -> None:
        world = norms(PLACE, hours=(480, 600))
        scene = Scene(
            world=world, agent=identity("cem"), known=(PLACE, KITCHEN, STOVE, TABLE, SINK)
        )
        [memory] = run(observe, scene.context()).memories
        assert (memory.draft.description, memory.draft.origin) == (
            "Mill Cottage is closing",
            MemoryOrigin.CLOSING,
        )
        scene.tick = tick_at("10:01")
        assert run(observe, scene.context()).memories == ()


EVERYTHING = (PLACE, KITCHEN, STOVE, TABLE, SINK)
ASLEEP = {BEN: "Ben Marsh is asleep"}


class TestSightsOfActivities:
    """One activity of an agent is one memory for those who see it (ADR 50)."""

    BAKING = action("kneading the dough", activity="bake bread")

    def seeing(self, stream: MemoryStreamInMemory, **scene: Any) -> Turn:
        facts = {"ben": tile_at(STOVE), "bens": self.BAKING, "noticed": ASLEEP, **scene}
        return run(observe, Scene(known=EVERYTHING, memories=stream, **facts).context())

    def test_the_first_of_its_actions_in_view_is_remembered(self) -> None:
        [memory] = self.seeing(MemoryStreamInMemory()).memories
        assert memory.draft.description == "Ben Marsh is kneading the dough"
        assert memory.draft.activity == "bake bread"
        assert memory.draft.importance == ROUTINE_IMPORTANCE

    def test_the_next_ones_of_the_day_are_noticed_only(self) -> None:
        stream = MemoryStreamInMemory()
        stream.activities["bake bread", BEN] = EarlierMemory(7, tick_at("7:30"))
        outcome = self.seeing(stream)
        assert [type(event) for event in events_of(outcome)] == [Noticed]
        assert (outcome.memories, outcome.repetitions) == ((), ())

    def test_on_another_day_it_is_counted(self) -> None:
        stream = MemoryStreamInMemory()
        stream.activities["bake bread", BEN] = EarlierMemory(7, tick_at("10:00") - DAY)
        outcome = self.seeing(stream)
        assert outcome.memories == ()
        assert [one.number for one in outcome.repetitions] == [7]

    def test_an_act_with_another_agent_is_remembered_by_itself(self) -> None:
        stream = MemoryStreamInMemory()
        stream.activities["bake bread", BEN] = EarlierMemory(7, tick_at("7:30"))
        giving = replace(self.BAKING, description="giving Cem a loaf", act=ActKind.GIVE)
        outcome = self.seeing(stream, bens=giving)
        assert descriptions_of(outcome) == ["Ben Marsh is giving Cem a loaf"]

    @pytest.mark.parametrize("kind", [ActionKind.WALKING, ActionKind.SLEEPING])
    def test_passing_by_and_sleep_are_not_remembered(self, kind: ActionKind) -> None:
        passing = action("walking to the desk", kind=kind)
        outcome = self.seeing(MemoryStreamInMemory(), bens=passing)
        assert [type(event) for event in events_of(outcome)] == [Noticed]
        assert outcome.memories == ()

    def test_a_stranger_is_remembered_whatever_it_does_and_rated_by_rule(self) -> None:
        passing = action("walking to the desk", kind=ActionKind.WALKING)
        [memory] = self.seeing(MemoryStreamInMemory(), bens=passing, noticed={}).memories
        assert memory.draft.importance == NOTED_IMPORTANCE

    def test_a_talk_of_others_is_rated_by_rule_and_what_a_user_has_done_by_the_model(
        self,
    ) -> None:
        rated = {ActionKind.TALKING: NOTED_IMPORTANCE, ActionKind.USER_CONTROLLED: None}
        for kind, importance in rated.items():
            seen = self.seeing(MemoryStreamInMemory(), bens=action("singing", kind=kind))
            assert [one.draft.importance for one in seen.memories] == [importance], kind

    def test_the_same_words_again_are_counted(self) -> None:
        talking = action("talking with Cem Kaya", kind=ActionKind.TALKING)
        first = self.seeing(MemoryStreamInMemory(), bens=talking)
        assert descriptions_of(first) == ["Ben Marsh is talking with Cem Kaya"]
        stream = MemoryStreamInMemory("Ben Marsh is talking with Cem Kaya")
        stream.place(1, subject=BEN, origin=MemoryOrigin.PERCEIVED_AGENT)
        again = self.seeing(stream, bens=talking)
        assert (again.memories, [one.number for one in again.repetitions]) == ((), [1])


def test_the_first_turn_remembers_the_description() -> None:
    found = LastingFactsFound(occupation=(1,), pursuits=(), ties=())
    scene = Scene(script={"facts.description": found.model_dump_json()})
    outcome = run(remember_description, scene.context())
    assert descriptions_of(outcome) == ["Ada Finch writes letters for a living"]
    [fact] = events_of(outcome)
    assert isinstance(fact, FactEstablished)
    assert (fact.kind, fact.evidence) == (FactKind.OCCUPATION, (1,))
    assert outcome.memories[0].draft.scheduled is None


def test_a_phrase_about_an_event_is_over_with_it() -> None:
    fair = Pursuit(because_of=(1,), until="2024-06-04T18:00")
    found = LastingFactsFound(occupation=(), pursuits=(fair,), ties=())
    scene = Scene(script={"facts.description": found.model_dump_json()})
    [memory] = run(remember_description, scene.context()).memories
    assert memory.draft.scheduled == ScheduledActivity(
        activity="", ends=datetime(2024, 6, 4, 18)
    )
