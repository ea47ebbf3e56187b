"""The world of the guide, made from the guide's own text, is one that loads."""

from pathlib import Path

from apps.world.loading import load_world
from tests.support.guides import HOW_TO, write_files
from worlds.drawing.__main__ import main


class TestGuide:
    def test_describes_a_world_that_can_be_drawn_and_loaded(self, tmp_path: Path) -> None:
        write_files(HOW_TO / "bring_your_own_world.md", tmp_path)
        folder = tmp_path / "worlds" / "millbrook"
        main([str(folder)])
        world = load_world(folder)
        assert [person.name for person in world.agents] == ["Ada Finch", "Ben Marsh"]
        assert world.tree.node("The Bakery: shop: oven").idle_state == "cold"
        assert world.tree.node("Mill Cottage: bathroom").norms.holds == 1
