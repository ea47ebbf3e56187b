"""Partial trees and their words (W3, 5.1)."""

import pytest

from apps.world import norms as known
from apps.world.problems import UnknownPlace
from tests.support.worlds import two_rooms

TREE = two_rooms().tree
TABLE = "Mill Cottage: kitchen: table"


class TestKnown:
    def test_holds_a_path_with_what_it_lies_in(self) -> None:
        found = known.with_ancestors(TREE, [TABLE])
        assert found == {"Mill Cottage", "Mill Cottage: kitchen", TABLE}

    def test_holds_all_that_lies_in_a_named_place(self) -> None:
        found = known.with_all_below(TREE, ["Mill Cottage"])
        assert found == {node.path for node in TREE.below()}

    def test_refuses_a_path_that_is_not_in_the_tree(self) -> None:
        with pytest.raises(UnknownPlace):
            known.with_ancestors(TREE, ["Mill Cottage: attic"])

    def test_does_not_count_a_path_without_what_it_lies_in(self) -> None:
        orphan = frozenset({"Mill Cottage", TABLE})
        assert not known.is_known(TREE, orphan, TABLE)
        assert known.is_known(TREE, orphan, "Mill Cottage")
        assert known.known_children(TREE, orphan, "Mill Cottage: kitchen") == ()

    def test_shows_known_children_only(self) -> None:
        found = known.known_children(
            TREE, known.with_ancestors(TREE, [TABLE]), "Mill Cottage: kitchen"
        )
        assert [node.path for node in found] == [TABLE]
