"""The first calls of README and guides run as written, and answer in the form that is shown."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.access.commands import issue_token
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lifecycle import SimulationSpec
from tests.support.serving import Service, served
from tests.support.towns import THREE, live

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GUIDES = sorted((ROOT / "docs" / "how_to").glob("*.md"))
SECTION = re.compile(r"^## First calls\n(.*?)^## ", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```(bash|json)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SEPARATOR = "\x1e"
CALLS_SECONDS = 120
BASH = shutil.which("bash") or "/bin/bash"
ADDRESS = "127.0.0.1:8000"


def blocks() -> list[tuple[str, str]]:
    """Return the blocks of the section, in order, each with its language."""
    section = SECTION.search(README.read_text("utf-8"))
    assert section is not None
    return [(kind, text) for kind, text in BLOCK.findall(section[1])]


def shown(text: str) -> Any:
    """Return a document that the README shows, without the lines that say "…"."""
    kept = "\n".join(line for line in text.splitlines() if line.strip() != "…")
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", kept))


def assert_form(expected: Any, actual: Any, where: str = "") -> None:
    """Check that all that is shown is there, of the same type; null may stand for any."""
    if isinstance(expected, dict):
        assert isinstance(actual, dict), f"{where}: {actual!r}"
        missing = expected.keys() - actual.keys()
        assert not missing, f"{where}: {missing} are shown, and not there"
        for name, value in expected.items():
            assert_form(value, actual[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert isinstance(actual, list), f"{where}: {actual!r}"
        assert actual or not expected, f"{where}: is empty"
        for value in expected:
            assert_form(value, actual[0], f"{where}[0]")
    elif expected is not None and actual is not None:
        numbers = (int, float)
        kinds = numbers if type(expected) in numbers else type(expected)
        assert isinstance(actual, kinds), f"{where}: {actual!r} is not like {expected!r}"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve what `make run` has after its first night, with the first agents of its world."""
    user = User.objects.create_user("admin")
    token = issue_token(user, "a test")
    founding = SimulationSpec(name="smallville", world="smallville", seed=1, people=THREE)
    row = lifecycle.create_simulation(wiring.ports(), founding, owner_id=user.pk)
    live(row, "2023-02-13T06:55")
    kept = tmp_path / ".smallville"
    kept.mkdir()
    (kept / "token").write_text(token)
    (kept / "simulation").write_text(str(row.pk))
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    with served(tmp_path, token) as service:
        yield service


def test_first_calls_answer_as_shown(service: Service, tmp_path: Path) -> None:
    written = blocks()
    calls = [text for kind, text in written if kind == "bash"]
    outputs = run(f"printf '{SEPARATOR}'\n".join(["", *calls]), service, tmp_path)[1:]
    assert len(outputs) == len(calls)
    compared = 0
    for (kind, text), output_of in zip(written, _running_count(written), strict=True):
        if kind == "json":
            assert_form(shown(text), json.loads(outputs[output_of]))
            compared += 1
    assert compared >= 4
    *_, created_and_run = outputs
    assert created_and_run.count('"status": "paused"') == 1
    assert created_and_run.count('"status": "running"') == 1


def test_guides_create_their_simulations(service: Service, tmp_path: Path) -> None:
    created = 0
    for guide in GUIDES:
        begin = [text for _kind, text in BLOCK.findall(guide.read_text("utf-8"))][:1]
        if not begin or "SIMULATION=" not in begin[0]:
            continue
        shows = 'curl -sS -H "Authorization: Bearer $(cat .smallville/token)" $SIMULATION\n'
        [output] = run(f"{begin[0]}printf '{SEPARATOR}'\n{shows}", service, tmp_path)[1:]
        simulation = json.loads(output)
        assert simulation["status"] in {"running", "paused"}, f"{guide.name}: {simulation}"
        created += simulation["status"] == "running"
    assert created == 3


def run(script: str, service: Service, folder: Path) -> list[str]:
    """Run a script in the folder against the service; return its output, separated."""
    ran = subprocess.run(
        [
            BASH,
            "-c",
            "set -euo pipefail\n" + script.replace(ADDRESS, f"127.0.0.1:{service.port}"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=CALLS_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split(SEPARATOR)


def _running_count(written: list[tuple[str, str]]) -> Iterator[int]:
    """Yield for each block the number of the commands before it or in it, from 0."""
    count = -1
    for kind, _text in written:
        count += kind == "bash"
        yield count
