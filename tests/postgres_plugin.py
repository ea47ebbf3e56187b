"""Give the whole test run a PostgreSQL of its own, before anything reads the settings.

TEST_DATABASE_URL names another server to use; its role must be allowed to create databases.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from apps.embedded_postgres.environment import EMBEDDED_MARK
from apps.embedded_postgres.provide import provide_database, stop_server, stop_using

_HOME = Path(tempfile.mkdtemp(prefix="smallville-tests-"))


def _prepare_environment() -> None:
    """Point the settings at a database, and away from whatever the developer has set."""
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        del os.environ[name]
    os.environ.pop("BROKER_URL", None)
    os.environ["SMALLVILLE_HOME"] = str(_HOME)
    inputs = os.environ.get("TEST_DATABASE_URL")
    if inputs:
        os.environ["DATABASE_URL"] = inputs
        os.environ["SECRET_KEY"] = "only-for-tests-" * 4
        os.environ.pop(EMBEDDED_MARK, None)
        return
    os.environ["DATABASE_URL"] = provide_database(_HOME)
    os.environ[EMBEDDED_MARK] = str(_HOME)


_prepare_environment()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """End the server and drop its folder."""
    stop_using(_HOME)
    stop_server(_HOME)
    shutil.rmtree(_HOME, ignore_errors=True)
