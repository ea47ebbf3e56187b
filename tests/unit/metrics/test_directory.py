"""The directory that processes share: private, of one owner, removed after it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apps.metrics.directory import VARIABLE, remove_shared_metrics, share_metrics


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the directories are made, and leave the environment as it was."""
    monkeypatch.setenv(VARIABLE, "")
    return tmp_path


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


class TestSharing:
    def test_makes_a_private_directory_that_siblings_find(self, base: Path) -> None:
        share_metrics(os.getpid(), base=base)
        [made] = base.iterdir()
        assert os.environ[VARIABLE] == str(made)
        assert made.stat().st_mode & 0o777 == 0o700
        os.environ[VARIABLE] = ""
        share_metrics(os.getpid(), base=base)
        assert os.environ[VARIABLE] == str(made)
        remove_shared_metrics(os.getpid(), base=base)
        assert not list(base.iterdir())

    def test_leaves_a_directory_that_is_named(
        self, base: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(VARIABLE, "/somewhere")
        share_metrics(os.getpid(), base=base)
        assert os.environ[VARIABLE] == "/somewhere"
        assert not list(base.iterdir())

    def test_ends_with_a_hint_if_nothing_can_be_written_where_it_is_named(
        self, base: Path
    ) -> None:
        ended = subprocess.run(
            [sys.executable, "-c", "import apps.metrics.instruments"],
            env={**os.environ, VARIABLE: "/dev/null/metrics"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 1
        [line] = ended.stderr.splitlines()
        assert line.startswith(f"{VARIABLE} names /dev/null/metrics, where no metrics can")
        assert line.endswith("or unset it.")

    def test_removes_directories_of_owners_that_have_ended(self, base: Path) -> None:
        abandoned = base / f"smallville-metrics-{os.getuid()}-{ended_process()}-17"
        earlier = base / f"smallville-metrics-{os.getuid()}-{os.getpid()}-17"
        other = base / "something-else"
        for made in (abandoned, earlier, other):
            made.mkdir()
        share_metrics(os.getpid(), base=base)
        assert not abandoned.exists()
        assert not earlier.exists()
        assert other.exists()

    def test_does_not_use_a_directory_that_others_may_write_to(
        self, base: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        share_metrics(os.getpid(), base=base)
        made = Path(os.environ[VARIABLE])
        made.chmod(0o777)
        os.environ[VARIABLE] = ""
        share_metrics(os.getpid(), base=base)
        assert not os.environ[VARIABLE]
        assert str(made) in caplog.text

    def test_does_not_follow_a_link(
        self, base: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        share_metrics(os.getpid(), base=base)
        made = Path(os.environ[VARIABLE])
        made.rmdir()
        made.symlink_to(tmp_path_factory.mktemp("elsewhere"))
        os.environ[VARIABLE] = ""
        share_metrics(os.getpid(), base=base)
        assert not os.environ[VARIABLE]
