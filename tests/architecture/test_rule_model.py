"""The rule-based model's Python is short and holds no content of a world: that is data."""

import re
from pathlib import Path

import pytest
import yaml

from apps.rule_model.content import load_content

ROOT = Path(__file__).parent.parent.parent
WORLDS = (ROOT / "worlds" / "smallville",)
SOURCES = sorted((ROOT / "apps" / "rule_model").rglob("*.py"))
LINES_MAX = 6_600
# What the plots of worlds are about; no names, but no business of the code either.
PLOTS = ("valentine", "mayor", "election", "candida")
# Words of names that are ordinary English, so that they say nothing by themselves.
ORDINARY = frozenset({"park", "hill"})


def names_of(world: Path) -> set[str]:
    """Return the names of people, of places and of objects of two words or more."""
    agents = yaml.safe_load((world / "people.yaml").read_text("utf-8"))
    places = yaml.safe_load((world / "world.yaml").read_text("utf-8"))["places"]
    things = {
        str(thing)
        for place in places.values()
        for area in place["areas"].values()
        for thing in (area if isinstance(area, list) else area.get("objects") or ())
    }
    return {*agents, *places, *(thing for thing in things if thing.count(" ") > 1)}


def given_names(world: Path) -> set[str]:
    agents = yaml.safe_load((world / "people.yaml").read_text("utf-8"))
    words = {word for name in agents for word in name.split()}
    return {word for word in words if word.lower() not in ORDINARY}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_source_names_nothing_of_a_world(source: Path) -> None:
    text = source.read_text("utf-8")
    for world in WORLDS:
        named = [name for name in names_of(world) if name.lower() in text.lower()]
        named += [name for name in given_names(world) if re.search(rf"\b{name}\b", text)]
        assert not named, f"move {sorted(named)} to worlds/{world.name}/rule_model.yaml"
    told = [word for word in PLOTS if word in text.lower()]
    assert not told, f"move what is about {told} to the world's rule_model.yaml"


def test_content_of_a_world_applies_to_its_places_alone() -> None:
    content = load_content(WORLDS)
    for world in WORLDS:
        places = yaml.safe_load((world / "world.yaml").read_text("utf-8"))["places"]
        for place in places:
            assert content.at(f"{place}: somewhere") is not content.general
    assert content.at("The Alehouse: taproom") is content.general
    told = str(
        sorted(
            path.read_text("utf-8") for path in (ROOT / "apps/rule_model/data").glob("*.yaml")
        )
    )
    assert not [word for word in PLOTS if word in told.lower()]


def test_python_of_the_rule_model_is_no_longer_than_adr_54_allows() -> None:
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in SOURCES)
    assert lines <= LINES_MAX, "move vocabulary to data, or replace a rule (ADR 54)"
