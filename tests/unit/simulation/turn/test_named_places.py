"""What the words of agreements mean: an area near where they were said, or of a home."""

from pathlib import Path

import pytest

from apps.simulation.turn.context.named_places import place_meant
from apps.world.loading import load_world
from apps.world.tree import WorldTree

ROOT = Path(__file__).parents[4]
HOME, COLLEGE = "Lin family's house", "Oak Hill College"


def world(folder: str) -> WorldTree:
    return load_world(ROOT / folder).tree


@pytest.mark.parametrize(
    ("words", "area"),
    [
        ("Hobbs Cafe", "Hobbs Cafe"),
        ("the dining table", f"{HOME}: common room"),
        ("Eddy's room", f"{HOME}: Eddy Lin's bedroom"),
        ("in our kitchen", f"{HOME}: kitchen"),
        ("the podium", f"{COLLEGE}: classroom"),
        ("the moon", ""),
        ("", ""),
    ],
)
def test_words_mean_the_area_at_home_first(words: str, area: str) -> None:
    tree = world("worlds/smallville")
    assert place_meant(tree, words, near=(f"{HOME}: kitchen",)) == area


def test_an_object_in_the_home_of_others_is_not_meant_by_its_name() -> None:
    tree = world("worlds/smallville")
    assert place_meant(tree, "piano", near=("Johnson Park: park",)) == ""


def test_a_compound_means_the_object_in_the_room() -> None:
    tree = world("tests/worlds/muehlbach")
    [kitchen] = [one.path for one in tree.areas if one.name == "Küche"]
    assert place_meant(tree, "am Küchentisch", near=(kitchen,)) == kitchen
