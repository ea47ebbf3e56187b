"""Worlds that break, change or go away under the towns that were founded on them."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps import wiring
from apps.simulation.ports import constants_of
from apps.world import loading
from tests.acceptance.api.calling import Caller, problem

SMALLVILLE = Path(__file__).parents[3] / "worlds" / "smallville"
FOUNDING = {"name": "a town", "world": "copy", "seed": 7, "agents": 2}
READS_OF_THE_WORLD = ("/state", "/world", "/world/map", "/world/assets/tileset.png")


def begin_a_process() -> None:
    """Forget what a process reads once."""
    wiring.ports.cache_clear()
    constants_of.cache_clear()
    loading._loaded.cache_clear()


@pytest.fixture
def worlds(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Use a folder of worlds with a copy of Smallville."""
    shutil.copytree(SMALLVILLE, tmp_path / "copy")
    before, settings.WORLDS_ROOT = settings.WORLDS_ROOT, tmp_path
    begin_a_process()
    yield tmp_path
    settings.WORLDS_ROOT = before
    begin_a_process()


@pytest.fixture
def town(worlds: Path, isabella: Caller) -> str:
    """Return the address of a town founded on the copy."""
    made = isabella.post("/simulations", FOUNDING)
    assert made.status_code == 201, made.content
    return f"/simulations/{made.json()['id']}"


class TestChangedWorld:
    @pytest.fixture(params=["changed", "broken", "gone"])
    def change(self, request: pytest.FixtureRequest, worlds: Path, town: str) -> str:
        way: str = request.param
        if way == "gone":
            shutil.rmtree(worlds / "copy")
        else:
            file = worlds / "copy" / "world.yaml"
            text = file.read_text()
            new = text + "\nnonsense: 1\n" if way == "broken" else text.replace("town", "city")
            file.write_text(new)
        begin_a_process()
        return way

    def test_is_a_conflict_where_it_is_needed(
        self, town: str, change: str, isabella: Caller
    ) -> None:
        for path in READS_OF_THE_WORLD:
            problem(isabella.get(f"{town}{path}"), 409, "world-changed")

    def test_leaves_the_history_to_be_read(
        self, town: str, change: str, isabella: Caller
    ) -> None:
        for path in ("", "/agents", "/agents/isabella-rodriguez", "/events", "/settings"):
            assert isabella.get(f"{town}{path}").status_code == 200
        assert isabella.get("/simulations").status_code == 200
        assert isabella.delete(town).status_code == 204


class TestBrokenWorld:
    @pytest.fixture
    def broken(self, worlds: Path) -> str:
        shutil.copytree(SMALLVILLE, worlds / "ruin")
        (worlds / "ruin" / "people.yaml").write_text("people: [")
        return "ruin"

    def test_cannot_be_founded_on(self, broken: str, isabella: Caller) -> None:
        response = isabella.post("/simulations", FOUNDING | {"world": broken})
        assert "people.yaml" in problem(response, 422, "world-broken")["detail"]

    def test_is_listed_with_what_is_wrong(self, broken: str, isabella: Caller) -> None:
        worlds = {world["name"]: world for world in isabella.everything("/worlds", limit=1)}
        assert worlds["copy"]["problem"] is None
        assert "people.yaml" in worlds[broken]["problem"]
