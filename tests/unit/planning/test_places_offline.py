"""Where the stand-in does things: own furniture, and what serves instead."""

import pytest

from apps.planning.chains.object_choice import ActionsWithAreas, PlacedAction
from apps.planning.offers import OfferedArea
from apps.rule_model.model import Chance
from apps.rule_model.planning.places import object_choices

BEDROOM = OfferedArea(
    path="Mill Cottage: bedroom", objects=("Ada's bed", "Ben's bed", "desk", "bookshelf")
)
CHANCE = Chance(seed=7, chain="planning.object_choice", call_id="1/ada-finch/x/0")


def used(name: str, action: str, area: OfferedArea = BEDROOM) -> str:
    given = ActionsWithAreas(
        agent_name=name, actions=(PlacedAction(action, area.path),), areas=(area,)
    )
    return object_choices(given, CHANCE).choices[0].object


class TestOwnFurniture:
    @pytest.mark.parametrize(
        ("name", "bed"), [("Ada Finch", "Ada's bed"), ("Ben Marsh", "Ben's bed")]
    )
    def test_is_used_by_its_owner(self, name: str, bed: str) -> None:
        assert used(name, "reading a few pages in bed") == bed
        assert used(name, "making the bed") == bed

    def test_is_left_alone_by_others(self) -> None:
        assert used("Cleo Reed", "making the bed") == "none"

    def test_is_not_needed_for_what_has_no_owner(self) -> None:
        assert used("Ada Finch", "writing a letter at the desk") == "desk"


class TestEating:
    @pytest.mark.parametrize(
        ("objects", "seat"),
        [
            (("counter", "bench", "oven"), "bench"),
            (("bed", "desk with a computer", "stove"), "desk with a computer"),
            (("bed", "desk", "table"), "table"),
        ],
    )
    def test_is_done_where_one_sits(self, objects: tuple[str, ...], seat: str) -> None:
        area = OfferedArea(path="The Bakery: shop", objects=objects)
        assert used("Ada Finch", "eating the meal", area) == seat
