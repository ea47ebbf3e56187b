"""Act and walk: begin a step on the spot, pass doors, and meet refusals (W1, W5)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.acts import Act, ActKind
from apps.agents.events import ActionBegan, ActionKind, EntryTried, TurnedAway, WalkBegan
from apps.agents.sharing import Use
from apps.dialogue.commitments import OpenCommitment
from apps.simulation.turn.context.outcome import (
    PERFORMED,
    Perform,
    PlannedStep,
    Turn,
    WalkTo,
)
from apps.simulation.turn.context.records import RefusedUse
from apps.simulation.turn.perform.act import accept_refusal, act, leave_closing_place
from apps.simulation.turn.perform.walk import next_leg, walk
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    KITCHEN,
    NOW,
    PLACE,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    descriptions_of,
    events_of,
    identity,
    item,
    norms,
    run,
    tick_at,
    tile_at,
    tile_in,
)

STEP = PlannedStep(
    kind=ActionKind.PLANNED,
    description="kneading the dough",
    emoji="🍞",
    area=KITCHEN,
    object=TABLE,
    object_state="floury",
    from_tick=NOW - 60,
    to_tick=tick_at("11:00"),
    plan_item=3,
)
IN_THE_BEDROOM = replace(STEP, area=BEDROOM, object="", object_state="")
REQUESTED = replace(STEP, kind=ActionKind.USER_CONTROLLED)
AGREED_NOW = OpenCommitment(
    event="3000/ada-finch/1",
    other=CEM,
    besides=(BEN,),
    activity="bake together",
    place="",
    day="2024-06-03",
    from_minute=9 * 60,
    to_minute=11 * 60,
)
BENS_TABLE = Use(agent=BEN, node=TABLE, state="laid", since_tick=NOW - 100, from_tick=NOW - 100)


def perform(step: PlannedStep, scene: Scene) -> Turn:
    return run(act, scene.context(), intention=Perform(step=step, cause="1/ada-finch/0"))


def set_out(step: PlannedStep, scene: Scene) -> Turn:
    """Return the outcome of acting and then walking."""
    context = scene.context()
    outcome = run(act, context, intention=Perform(step=step))
    assert isinstance(outcome.intention, WalkTo)
    return walk(outcome)


class TestActing:
    def test_begins_the_step_where_its_object_is_used_from(self) -> None:
        outcome = perform(STEP, Scene(tile=tile_at(TABLE)))
        [began] = events_of(outcome)
        assert isinstance(began, ActionBegan)
        assert (began.description, began.object, began.object_state) == (
            "kneading the dough",
            TABLE,
            "floury",
        )
        assert (began.until_tick, began.plan_item) == (tick_at("11:00"), 3)
        assert outcome.events[0].cause == "1/ada-finch/0"
        assert descriptions_of(outcome) == ["Ada Finch is kneading the dough"]

    def test_walks_to_a_step_elsewhere(self) -> None:
        outcome = perform(IN_THE_BEDROOM, Scene())
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.events == ()

    def test_chooses_the_same_spot_in_every_turn_of_a_step(self) -> None:
        spots = set()
        for tile in (tile_in(KITCHEN), tile_at(STOVE)):
            outcome = perform(IN_THE_BEDROOM, Scene(tile=tile))
            assert isinstance(outcome.intention, WalkTo)
            spots.add(outcome.intention.spot)
        assert len(spots) == 1

    def test_stays_at_home_where_the_place_is_closed_all_the_time(self) -> None:
        world = norms(PLACE, hours=(720, 780))
        cem = identity("cem", home=BEDROOM)
        [began] = events_of(
            perform(
                replace(STEP, to_tick=tick_at("11:00")),
                Scene(world=world, agent=cem, tile=tile_in(BEDROOM)),
            )
        )
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.area) == (ActionKind.PASSING_TIME, BEDROOM)


class TestWalking:
    def test_goes_on_its_way(self) -> None:
        outcome = set_out(IN_THE_BEDROOM, Scene())
        [walked] = events_of(outcome)
        assert isinstance(walked, WalkBegan)
        assert walked.towards == BEDROOM
        assert walked.steps
        assert outcome.intention == PERFORMED

    def test_stops_before_a_room_of_limited_capacity(self) -> None:
        open_world, limited = Scene(), Scene(world=norms(BEDROOM, holds=1))
        goal = tile_in(BEDROOM)
        whole = next_leg(open_world.context(), goal)
        leg = next_leg(limited.context(), goal)
        assert 0 < len(leg.steps) < len(whole.steps)
        assert leg.steps == whole.steps[: len(leg.steps)]

    def at_the_door(self, **changes: Any) -> Scene:
        """Return a scene in which Ada stands before the bedroom, which holds one."""
        world = norms(BEDROOM, holds=1)
        leg = next_leg(Scene(world=world).context(), tile_in(BEDROOM))
        facts: dict[str, Any] = {"world": world, "tile": leg.steps[-1]}
        return Scene(**facts | changes)

    def test_tries_to_enter_a_room_of_limited_capacity(self) -> None:
        [tried] = events_of(set_out(IN_THE_BEDROOM, self.at_the_door()))
        assert isinstance(tried, EntryTried)
        assert tried.area == BEDROOM

    def test_enters_after_it_was_let_in(self) -> None:
        mine = Use(agent=ADA, node=BEDROOM, state="", since_tick=NOW - 1, from_tick=NOW - 1)
        [walked] = events_of(set_out(IN_THE_BEDROOM, self.at_the_door(uses=[mine])))
        assert isinstance(walked, WalkBegan)

    def test_waits_before_a_full_room(self) -> None:
        bens = Use(agent=BEN, node=BEDROOM, state="", since_tick=NOW - 9, from_tick=NOW - 9)
        turned_away, began = events_of(set_out(IN_THE_BEDROOM, self.at_the_door(uses=[bens])))
        assert isinstance(turned_away, TurnedAway)
        assert turned_away.why == "the bedroom of Mill Cottage is occupied"
        assert isinstance(began, ActionBegan)
        assert began.kind is ActionKind.WAITING

    def test_waits_at_a_closed_door_until_it_opens(self) -> None:
        world = norms(BEDROOM, hours=(630, 1_200))
        leg = next_leg(Scene(world=world, agent=identity("cem")).context(), tile_in(BEDROOM))
        scene = Scene(world=world, agent=identity("cem"), tile=leg.steps[-1])
        turned_away, began = events_of(set_out(IN_THE_BEDROOM, scene))
        assert isinstance(turned_away, TurnedAway)
        assert "it opens at 10:30 am" in turned_away.why
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.until_tick) == (ActionKind.WAITING, tick_at("10:30"))


class TestRefusals:
    TAKEN = norms(TABLE, holds=1)

    def test_waits_for_an_object_that_is_taken(self) -> None:
        scene = Scene(world=self.TAKEN, tile=tile_at(TABLE), uses=[BENS_TABLE])
        outcome = perform(STEP, scene)
        turned_away, began = events_of(outcome)
        assert turned_away == TurnedAway(
            node=TABLE, why="the table in the kitchen of Mill Cottage: taken"
        )
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.plan_item) == (ActionKind.WAITING, 3)
        assert descriptions_of(outcome)[0] == turned_away.why
        assert outcome.refusal == turned_away.why

    def test_does_the_step_beside_an_object_that_a_participant_uses(self) -> None:
        """Two listen to a piece at a bed that holds one."""
        for step, records in (
            (replace(STEP, with_agents=(CEM, BEN)), PLANNED),
            (STEP, replace(PLANNED, commitments=(AGREED_NOW,))),
        ):
            scene = Scene(
                world=self.TAKEN, tile=tile_at(TABLE), uses=[BENS_TABLE], records=records
            )
            outcome = perform(step, scene)
            turned_away, began = events_of(outcome)
            assert isinstance(turned_away, TurnedAway), "the difference is on the log"
            assert turned_away.node == TABLE
            assert isinstance(began, ActionBegan)
            assert (began.description, began.plan_item) == ("kneading the dough", 3)
            assert (began.area, began.object, began.object_state) == (KITCHEN, "", "")
            assert began.until_tick == tick_at("11:00")
            assert descriptions_of(outcome) == ["Ada Finch is kneading the dough"]

    def test_does_it_beside_also_after_a_lost_draw(self) -> None:
        tries = [
            Use(agent=agent, node=TABLE, state="", since_tick=NOW - 1, from_tick=NOW - 1)
            for agent in (ADA, BEN)
        ]
        joint = item("action", "9:30", "11:00", object=TABLE, with_agents=(ADA, BEN))
        began = [
            event
            for slug in (ADA, BEN)
            for event in events_of(
                run(
                    accept_refusal,
                    Scene(
                        world=self.TAKEN,
                        agent=identity(slug),
                        tile=tile_at(TABLE),
                        uses=tries,
                        records=replace(PLANNED, action=joint),
                    ).context(),
                )
            )
            if isinstance(event, ActionBegan)
        ]
        assert [(one.description, one.object) for one in began] == [("write letters", "")]

    @pytest.mark.parametrize(
        "step",
        [
            replace(STEP, with_agents=(CEM,)),
            replace(STEP, with_agents=(BEN,), asleep=True),
            replace(STEP, with_agents=(BEN,), act=Act(kind=ActKind.LEAVE, about="a cake")),
        ],
        ids=["another participant", "a sleeper", "a thing to leave"],
    )
    def test_does_nothing_beside_a_taken_object_with(self, step: PlannedStep) -> None:
        scene = Scene(world=self.TAKEN, tile=tile_at(TABLE), uses=[BENS_TABLE])
        began = events_of(perform(step, scene))[1]
        assert isinstance(began, ActionBegan)
        assert began.kind is ActionKind.WAITING

    @pytest.mark.parametrize(
        ("earlier", "minutes"),
        [((), 3), ((NOW - 20,), 3), ((NOW - 300, NOW - 20), 0), ((NOW - 380, NOW - 370), 3)],
        ids=["first", "second", "third attempt", "of an earlier hour"],
    )
    def test_waits_for_an_object_twice_in_an_hour(
        self, earlier: tuple[int, ...], minutes: int
    ) -> None:
        """After the third refusal it waits no longer than the turn in which it replans."""
        refusals = tuple(RefusedUse(tick=tick, node=TABLE, why="taken") for tick in earlier)
        scene = Scene(
            world=self.TAKEN,
            tile=tile_at(TABLE),
            uses=[BENS_TABLE],
            records=replace(PLANNED, refusals=refusals),
        )
        began = events_of(perform(STEP, scene))[1]
        assert isinstance(began, ActionBegan)
        assert began.kind is ActionKind.WAITING
        assert began.until_tick == NOW + (minutes * 6 or 1)

    def test_leaves_an_agent_that_a_user_controls_where_it_is(self) -> None:
        scene = Scene(world=self.TAKEN, tile=tile_at(TABLE), uses=[BENS_TABLE])
        began = events_of(perform(REQUESTED, scene))[1]
        assert isinstance(began, ActionBegan)
        assert began.kind is ActionKind.IDLE

    def test_follows_an_attempt_that_another_agent_won(self) -> None:
        """Both tried in the tick before, and the draw let Ben in (W5)."""
        tries = [
            Use(agent=agent, node=TABLE, state="", since_tick=NOW - 1, from_tick=NOW - 1)
            for agent in (ADA, BEN)
        ]
        outcomes = {
            slug: run(
                accept_refusal,
                Scene(
                    world=self.TAKEN,
                    agent=identity(slug),
                    tile=tile_at(TABLE),
                    ben=tile_at(TABLE) if slug == ADA else None,
                    uses=tries,
                ).context(),
            )
            for slug in (ADA, BEN)
        }
        refused = [slug for slug, outcome in outcomes.items() if outcome.refusal]
        assert len(refused) == 1
        assert outcomes[refused[0]].intention == PERFORMED

    def test_without_an_attempt_nothing_is_given_up(self) -> None:
        assert run(accept_refusal, Scene().context()).intention is None


def test_an_agent_leaves_a_closing_place_for_home() -> None:
    outcome = run(leave_closing_place, Scene().context())
    assert isinstance(outcome.intention, Perform)
    step = outcome.intention.step
    assert (step.area, step.kind, step.to_tick) == (
        BEDROOM,
        ActionKind.PASSING_TIME,
        tick_at("11:00"),
    )
