"""What cannot be had is said in one clear sentence, with exit status 1."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from apps.console.supervision import PortUnusable, free_port
from tests.support.preloaded import run_program

OURS = ("DATABASE_URL", "SMALLVILLE_", "SECRET_KEY", "BROKER_URL", "PORT", "DJANGO_")


def manage(
    *arguments: str, home: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    changed = {"SMALLVILLE_HOME": str(home), **(environment or {})}
    return run_program(("manage.py", *arguments), inherited | changed)


# What is done in a new folder before its settings are refused.
PROGRESS = ("Creating the embedded PostgreSQL in ", "Bringing the tables of the database ")


def assert_one_sentence(ended: subprocess.CompletedProcess[str], *words: str) -> None:
    assert ended.returncode == 1
    told = [line for line in ended.stderr.splitlines() if not line.startswith(PROGRESS)]
    assert len(told) == 1, ended.stderr
    assert ended.stdout == ""
    for word in words:
        assert word in ended.stderr


class TestDatabaseUrl:
    @pytest.mark.parametrize(
        ("url", "word"),
        [
            ("postgresql://somebody:a-secret@127.0.0.1:1/town", "does not answer"),
            ("mysql://somebody:a-secret@127.0.0.1/town", "not the URL of a PostgreSQL"),
            ("nonsense", "not the URL of a PostgreSQL"),
            ("postgresql://[::1", "not the URL of a PostgreSQL"),
        ],
        ids=["nobody answers", "another database", "no URL", "broken URL"],
    )
    def test_that_is_wrong_is_refused(self, tmp_path: Path, url: str, word: str) -> None:
        for command in ("serve", "migrate"):
            ended = manage(command, home=tmp_path, environment={"DATABASE_URL": url})
            assert_one_sentence(ended, "DATABASE_URL", word)
            assert "a-secret" not in ended.stderr

    def test_that_is_given_wants_a_secret_key(self, tmp_path: Path) -> None:
        url = os.environ["DATABASE_URL"]
        ended = manage("check", home=tmp_path, environment={"DATABASE_URL": url})
        assert_one_sentence(ended, "SECRET_KEY")


class TestHome:
    def test_that_cannot_be_written_to_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way")
        for command in ("serve", "migrate"):
            ended = manage(command, home=tmp_path / "file" / "home")
            assert_one_sentence(ended, "cannot be written to", "SMALLVILLE_HOME")


class TestPort:
    def test_that_is_none_is_refused(self, tmp_path: Path) -> None:
        ended = manage("serve", home=tmp_path, environment={"PORT": "http"})
        assert_one_sentence(ended, "PORT")

    @pytest.mark.parametrize("port", ["0", "65536", "-1", ""])
    def test_out_of_range_is_refused(self, port: str) -> None:
        with pytest.raises(PortUnusable, match="from 1 to 65535"):
            free_port(port)

    def test_that_is_in_use_is_refused(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            ended = manage("serve", home=tmp_path, environment={"PORT": port})
        assert_one_sentence(ended, f"Port {port}", "in use", "PORT=")


class TestHelp:
    def test_needs_no_database(self, tmp_path: Path) -> None:
        ended = manage("help", home=tmp_path / "unmade")
        assert ended.returncode == 0
        assert not (tmp_path / "unmade").exists()
