"""What a home's server is given, and what it survives between two runs."""

import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from apps.embedded_postgres.database import ensure_database, stop_server, stop_using
from apps.embedded_postgres.home import HOST, Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    yield Home(tmp_path)
    end(tmp_path)


def end(folder: Path) -> None:
    stop_using(folder)
    stop_server(folder)


class TestProvideDatabase:
    def test_gives_a_database_that_knows_vectors_and_keeps_commits(self, home: Home) -> None:
        with psycopg.connect(ensure_database(home.folder)) as connection:
            row = connection.execute("SELECT '[3,4]'::halfvec(2) <-> '[0,0]'").fetchone()
            assert row == (5.0,)
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                assert connection.execute(f"SHOW {setting}").fetchone() == ("on",)

    def test_lets_nobody_in_without_the_password(self, home: Home) -> None:
        url = ensure_database(home.folder)
        password = home.password.read_text().strip()
        assert stat.S_IMODE(home.password.stat().st_mode) == 0o600
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(url.replace(password, "guessed"))

    def test_finds_the_rows_of_the_run_before(self, home: Home) -> None:
        with psycopg.connect(ensure_database(home.folder)) as connection:
            connection.execute("CREATE TABLE kept (value int)")
        end(home.folder)
        with psycopg.connect(ensure_database(home.folder)) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)

    def test_takes_another_port_when_its_own_is_taken(self, home: Home) -> None:
        ensure_database(home.folder)
        end(home.folder)
        port = int(home.port.read_text())
        with socket.create_server((HOST, port)):
            psycopg.connect(ensure_database(home.folder)).close()
            assert int(home.port.read_text()) != port

    def test_forgets_a_process_id_that_now_is_somebody_else(self, home: Home) -> None:
        ensure_database(home.folder)
        end(home.folder)
        (home.data / "postmaster.pid").write_text("1\n")
        psycopg.connect(ensure_database(home.folder)).close()

    def test_begins_again_where_making_the_data_folder_was_cut_short(self, home: Home) -> None:
        draft = home.postgres / "data.draft"
        draft.mkdir(parents=True)
        (draft / "half").write_text("made")
        psycopg.connect(ensure_database(home.folder)).close()
