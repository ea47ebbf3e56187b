"""Observe: what is new in view becomes known and is remembered (M2, W3, W5, X1)."""

from dataclasses import replace

from apps.agents.events import ActionKind, Noticed, PlacesLearnt
from apps.agents.sharing import SetState, Use
from apps.dialogue.utterances import Talk
from apps.memory.events import MemoryOrigin
from apps.memory.facts.events import FactEstablished, FactKind
from apps.memory.facts.llm_tasks import LastingFactsFound
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.simulation.turn.observe import learn_place_named, observe, remember_description
from tests.support.turns import (
    BEDROOM,
    BEN,
    CEM,
    DESK,
    KITCHEN,
    NOW,
    PLACE,
    STOVE,
    TABLE,
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
BURNING = SetState(
    object=STOVE,
    state="burning",
    event="3500/commands/0",
    from_tick=NOW - 100,
    to_tick=None,
    is_alarming=True,
)


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

    def test_rates_an_object_that_is_idle_again_without_the_model(self) -> None:
        scene = Scene(known=(PLACE, KITCHEN, TABLE, SINK), noticed={STOVE: "burning"})
        [memory] = run(observe, scene.context()).memories
        assert memory.draft.description == "stove: idle"
        assert memory.draft.importance == ROUTINE_IMPORTANCE

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


class TestLearning:
    def test_learns_a_place_by_its_name(self) -> None:
        def learn(context, so_far):  # type: ignore[no-untyped-def]
            return learn_place_named(context, so_far, "the bedroom", cause="1/ada-finch/0")

        context = Scene(known=(PLACE, KITCHEN)).context()
        assert events_of(run(learn, context)) == [PlacesLearnt(nodes=(BEDROOM,))]

    def test_learns_no_object_and_no_unknown_place(self) -> None:
        for words in (DESK, "Hobbs Cafe"):
            context = Scene(known=(PLACE, KITCHEN)).context()
            outcome = run(
                lambda context, so_far, words=words: learn_place_named(  # type: ignore[misc]
                    context, so_far, words, cause=""
                ),
                context,
            )
            assert events_of(outcome) == []


def test_the_first_turn_remembers_the_description() -> None:
    found = LastingFactsFound(occupation=(1,), pursuits=(), ties=())
    scene = Scene(script={"facts.description": found.model_dump_json()})
    outcome = run(remember_description, scene.context())
    assert descriptions_of(outcome) == ["Ada Finch writes letters for a living"]
    [fact] = events_of(outcome)
    assert isinstance(fact, FactEstablished)
    assert (fact.kind, fact.evidence) == (FactKind.OCCUPATION, (1,))
