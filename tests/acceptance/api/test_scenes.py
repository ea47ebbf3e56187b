"""The how-to's own script of the paper's scenes says why it cannot play them."""

import subprocess
import sys

import pytest

from tests.support.processes import ROOT
from tests.support.serving import HOST, Service

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = ROOT / "docs" / "how_to" / "play_the_scenes.py"
SECONDS_MAX = 60.0


def played(service: Service, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script as somebody would who has no part of this service but its address."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), f"http://{HOST}:{service.port}", *arguments],
        env={"SMALLVILLE_TOKEN": service.token, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
        text=True,
        timeout=SECONDS_MAX,
    )


class TestScenes:
    def test_end_with_a_plain_message(self, service: Service) -> None:
        refused = played(service, "--token", "sv_wrong")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith("The play is over: 401 token-invalid: ")
        # A town in which these people do not live is told apart before anything is done.
        response, founded = service.ask(
            "POST", "/api/v1/simulations", {"name": "two", "seed": 7, "agents": 2}
        )
        assert response.status == 201
        unfit = played(service, "--simulation", founded["id"])
        assert unfit.returncode == 1
        assert "the scenes need Isabella Rodriguez, John Lin, Mei Lin, Eddy Lin" in unfit.stderr
