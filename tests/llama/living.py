"""A simulation runs to its end with SmolLM2, a language model of 135 million parameters.

The model runs on two cores, and many of its answers are unusable. The service has to handle
each of them and to record the outcome. Run by `make test-llama`; `.ci/run` runs the test of the
first waking hour.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from apps.eventlog.rebuild import check
from apps.kernel.request_models import read_values
from apps.llm.calls.queries import answer_outcomes
from apps.llm.models import ModelFailureRow
from apps.llm.servers.configuration import Server
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from apps.wiring import event_store
from tests.support.towns import THREE, found, history_of, live

pytestmark = pytest.mark.django_db(transaction=True)

WAKES, AN_HOUR_LATER, NOON = "2023-02-13T06:00", "2023-02-13T07:00", "2023-02-13T12:00"
# Of one person, no two calls are open at once, and a correction starts from the kept prompt.
FRUGAL = {"answer_tokens_max": 128, "extra_body": {}}
BRIEFLY_LATER = "2023-02-13T06:05"
EIGHT = RunOptions(threads=8)
# Greedy, each prompt from its beginning: the same answer to the same question.
SMALL = {"server": "llama", "prompt_form": "short", "temperature": 0.0}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the model in a process of its own, with llama.cpp's packages."""
    python = os.environ.get("LLAMA_PYTHON", sys.executable)
    script = Path(__file__).parent / "serve.py"
    with (tmp_path_factory.mktemp("llama") / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [python, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        with process:
            assert process.stdout is not None
            told = process.stdout.readline().strip()
            assert told, "no server: is LLAMA_PYTHON the Python that has xllamacpp?"
            yield told
            process.communicate("")


@pytest.fixture
def served(address: str, request: pytest.FixtureRequest) -> Iterator[None]:
    """Name the server in the settings, with what the test changes of them."""
    values: dict[str, Any] = {
        "name": "llama",
        "preset": "llama_cpp",
        "base_url": f"{address}/v1",
        "chat_model": "smollm2",
        "calls_at_once_max": 1,
        "answer_tokens_max": 256,
        "timeout_seconds": 600,
        "deadline_seconds": 3_600,
        "extra_body": {"cache_prompt": False},
        **getattr(request, "param", {}),
    }
    with override_settings(MODEL_SERVERS={"llama": read_values(Server, values)}):
        yield


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("served", [FRUGAL], indirect=True, ids=["frugal"])
def test_one_person_lives_the_first_waking_hour(capsys: pytest.CaptureFixture[str]) -> None:
    row = live(found(agents=THREE[:1], model=SMALL), AN_HOUR_LATER)
    with capsys.disabled():
        tell(row)
    everything_is_on_record(row)


@pytest.mark.usefixtures("served")
def test_three_people_live_a_morning(capsys: pytest.CaptureFixture[str]) -> None:
    row = found(model=SMALL)
    for end in (WAKES, NOON):
        row = live(row, end, EIGHT)
    with capsys.disabled():
        tell(row)
    everything_is_on_record(row)


@pytest.mark.usefixtures("served")
def test_the_same_seed_has_the_same_log_on_one_thread_and_on_eight() -> None:
    one = live(found(model=SMALL), BRIEFLY_LATER, RunOptions(threads=1))
    eight = live(found(model=SMALL), BRIEFLY_LATER, EIGHT)
    assert answer_outcomes(one.pk)[0].calls > 2 * len(THREE)
    assert history_of(one.pk) == history_of(eight.pk)


def everything_is_on_record(row: SimulationRow) -> None:
    total, _ = answer_outcomes(row.pk)
    ended = (total.kept, total.adjusted, total.asked_again, total.fell_back)
    assert sum(ended) == total.calls > 0
    assert not ModelFailureRow.objects.filter(simulation_id=row.pk).exists()
    assert check(event_store(), row.pk).problems == ()


def tell(row: SimulationRow) -> None:
    """Print how the answers came about, by task."""
    total, lines = answer_outcomes(row.pk)
    print(f"\n{'task':28} calls  kept  repaired  asked again  fell back")
    for one in (*lines, total):
        counts = f"{one.kept:6}{one.adjusted:10}{one.asked_again:13}{one.fell_back:11}"
        print(f"{one.key:28}{one.calls:6}{counts}")
