"""The vocabulary is read from files, and a world's own applies to its places alone."""

from pathlib import Path

import pytest

from apps.rule_model.content import InvalidContent, load_content
from tests.support.guides import HOW_TO, write_files

ROOT = Path(__file__).parents[3]
WORLD = "places:\n  Mill: {areas: {loft: [millstone]}}\n"


def world(folder: Path, text: str, world_text: str = WORLD) -> Path:
    home = folder / "millbrook"
    home.mkdir()
    (home / "world.yaml").write_text(world_text, "utf-8")
    (home / "rule_model.yaml").write_text(text, "utf-8")
    return home


def test_the_guides_example_is_read(tmp_path: Path) -> None:
    write_files(HOW_TO / "bring_your_own_world.md", tmp_path)
    example = (tmp_path / "worlds" / "millbrook" / "rule_model.yaml").read_text("utf-8")
    content = load_content((world(tmp_path, example),))
    here, elsewhere = content.at("Mill: loft"), content.at("Other Place")
    assert here.activity_for("grind the corn").name == "grinding corn"
    assert elsewhere.activity_for("grind the corn").name != "grinding corn"
    assert here.activity_for("have lunch") is elsewhere.activity_for("have lunch")


def test_a_world_needs_no_content(tmp_path: Path) -> None:
    content = load_content((tmp_path,))
    assert content.at("Mill: loft") is content.general


@pytest.mark.parametrize("place", ["", "Hobbs Cafe"])
def test_what_fills_free_hours_is_no_rest_after_a_meal(place: str) -> None:
    """Otherwise the meal of the next hour would be thought to be eaten."""
    kinds = load_content((ROOT / "worlds" / "smallville",)).at(place)
    fills = [row.values[0] for row in (*kinds.leisure, *kinds.outings)]
    assert len(fills) > 20
    assert [text for text in fills if kinds.activity_for(text).stage == "eaten"] == []


def test_any_activity_has_a_meaning() -> None:
    content = load_content((ROOT / "worlds" / "smallville",))
    for text in ("", "juggle clubs", "…"):
        assert content.general.activity_for(text).hours


@pytest.mark.parametrize(
    "text",
    [
        "- a list\n",
        "activities: [{name: grinding}]\n",
        "activities: [{name: grinding, cues: '(', hours: []}]\n",
        "emoji: [{words: corn}]\n",
        "activities: [{name: grinding, cue: corn, hours: []}]\n",
    ],
)
def test_an_error_names_the_file(tmp_path: Path, text: str) -> None:
    content = load_content((world(tmp_path, text), ROOT / "worlds" / "smallville"))
    with pytest.raises(InvalidContent, match=r"^millbrook/rule_model\.yaml"):
        content.at("Mill: loft")
    # It concerns its world alone.
    assert content.at("Hobbs Cafe").activity_for("serve customers").name
    assert content.at("Other Place") is content.general


def test_a_world_that_cannot_be_read_concerns_no_other(tmp_path: Path) -> None:
    content = load_content((world(tmp_path, "emoji: []\n", world_text="places: ["),))
    assert content.at("Mill: loft") is content.general
