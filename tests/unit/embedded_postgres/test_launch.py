"""Which user PostgreSQL runs as."""

import os
from pathlib import Path

import pytest

from apps.embedded_postgres import launch


class TestWayToRun:
    def test_is_one_that_this_machine_allows(self, tmp_path: Path) -> None:
        way = launch.way_to_run(tmp_path / "data")
        if os.geteuid() == 0:
            assert way in {launch.NAMESPACE, f"uid:{launch.NOBODY}"}
        else:
            assert way in {launch.PLAIN, launch.NAMESPACE}


class TestClosedFolder:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        data = tmp_path / "closed" / "postgres" / "data"
        data.mkdir(parents=True)
        return data

    def test_is_the_first_on_the_way_that_others_may_not_enter(self, data: Path) -> None:
        data.parent.parent.chmod(0o700)
        assert launch.closed_folder(data, "uid:65534") == data.parent.parent

    def test_is_none_where_the_group_of_the_user_may_enter(self, data: Path) -> None:
        closed = data.parent.parent
        closed.chmod(0o710)
        group, other = closed.stat().st_gid, closed.stat().st_uid + 12345
        assert launch.may_enter(group, closed.stat())
        assert not launch.may_enter(other, closed.stat())

    @pytest.mark.parametrize("way", [launch.PLAIN, launch.NAMESPACE])
    def test_is_none_where_we_stay_who_we_are(self, data: Path, way: str) -> None:
        data.parent.parent.chmod(0o700)
        assert launch.closed_folder(data, way) is None


class TestCommandFor:
    def test_hands_the_program_over_with_its_arguments(self) -> None:
        command = launch.command_for(launch.PLAIN, [Path("/bin/echo"), "-n"], parent=7)
        assert command[-4:] == [launch.PLAIN, "7", "/bin/echo", "-n"]
