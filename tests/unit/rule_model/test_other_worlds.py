"""Worlds that the rules were not written for: a lighthouse of 1900, a station of 2071."""

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest

from apps.rule_model.tasks import task_rules
from tests.unit.rule_model.lives import HOUR, SAINT_BRANNOC, content, setting
from tools.world_liveability import unlived
from tools.world_rehearsal import RehearsedAction, rehearse

FOLDER = Path(__file__).parent
SKERRY_LIGHT = FOLDER / "skerry_light"
HALCYON = FOLDER / "halcyon_station"
# Smallville's things, and those of worlds that the two are not.
FOREIGN = {
    SKERRY_LIGHT: ("shower", "phone", "news", "coffee", "counter", "customer", "computer"),
    HALCYON: ("newspaper", "customer", "counter", "hearth", "psalm", "goat", "quill", "stove"),
}


@cache
def lived(folder: Path, name: str, day: int) -> tuple[RehearsedAction, ...]:
    """Return the actions of the person on the day, the first of which is 0."""
    town = setting(folder)
    on = town.first_day + timedelta(days=day)
    return tuple(rehearse(town.tree, town.agents[name], [on], task_rules(content())))


def at(folder: Path, name: str, clock: str, day: int = 0) -> list[RehearsedAction]:
    """Return the actions within a quarter of an hour of the time."""
    hour, _, minute = clock.partition(":")
    near = int(hour) * HOUR + int(minute)
    return [
        one
        for one in lived(folder, name, day)
        if one.from_minute < near + 15 and near - 15 < one.to_minute
    ]


@pytest.mark.parametrize("folder", [SKERRY_LIGHT, HALCYON], ids=lambda folder: folder.name)
def test_live_every_phrase_and_nearly_every_object(folder: Path) -> None:
    town = setting(folder)
    found = unlived(town.tree, list(town.agents.values()), town.first_day, content())
    assert [str(one) for one in found if one.file == "people.yaml"] == []
    assert len(found) <= 0.15 * len(town.tree.objects), [str(one) for one in found]


@pytest.mark.parametrize("folder", [SKERRY_LIGHT, HALCYON], ids=lambda folder: folder.name)
def test_have_nothing_of_another_world(folder: Path) -> None:
    for name in setting(folder).agents:
        for one in lived(folder, name, 0):
            told = f"{one.action.description} {one.action.object_state}".split()
            assert not [word for word in FOREIGN[folder] if word in told], told


@pytest.mark.parametrize(
    ("folder", "name", "clock", "words", "place"),
    [
        (SKERRY_LIGHT, "Angus Rae", "9:00", "lens", "The Lighthouse: lamp room: lens"),
        (SKERRY_LIGHT, "Angus Rae", "19:30", "clockwork", "lamp room: clockwork"),
        (SKERRY_LIGHT, "Morag Rae", "8:00", "hens", "The Yard: hen run: hens"),
        (SKERRY_LIGHT, "Tom Sinclair", "17:00", "ships", "watch room: telescope"),
        (HALCYON, "Ines Okafor", "6:50", "treadmill", "Habitat Ring: gym: treadmill"),
        (HALCYON, "Pavel Lindqvist", "16:00", "lettuce", "Greenhouse: growing bay"),
        (HALCYON, "Suri Tan", "10:00", "cells", "Laboratory: bench bay: microscope"),
    ],
)
def test_do_at_an_hour_what_a_phrase_says(
    folder: Path, name: str, clock: str, words: str, place: str
) -> None:
    near = at(folder, name, clock)
    assert any(words in one.action.description for one in near), near
    assert any(place in f"{one.action.area} {one.action.object}" for one in near), near


def test_keep_weekdays() -> None:
    rows = {
        (setting(SKERRY_LIGHT).first_day + timedelta(days=day)).strftime("%A")
        for day in range(7)
        if any(
            "mainland" in one.hour.description
            for one in at(SKERRY_LIGHT, "Angus Rae", "14:00", day)
        )
    }
    assert rows == {"Wednesday"}
    stows = {
        (setting(HALCYON).first_day + timedelta(days=day)).strftime("%A")
        for day in range(7)
        if any(
            "cargo net" in one.hour.description
            for one in lived(HALCYON, "Pavel Lindqvist", day)
        )
    }
    assert stows == {"Saturday"}


def test_hold_what_is_announced_for_a_date() -> None:
    hosting = at(SKERRY_LIGHT, "Morag Rae", "19:00", day=2)
    assert any("guests of the supper" in one.hour.description for one in hosting), hosting
    receiving = at(HALCYON, "Ines Okafor", "17:00", day=1)
    assert all(one.action.area.startswith("Docking Port") for one in receiving), receiving


def test_rest_from_unsaid_work_at_the_weekend() -> None:
    person = replace(setting(HALCYON).agents["Ines Okafor"], description="Ines Okafor is calm")
    tree, rules = setting(HALCYON).tree, task_rules(content())
    works = {
        day.strftime("%A")
        for day in (date(2071, 11, 12) + timedelta(days=number) for number in range(7))
        for one in rehearse(tree, person, [day], rules)
        if "work of the day" in one.hour.description
    }
    assert works == {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}


def test_walk_in_the_garden_of_an_evening_in_summer_only() -> None:
    priory = setting(SAINT_BRANNOC)
    person = replace(priory.agents["Edmund Hale"], description="Edmund Hale is a novice")
    walks = {
        month: [
            one.from_minute
            for one in rehearse(
                priory.tree,
                person,
                [date(1147, month, 1) + timedelta(days=number) for number in range(28)],
                task_rules(content()),
            )
            if "take a walk" in one.hour.description
        ]
        for month in (6, 12)
    }
    evening = 17 * HOUR
    assert max(walks[6]) >= evening
    assert max(walks[12], default=0) < evening
