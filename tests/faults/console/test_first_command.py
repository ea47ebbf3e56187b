"""Each kind of command can be the first in a home: it prepares the embedded database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps import wiring
from apps.archives.exporting import write_archive
from apps.embedded_postgres.database import (
    DATABASE,
    connect,
    ensure_database,
    stop_server,
    stop_using,
)
from apps.embedded_postgres.home import Home
from tests.faults.console.test_refusals import manage
from tests.support.towns import found

FIRST = {
    "simulate": ("--ticks", "1", "--agents", "1"),
    "import": ("{archive}", "--add-world"),
    "createsuperuser": ("--no-input", "--username", "ann", "--email", "ann@example.org"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a home whose server runs."""
    folder = tmp_path_factory.mktemp("home")
    ensure_database(folder)
    yield folder
    stop_using(folder)
    stop_server(folder)


@pytest.fixture
def archive(db: None, tmp_path: Path) -> Path:
    """Give an archive that another installation has written."""
    row = found(agents=("Isabella Rodriguez",))
    path = tmp_path / "archive.zip"
    path.write_bytes(b"".join(write_archive(wiring.ports(), row)))
    return path


@pytest.mark.parametrize("name", FIRST)
def test_command_prepares_an_empty_home(home: Path, archive: Path, name: str) -> None:
    with connect(Home(home), "postgres") as connection:
        connection.execute(f"DROP DATABASE {DATABASE} (FORCE)")
    arguments = [argument.format(archive=archive) for argument in FIRST[name]]
    ended = manage(name, *arguments, home=home)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.startswith("Bringing the tables of the database up to date.\n")
