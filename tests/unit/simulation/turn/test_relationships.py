"""The status of an agent in a prompt: what it does, also while it walks inside a place."""

from dataclasses import replace

from apps.agents.events import ActionKind
from apps.simulation.turn.perceive.relationships import status_of
from tests.support.turns import ADA, BEN, KITCHEN, NOW, PLANNED, STOVE, Scene, action, tile_at

WALKING = action(
    "walking to Mill Cottage", kind=ActionKind.WALKING, towards=STOVE, until_tick=NOW + 3
)
TO_KITCHEN = replace(WALKING, towards=KITCHEN)
OUTDOORS = replace(WALKING, description="walking along the street", towards="")


class TestStatus:
    def test_of_an_agent_that_has_come_in_is_what_it_is_about_to_do(self) -> None:
        status = status_of(Scene(own=WALKING).context(), ADA)
        assert status.activity == "about to begin writing to the mayor"
        assert status.until is None

    def test_of_an_agent_with_another_plan_by_now_is_its_goal(self) -> None:
        scene = Scene(own=replace(WALKING, plan_item=1))
        assert status_of(scene.context(), ADA).activity.startswith("walking to the stove")

    def test_of_another_agent_that_has_come_in_is_where_it_is_seen_to_go(self) -> None:
        scene = Scene(ben=tile_at(STOVE), bens=WALKING)
        assert status_of(scene.context(), BEN).activity == (
            "walking to the stove in the kitchen of Mill Cottage"
        )
        scene.bens = TO_KITCHEN
        assert status_of(scene.context(), BEN).activity == (
            "walking about in the kitchen of Mill Cottage"
        )

    def test_of_a_walk_out_of_the_place_is_its_description(self) -> None:
        scene = Scene(own=OUTDOORS, records=replace(PLANNED, action=None))
        status = status_of(scene.context(), ADA)
        assert status.activity == "walking along the street"
        assert status.until is not None
