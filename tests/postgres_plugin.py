"""Starts a PostgreSQL for each test process, before anything reads the settings.

Its files lie in memory where there is enough of it: a commit then does not wait for a disk, and
a killed server still loses nothing. TESTS_FOLDER is the home of the process that distributes
the tests, where those that run them share files. TEST_DATABASE_URL names another server to use;
its role must be allowed to create databases.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from apps.embedded_postgres.database import ensure_database, stop_server, stop_using
from apps.embedded_postgres.environment import EMBEDDED_MARK

MEMORY = Path("/dev/shm")  # noqa: S108
MEMORY_BYTES_MIN = 4 * 2**30
"""Free space below which the files of the server are kept on a disk."""

NO_DATABASE = "postgresql://127.0.0.1:1/none"


def _parent_of_home() -> Path | None:
    """Return the file system in memory if it has room, None for the usual temporary folder."""
    is_usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    if is_usable and shutil.disk_usage(MEMORY).free >= MEMORY_BYTES_MIN:
        return MEMORY
    return None


def _only_distributes() -> bool:
    """Say whether this process runs no test itself: `-n` or `--numprocesses` names others."""
    names_processes = any(
        argument.startswith(("-n", "--numprocesses")) for argument in sys.argv[1:]
    )
    return names_processes and "PYTEST_XDIST_WORKER" not in os.environ


_HOME = Path(tempfile.mkdtemp(prefix="smallville-tests-", dir=_parent_of_home()))


def _prepare_environment() -> None:
    """Point the settings at a database, and away from whatever the developer has set."""
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        del os.environ[name]
    os.environ.pop("BROKER_URL", None)
    os.environ["SMALLVILLE_HOME"] = str(_HOME)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ["TESTS_FOLDER"] = str(_HOME)
    url = NO_DATABASE if _only_distributes() else os.environ.get("TEST_DATABASE_URL")
    if url:
        os.environ["DATABASE_URL"] = url
        os.environ["SECRET_KEY"] = "only-for-tests-" * 4
        os.environ.pop(EMBEDDED_MARK, None)
        return
    os.environ["DATABASE_URL"] = ensure_database(_HOME)
    os.environ[EMBEDDED_MARK] = str(_HOME)


_prepare_environment()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """End the server and drop its folder."""
    stop_using(_HOME)
    stop_server(_HOME)
    shutil.rmtree(_HOME, ignore_errors=True)
