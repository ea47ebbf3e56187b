"""The Python client is a package: built twice alike, and used where nothing else is."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from tests.support.processes import ROOT
from tests.support.serving import HOST, served

PACKAGE = ROOT / "clients" / "python"
ENDS_SECONDS = 300
PROGRAM = """
import sys
from smallville import Client
with Client(*sys.argv[1:]) as client:
    town = client.create(name="a town", seed=7, agents=1)
    print(town.read().clock.time, [one.slug for one in town.agents()])
try:
    import django
except ImportError:
    print("no Django")
"""


def run(*arguments: object, folder: Path) -> str:
    """Run a program to its end; return what it prints."""
    done = subprocess.run(
        [str(one) for one in arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "1577836800"},
        capture_output=True,
        text=True,
        timeout=ENDS_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment that can build packages."""
    folder = tmp_path_factory.mktemp("tools")
    run(sys.executable, "-m", "venv", "venv", folder=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "build", folder=folder)
    return python


def built(python: Path, into: Path) -> dict[str, str]:
    """Build wheel and sdist; return the hash of each."""
    run(python, "-m", "build", "--outdir", into, PACKAGE, folder=into.parent)
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in into.iterdir()}


@pytest.mark.django_db(transaction=True)
def test_is_built_alike_and_installed_alone(tools: Path, tmp_path: Path) -> None:
    once, again = built(tools, tmp_path / "once"), built(tools, tmp_path / "again")
    assert once == again
    assert {Path(name).suffix for name in once} == {".whl", ".gz"}

    run(sys.executable, "-m", "venv", "venv", folder=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    [wheel] = (tmp_path / "once").glob("*.whl")
    run(python, "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)
    token = issue_token(User.objects.create_user("isabella"), "a test")
    (tmp_path / "logs").mkdir()
    with served(tmp_path / "logs", token) as service:
        told = run(
            python, "-c", PROGRAM, f"http://{HOST}:{service.port}", token, folder=tmp_path
        )
    assert told.splitlines()[0].startswith("2023-02-13T00:00:00 ['")
    assert told.splitlines()[1] == "no Django"
