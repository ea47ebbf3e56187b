"""The question of the how-to, asked by its own script of a served simulation (V4)."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from tests.support.processes import ROOT
from tests.support.serving import HOST, Service, served

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = ROOT / "docs" / "how_to" / "what_if.py"
SECONDS_MAX = 300.0
SHORTENED = (
    "--agents", "Isabella Rodriguez", "Maria Lopez", "Wolfgang Schulz",
    "--at", "2023-02-13T07:00:00", "--until", "2023-02-13T09:00:00",
)  # fmt: skip


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve on the test's own database."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(tmp_path, token) as service:
        yield service


def test_the_script_tells_who_differs_and_why(service: Service) -> None:
    service.processes.start_worker("worker")
    service.processes.start_scheduler()
    service.processes.start_beat()
    asked = subprocess.run(
        [sys.executable, str(SCRIPT), f"http://{HOST}:{service.port}", *SHORTENED],
        env={"SMALLVILLE_TOKEN": service.token, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
        text=True,
        timeout=SECONDS_MAX,
    )
    assert asked.returncode == 0, asked.stderr + asked.stdout
    told = asked.stdout
    assert "isabella-rodriguez can be reached from 2023-02-13 07:00:10 on" in told
    assert "the same until 2023-02-13 07:00:00" in told
    # The chain of each agent ends at the voice.
    assert "nothing / simulation.inner-voice-given.v1" in told
    assert "plan + " in told
