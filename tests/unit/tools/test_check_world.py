"""`manage.py check_world`: all problems, or a summary; never a database."""

import json
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.world.loading import load_world

ROOT = Path(__file__).parents[3]
TWO_ROOMS = ROOT / "tests" / "worlds" / "two_rooms"


@pytest.fixture
def ruin(tmp_path: Path) -> Path:
    """Return a world with something wrong in each of its files."""
    folder = tmp_path / "ruin"
    shutil.copytree(TWO_ROOMS, folder)
    for file in ("world.yaml", "people.yaml"):
        with (folder / file).open("a") as text:
            text.write("\nnonsense: 1\n")
    document = json.loads((folder / "map.json").read_text())
    document["orientation"] = "isometric"
    (folder / "map.json").write_text(json.dumps(document))
    return folder


class TestCheckWorld:
    def test_sums_up_a_world_that_is_in_order(self) -> None:
        told = StringIO()
        call_command("check_world", str(TWO_ROOMS), stdout=told)
        world = load_world(TWO_ROOMS)
        summary = told.getvalue()
        assert summary.startswith(f"{world.name}: ")
        assert f"{len(world.tree.objects)} objects" in summary
        assert f"{len(world.agents)} people" in summary
        assert f"up to {world.widest_shared} tiles apart" in summary

    def test_tells_every_problem_with_its_mend(self, ruin: Path) -> None:
        told = StringIO()
        with pytest.raises(CommandError, match=r"^\d+ problems$"):
            call_command("check_world", str(ruin), stderr=told)
        lines = told.getvalue().splitlines()
        assert {line.partition(":")[0] for line in lines} == {
            "world.yaml",
            "people.yaml",
            "map.json",
        }
        for line in lines:
            file_and_element, _, mend = line.rpartition("; ")
            assert file_and_element.count(": ") >= 2
            assert mend

    def test_tells_of_files_that_are_missing(self, tmp_path: Path) -> None:
        told = StringIO()
        with pytest.raises(CommandError):
            call_command("check_world", str(tmp_path), stderr=told)
        assert "world.yaml" in told.getvalue()

    def test_refuses_what_is_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="no folder"):
            call_command("check_world", str(tmp_path / "nowhere"))

    def test_takes_the_folder_that_one_stands_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(TWO_ROOMS)
        told = StringIO()
        call_command("check_world", ".", stdout=told)
        assert told.getvalue()


class TestCommandLine:
    @pytest.mark.parametrize(("is_ruined", "status"), [(False, 0), (True, 1)])
    def test_needs_no_database(
        self, is_ruined: bool, status: int, ruin: Path, tmp_path: Path
    ) -> None:
        home = tmp_path / "home"
        ended = subprocess.run(
            [sys.executable, "manage.py", "check_world", str(ruin if is_ruined else TWO_ROOMS)],
            cwd=ROOT,
            env={"SMALLVILLE_HOME": str(home), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == status, ended.stderr
        assert "Traceback" not in ended.stderr
        assert ("people.yaml" in ended.stderr) is is_ruined
        assert not home.exists()
