"""The embedded PostgreSQL's processes are killed, and what was committed is there."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from apps.embedded_postgres.database import (
    ROOT,
    ensure_database,
    ensure_running,
    stop_server,
    stop_using,
    supervisor_process,
)
from apps.embedded_postgres.home import Home
from apps.embedded_postgres.locks import is_held
from apps.embedded_postgres.server import postmaster_lines, serves

PATIENCE_SECONDS = 30.0
IDLE_SECONDS = 0.5
StartUser = Callable[[], subprocess.Popen[str]]
USER = """
import sys
from pathlib import Path
from apps.embedded_postgres.database import ensure_database
print(ensure_database(Path(sys.argv[1]), idle_seconds=0.5), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    yield Home(tmp_path)
    stop_using(tmp_path)
    stop_server(tmp_path)


def until(is_so: Callable[[], bool]) -> None:
    """Wait, with bounded patience, until something that other processes do has happened."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "patience is at its end"
        time.sleep(0.01)


def postmaster(home: Home) -> int:
    lines = postmaster_lines(home.data)
    return int(lines[0]) if lines else 0


def wait_for_another_postmaster(home: Home, killed: int) -> None:
    until(lambda: postmaster(home) not in {0, killed})


def commit_numbers(url: str, count: int) -> None:
    """Commit one row a transaction."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS number (value int PRIMARY KEY)")
        for value in range(count):
            connection.execute("INSERT INTO number VALUES (%s)", [value])


def count_numbers(home: Home) -> int:
    url = ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM number").fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture
def start_user(home: Home) -> Iterator[StartUser]:
    """Start another process that uses the server until its standard input ends."""
    with ExitStack() as started:

        def start() -> subprocess.Popen[str]:
            user = started.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", USER, str(home.folder)],
                    cwd=ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            started.callback(user.kill)
            return user

        yield start


def url_told_by(user: subprocess.Popen[str]) -> str:
    assert user.stdout is not None
    return user.stdout.readline().strip()


class TestPostmasterKilled:
    def test_every_committed_row_is_there_afterwards(self, home: Home) -> None:
        url = ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
        commit_numbers(url, 500)
        killed = postmaster(home)
        os.kill(killed, signal.SIGKILL)
        wait_for_another_postmaster(home, killed)
        assert count_numbers(home) == 500

    def test_it_comes_back_at_the_same_place(self, home: Home) -> None:
        url = ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
        for _ in range(3):
            killed = postmaster(home)
            os.kill(killed, signal.SIGKILL)
            wait_for_another_postmaster(home, killed)
            assert ensure_database(home.folder) == url


class TestSupervisorKilled:
    def test_the_server_does_not_outlive_it(self, home: Home) -> None:
        ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
        orphan = postmaster(home)
        os.kill(supervisor_process(home), signal.SIGKILL)
        until(lambda: not serves(orphan, home.data))

    def test_a_user_brings_it_back_with_all_rows_at_the_same_place(self, home: Home) -> None:
        url = ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
        commit_numbers(url, 100)
        os.kill(supervisor_process(home), signal.SIGKILL)
        until(lambda: not is_held(home.supervisor_lock))
        assert ensure_running(home.folder, idle_seconds=IDLE_SECONDS) == url
        assert count_numbers(home) == 100

    def test_both_killed_at_once_lose_nothing(self, home: Home) -> None:
        url = ensure_database(home.folder, idle_seconds=IDLE_SECONDS)
        commit_numbers(url, 100)
        os.kill(supervisor_process(home), signal.SIGKILL)
        os.kill(postmaster(home), signal.SIGKILL)
        until(lambda: not is_held(home.supervisor_lock))
        assert count_numbers(home) == 100


class TestUsers:
    def test_that_start_together_share_one_server(
        self, home: Home, start_user: StartUser
    ) -> None:
        users = [start_user() for _ in range(4)]
        urls = {url_told_by(user) for user in users}
        assert len(urls) == 1
        supervisor = supervisor_process(home)
        for user in users[1:]:
            user.communicate()
        with psycopg.connect(urls.pop()) as connection:
            connection.execute("SELECT 1")
        assert supervisor_process(home) == supervisor
        users[0].communicate()
        until(lambda: not is_held(home.supervisor_lock))
        assert postmaster(home) == 0

    def test_that_are_killed_count_no_longer(self, home: Home, start_user: StartUser) -> None:
        user = start_user()
        assert url_told_by(user)
        server = postmaster(home)
        user.kill()
        user.communicate()
        until(lambda: not is_held(home.supervisor_lock))
        assert not serves(server, home.data)

    def test_who_comes_while_the_server_ends_gets_a_new_one(self, home: Home) -> None:
        for _ in range(3):
            url = ensure_database(home.folder, idle_seconds=0.0)
            stop_using(home.folder)
            with psycopg.connect(ensure_database(home.folder), connect_timeout=60) as there:
                there.execute("SELECT 1")
            assert url.startswith("postgresql://")
            stop_using(home.folder)
            stop_server(home.folder)
