"""The folder SMALLVILLE_HOME and what is kept in it."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from apps.embedded_postgres.errors import DataFolderNotWritable
from apps.embedded_postgres.home import home_at, kept_secret


class TestKeptSecret:
    def test_is_the_same_the_second_time(self, tmp_path: Path) -> None:
        assert kept_secret(tmp_path / "key") == kept_secret(tmp_path / "key")

    def test_is_readable_by_its_owner_only(self, tmp_path: Path) -> None:
        kept_secret(tmp_path / "key")
        assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600

    def test_is_one_for_all_who_ask_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(8) as pool:
            secrets = set(pool.map(lambda _: kept_secret(tmp_path / "key"), range(40)))
        assert len(secrets) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["key"]


class TestHomeAt:
    def test_makes_the_folder(self, tmp_path: Path) -> None:
        assert home_at(tmp_path / "a" / "b").postgres.is_dir()

    def test_refuses_a_place_that_cannot_be_written_to(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with pytest.raises(DataFolderNotWritable, match="set SMALLVILLE_HOME"):
            home_at(tmp_path / "file")
