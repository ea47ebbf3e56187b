"""A package with entry points adds a measure and an exporter that requests choose by name."""

import importlib
import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps import wiring
from apps.archives.exports import EXPORTERS
from apps.django_support.function_registry import load_plug_ins
from apps.experiments.commands import EXPERIMENTS
from apps.experiments.measure_registry import MEASURES
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow, Status
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db(transaction=True)  # leases are renewed by threads

MODULE = """
from apps.plug_ins import ExportedFile, exporter, measure

@measure("clock.minutes", description="game minutes since the beginning", unit="minutes")
def minutes(run):
    return run.constants.calendar.minutes_of(run.tick)

@exporter("name-only", description="The name of the simulation.")
def name_only(row):
    yield ExportedFile(name="name.txt", pieces=iter([row.name.encode()]))
"""


def write_package(folder: Path, name: str, text: str) -> None:
    """Write a module and what pip writes of its entry points."""
    (folder / f"{name}.py").write_text(text)
    installed = folder / f"{name}-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[smallville]\n{name} = {name}\n")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install two packages: one with a measure and an exporter, and one that takes a name."""
    assert MEASURES  # those of the service are registered before
    assert EXPORTERS
    write_package(tmp_path, "clock_plug_in", MODULE)
    write_package(tmp_path, "taken_plug_in", MODULE.replace("clock.minutes", "plans.short"))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    load_plug_ins.cache_clear()
    load_plug_ins()
    yield
    MEASURES._items.pop("clock.minutes")
    EXPORTERS._items.pop("name-only")
    for name in ("clock_plug_in", "taken_plug_in"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("installed")
class TestPlugIn:
    def test_adds_a_measure_to_those_of_experiments(self, isabella: Caller) -> None:
        listed = isabella.get("/measures?search=clock").json()["results"]
        assert listed == [
            {"name": "clock.minutes", "description": "game minutes since the beginning"}
        ]
        design = {
            "name": "clocked",
            "agents": ["Isabella Rodriguez"],
            "seeds": [1],
            "moments": [6, 12],
            "measures": ["clock", "plans.short"],
        }
        shown = isabella.post("/experiments", design).json()
        for _ in range(6):
            for experiment in EXPERIMENTS.ids():
                EXPERIMENTS.carry_out(wiring.ports(), experiment)
            for row in SimulationRow.objects.filter(
                status__in=[Status.RUNNING, Status.PAUSING]
            ):
                run_until_rest(wiring.ports(), row.pk, RunOptions())
        values = isabella.get(f"/experiments/{shown['id']}/results").json()["results"]
        assert [(one["measure"], one["tick"], one["value"]) for one in values] == [
            ("clock.minutes", 6, 1),
            ("plans.short", 6, 0),
            ("clock.minutes", 12, 2),
            ("plans.short", 12, 0),
        ]

    def test_adds_an_exporter(self, isabella: Caller) -> None:
        body = {"name": "a town", "agents": ["Isabella Rodriguez"]}
        simulation = f"/simulations/{isabella.post('/simulations', body).json()['id']}"
        listed = isabella.get("/exporters").json()["results"]
        assert [one["name"] for one in listed] == [
            "concordia-log", "inspect-scout", "name-only", "parquet", "sotopia",
        ]  # fmt: skip
        response = isabella.get(f"{simulation}/export", form="name-only")
        file = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
        assert file.read("name.txt").decode() == isabella.get(simulation).json()["name"]
        unknown = isabella.get(f"{simulation}/export", form="nameonly")
        problem(unknown, 422, "exporter-unknown")
        assert "did you mean 'name-only'?" in unknown.json()["detail"]

    def test_that_takes_a_name_is_left_out(
        self, isabella: Caller, caplog: pytest.LogCaptureFixture
    ) -> None:
        load_plug_ins.cache_clear()
        sys.modules.pop("taken_plug_in", None)
        load_plug_ins()
        assert "the plug-in taken_plug_in cannot be loaded" in caplog.text
        [short] = isabella.get("/measures?search=plans.short").json()["results"]
        assert short["description"] == "planned actions done for less than two minutes"


def test_judges_and_verifiers_of_the_service_are_listed(isabella: Caller) -> None:
    for path in ("/judges", "/verifiers"):
        assert [one["name"] for one in isabella.get(path).json()["results"]] == ["rule"]
