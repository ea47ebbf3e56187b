"""The paper's scenes, played by the how-to's own script against a served town (U1 to U4)."""

import re
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

SCRIPT = ROOT / "docs" / "how_to" / "play_the_scenes.py"
SECONDS_MAX = 240.0
SCENES = [
    "A burning stove",
    "A reporter's question",
    "An inner voice",
    "Why did he say that?",
    "A visitor at Hobbs Cafe",
    "The visitor comes back",
]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve on the test's own database."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(tmp_path, token) as service:
        yield service


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
    def test_are_played_and_told(self, service: Service) -> None:
        service.processes.start_worker("worker")
        service.processes.start_scheduler()
        play = played(service)
        assert play.returncode == 0, play.stderr + play.stdout
        stove, reporter, voice, why, visitor, again = scenes_of(play.stdout)

        # Until nine the seed decides every word.
        assert "06:34:40 she decides to turn off the stove and make breakfast anew" in stove
        assert in_order(stove, "turning off the stove", "making breakfast anew")
        assert "plan + 06:34:40 turn off the stove and make breakfast anew" in stove
        assert "john-lin: I don't know. I would like to know that myself." in reporter
        assert "I'm John Lin, 45 years old." in reporter
        assert "reflection: John Lin is going to run for mayor" in voice
        assert "plan - 07:15 check the news in the common room of his house" in voice
        assert "plan + 07:15 run for mayor in the upcoming election" in voice
        assert in_order(
            voice,
            "07:02:30 mei-lin and john-lin talk:",
            "You know what, I'm going to run for mayor in the upcoming election.",
            "mei-lin: Really? That sounds good.",
            "Asked again at 09:00:",
            "john-lin: I'm going to run for mayor in the upcoming election.",
        )
        # From the words to the memory, its score, the voice, and the very prompt.
        assert "(2536/john-lin/1)" in why
        assert re.search(r"reflection \d+: John Lin is going to run for mayor", why)
        assert re.search(r"score 2\.316 = recency .+, importance .+, relevance .+", why)
        assert "2461/commands/0: simulation.inner-voice-given.v1" in why
        assert re.search(
            r"prompt: \d+\. Mon 13 Feb 6:50 am: John Lin is going to run for mayor", why
        )

        # From here on it depends on when the visitor speaks.
        assert in_order(
            visitor,
            "ada-finch: Good morning! I am Ada.",
            "isabella-rodriguez: ",
            "ada-finch: What are you doing today?",
            "isabella-rodriguez: ",
            "ada-finch: Thank you",
            "Ada is gone.",
        )
        answer = re.search(r"Whom have you met today\?\n  isabella-rodriguez: (.+)", visitor)
        assert answer is not None
        assert "Ada Finch" in answer[1]
        assert re.search(r"dialogue \d: Ada Finch told Isabella Rodriguez", visitor)
        assert in_order(again, "ada-finch: Hello again", "isabella-rodriguez: ", "in mind")
        assert "Isabella Rodriguez and Ada Finch talked about" in again

    def test_end_with_a_plain_message(self, service: Service) -> None:
        refused = played(service, "--token", "sv_wrong")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith("The play is over: 401 token-invalid: ")
        # A town in which these people do not live is told apart before anything is done.
        response, founded = service.ask(
            "POST", "/api/v1/simulations", {"name": "two", "seed": 7, "people": 2}
        )
        assert response.status == 201
        unfit = played(service, "--simulation", founded["id"])
        assert unfit.returncode == 1
        assert "the scenes need Isabella Rodriguez, John Lin, Mei Lin, Eddy Lin" in unfit.stderr


def scenes_of(told: str) -> list[str]:
    """Return what is told of each scene."""
    starts = [told.index(f"\n{scene}") for scene in SCENES]
    return [
        told[start:end] for start, end in zip(starts, [*starts[1:], len(told)], strict=True)
    ]


def in_order(told: str, *words: str) -> bool:
    """Return whether the words are told one after the other."""
    return re.search(".*?".join(map(re.escape, words)), told, re.DOTALL) is not None
