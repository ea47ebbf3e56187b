"""The folder SMALLVILLE_HOME and what is kept in it."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from apps.embedded_postgres.errors import DataFolderNotWritable, FolderOfAnotherUser
from apps.embedded_postgres.home import kept_secret, prepare_home, prepare_home_folder
from apps.embedded_postgres.locks import is_held, open_lock

ROOT = Path(__file__).resolve().parents[3]
FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from apps.embedded_postgres.errors import DataFolderNotWritable
from apps.embedded_postgres.home import prepare_home, kept_secret
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
for write in (prepare_home, lambda folder: kept_secret(folder / "token")):
    try:
        write(Path(sys.argv[1]))
    except (DataFolderNotWritable, OSError):
        continue
    raise SystemExit("nothing was refused")
"""


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Create files that everybody may do everything with, unless the code says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


class TestKeptSecret:
    def test_is_the_same_the_second_time(self, tmp_path: Path) -> None:
        assert kept_secret(tmp_path / "key") == kept_secret(tmp_path / "key")

    def test_is_readable_by_its_owner_only(self, tmp_path: Path) -> None:
        kept_secret(tmp_path / "key")
        assert mode_of(tmp_path / "key") == 0o600

    def test_is_one_for_all_who_ask_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(8) as pool:
            secrets = set(pool.map(lambda _: kept_secret(tmp_path / "key"), range(40)))
        assert len(secrets) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["key"]


class TestHomeAt:
    def test_makes_the_folder(self, tmp_path: Path) -> None:
        assert prepare_home(tmp_path / "a" / "b").postgres.is_dir()

    def test_refuses_a_place_that_cannot_be_written_to(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with pytest.raises(DataFolderNotWritable, match="set SMALLVILLE_HOME"):
            prepare_home(tmp_path / "file")

    def test_leaves_no_file_behind_on_a_full_disk(self, tmp_path: Path) -> None:
        prepare_home(tmp_path / "home")
        subprocess.run(
            [sys.executable, "-c", FULL_DISK, str(tmp_path / "home")], cwd=ROOT, check=True
        )
        assert [path.name for path in (tmp_path / "home").iterdir()] == ["postgres"]
        assert list((tmp_path / "home" / "postgres").iterdir()) == []


@pytest.mark.usefixtures("open_umask")
class TestAccess:
    def test_of_others_is_none_from_the_creation_on(self, tmp_path: Path) -> None:
        home = prepare_home(tmp_path / "home")
        for lock in (home.supervisor_lock, home.users_lock, home.start_lock):
            assert not is_held(lock)
            assert mode_of(lock) == 0o600
        assert mode_of(home.folder) == mode_of(home.postgres) == 0o700

    def test_that_an_earlier_release_gave_is_taken_away(self, tmp_path: Path) -> None:
        folder = tmp_path / "home"
        (folder / "postgres").mkdir(parents=True, mode=0o755)
        (folder / "logs").mkdir(mode=0o755)
        files = ["serve.lock", "beat-schedule.dat", "logs/web.log", "postgres/keeper.lock"]
        for name in files:
            (folder / name).touch(mode=0o644)
        prepare_home(folder)
        assert {mode_of(folder / name) for name in files} == {0o600}
        folders = (folder, folder / "logs", folder / "postgres")
        assert {mode_of(path) for path in folders} == {0o700}

    def test_to_a_folder_with_other_files_stays_as_it_was(self, tmp_path: Path) -> None:
        folder = tmp_path / "someone"
        folder.mkdir(mode=0o755)
        (folder / "program").touch(mode=0o755)
        for _ in range(2):
            home = prepare_home(folder)
        assert mode_of(folder) == mode_of(folder / "program") == 0o755
        assert mode_of(home.postgres) == 0o700

    def test_by_a_lock_that_is_a_link_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(OSError, match="symbolic link"):
            open_lock(tmp_path / "lock")


class TestOwner:
    def test_of_a_folder_is_looked_at(self, tmp_path: Path) -> None:
        folder = tmp_path / "home"
        folder.mkdir()
        if os.geteuid() == 0:
            os.chown(folder, 12345, 12345)
        else:
            folder = Path("/")  # root's, and not this user's
        with pytest.raises(FolderOfAnotherUser, match="SMALLVILLE_HOME"):
            prepare_home_folder(folder)

    def test_alone_may_write_to_a_folder_with_other_files(self, tmp_path: Path) -> None:
        (tmp_path / "shared").mkdir()
        (tmp_path / "shared" / "file").touch()
        (tmp_path / "shared").chmod(0o1777)
        with pytest.raises(FolderOfAnotherUser, match="new folder inside"):
            prepare_home(tmp_path / "shared")
