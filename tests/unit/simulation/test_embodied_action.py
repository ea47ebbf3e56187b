"""Tests of the actions of embodied agents, checked against the world."""

from pathlib import Path

import pytest

from apps.simulation.commands.embodied_action import (
    UnusableAction,
    move_to_node,
    move_to_tile,
    use_object,
)
from apps.world.errors import AmbiguousPlace, UnknownPlace
from apps.world.loading import load_world

WORLD = load_world(Path("worlds/smallville"))


class TestMoveTo:
    @pytest.mark.parametrize(
        ("words", "to"),
        [
            ("Hobbs Cafe", "Hobbs Cafe: cafe"),
            ("Hobbs Cafe: cafe", "Hobbs Cafe: cafe"),
            ("Hobbs Cafe: piano", "Hobbs Cafe: cafe: piano"),
            ("Isabella's apartment: stove", "Isabella Rodriguez's apartment: kitchen: stove"),
        ],
    )
    def test_leads_to_what_is_named_by_any_name_of_its_own(self, words: str, to: str) -> None:
        assert move_to_node(WORLD, words).to == to

    def test_leads_nowhere_that_one_cannot_stand(self) -> None:
        with pytest.raises(UnknownPlace):
            move_to_node(WORLD, "Nowhere")
        with pytest.raises(AmbiguousPlace):
            move_to_node(WORLD, "piano")

    def test_of_a_tile_is_held_against_the_map(self) -> None:
        tile = WORLD.map.standing_tiles("Hobbs Cafe: cafe")[0]
        assert move_to_tile(WORLD, tile).tile == tile
        for nowhere in ((-1, 0), (0, 10_000), WORLD.map.tiles_of("Hobbs Cafe: cafe: stove")[0]):
            with pytest.raises(UnusableAction):
                move_to_tile(WORLD, nowhere)


class TestUse:
    def test_is_of_an_object_and_of_something_done(self) -> None:
        use = use_object(WORLD, "Hobbs Cafe: piano", doing=" playing \n the piano ", minutes=5)
        assert (use.object, use.doing) == ("Hobbs Cafe: cafe: piano", "playing the piano")
        for words, doing in (("Hobbs Cafe", "sitting"), ("Hobbs Cafe: piano", " ")):
            with pytest.raises(UnusableAction):
                use_object(WORLD, words, doing=doing, minutes=5)
