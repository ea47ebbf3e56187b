"""The tree and its words, both ways (W1, W2, 5.1)."""

import pytest

from apps.world.problems import AmbiguousPlace, UnknownPlace
from apps.world.tree import Node, NodeKind, Norms, WorldTree, path_of


def a_tree() -> WorldTree:
    """Return a street of two homes and a mill."""
    isabella = Norms(residents=("Isabella Rodriguez",))
    nodes = [
        Node(path="", name="Smallville", kind=NodeKind.TOWN, parent=None),
        _node("", "Isabella Rodriguez's apartment", NodeKind.PLACE, isabella),
        _node("Isabella Rodriguez's apartment", "kitchen", NodeKind.AREA),
        _node("Isabella Rodriguez's apartment: kitchen", "stove", NodeKind.OBJECT),
        _node("Isabella Rodriguez's apartment: kitchen", "oven gloves", NodeKind.OBJECT),
        _node("", "The Rose and Crown Pub", NodeKind.PLACE),
        _node("The Rose and Crown Pub", "pub", NodeKind.AREA),
        _node("The Rose and Crown Pub: pub", "behind the bar counter", NodeKind.OBJECT),
        _node("The Rose and Crown Pub: pub", "customer seating", NodeKind.OBJECT),
        _node("The Rose and Crown Pub: pub", "stove", NodeKind.OBJECT),
        _node("", "mill", NodeKind.PLACE),
        _node("mill", "Anna's room", NodeKind.AREA),
        _node("mill: Anna's room", "easel", NodeKind.OBJECT),
    ]
    return WorldTree(nodes)


def _node(parent: str, name: str, kind: NodeKind, norms: Norms | None = None) -> Node:
    path = path_of(parent, name)
    return Node(path=path, name=name, kind=kind, parent=parent, norms=norms or Norms())


STOVE = "Isabella Rodriguez's apartment: kitchen: stove"


class TestWorldTree:
    def test_lists_children_and_all_that_lies_below(self) -> None:
        tree = a_tree()
        kitchen = "Isabella Rodriguez's apartment: kitchen"
        assert [node.name for node in tree.children(kitchen)] == ["stove", "oven gloves"]
        assert [node.kind for node in tree.below("mill")] == [NodeKind.AREA, NodeKind.OBJECT]
        assert len(tree.below()) == len(tree.nodes) - 1

    def test_knows_place_and_area_of_any_node(self) -> None:
        tree = a_tree()
        assert tree.place_of(STOVE) == "Isabella Rodriguez's apartment"
        assert tree.area_of(STOVE) == "Isabella Rodriguez's apartment: kitchen"
        assert [node.name for node in tree.ancestors(STOVE)] == [
            "Isabella Rodriguez's apartment",
            "kitchen",
        ]
        assert (tree.place_of(""), tree.area_of("mill")) == ("", "")

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            (STOVE, "the stove in the kitchen of Isabella Rodriguez's apartment"),
            (
                "The Rose and Crown Pub: pub: behind the bar counter",
                "the place behind the bar counter in the pub of The Rose and Crown Pub",
            ),
            ("mill: Anna's room: easel", "the easel in Anna's room in the mill"),
            ("The Rose and Crown Pub: pub", "the pub of The Rose and Crown Pub"),
            ("mill", "the mill"),
        ],
    )
    def test_says_a_node_as_a_noun(self, path: str, words: str) -> None:
        assert a_tree().words(path) == words


class TestResolve:
    def test_finds_every_node_by_its_own_path(self) -> None:
        tree = a_tree()
        for node in tree.below():
            assert tree.resolve(node.path) == node

    @pytest.mark.parametrize(
        "words",
        [
            "Isabella's apartment: kitchen: stove",
            "<Isabella's apartment: kitchen: stove>",
            "isabella\u2019s  APARTMENT : stove",
            "kitchen: stove",
            "the kitchen: the stove",
        ],
    )
    def test_takes_any_unique_alias(self, words: str) -> None:
        assert a_tree().resolve(words).path == STOVE

    def test_drops_the_article_of_a_name(self) -> None:
        assert a_tree().resolve("rose and crown pub").kind is NodeKind.PLACE

    def test_finds_every_node_by_the_noun_that_prompts_print(self) -> None:
        tree = a_tree()
        for node in tree.nodes[1:]:
            assert tree.resolve(tree.words(node.path)) == node

    def test_refuses_an_ambiguous_name_with_its_candidates(self) -> None:
        with pytest.raises(AmbiguousPlace, match="say more of the path") as refused:
            a_tree().resolve("stove")
        assert refused.value.candidates == (STOVE, "The Rose and Crown Pub: pub: stove")

    def test_refuses_an_unknown_name_with_what_comes_near(self) -> None:
        with pytest.raises(UnknownPlace, match="did you mean") as refused:
            a_tree().resolve("Rose and Crwon Pub")
        assert refused.value.near[0] == "The Rose and Crown Pub"

    @pytest.mark.parametrize("words", ["", "<>", ":", "kitchen: mill", "x" * 100_000])
    def test_refuses_words_that_mean_nothing(self, words: str) -> None:
        with pytest.raises(UnknownPlace):
            a_tree().resolve(words)
