"""The world of the guide, made from the guide's own text, is one that loads."""

import re
from pathlib import Path

from apps.world.loading import load_world
from worlds.drawing.__main__ import main

GUIDE = Path(__file__).parents[3] / "docs" / "how_to" / "bring_your_own_world.md"
FILE = re.compile(r"^```yaml (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class TestGuide:
    def test_describes_a_world_that_can_be_drawn_and_loaded(self, tmp_path: Path) -> None:
        folder = tmp_path / "millbrook"
        (folder / "plans").mkdir(parents=True)
        for name, text in FILE.findall(GUIDE.read_text("utf-8")):
            (folder / name).write_text(text, "utf-8")
        main([str(folder)])
        world = load_world(folder)
        assert [person.name for person in world.people] == ["Ada Finch", "Ben Marsh"]
        assert world.tree.node("The Bakery: shop: oven").idle_state == "cold"
        assert world.tree.node("Mill Cottage: bathroom").norms.holds == 1
