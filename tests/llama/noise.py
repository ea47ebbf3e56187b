"""Three people live two waking hours by a model of noise, served by llama.cpp: nothing stops.

Its words mean nothing, its JSON is held to the schema by a grammar: whatever a real model may
say, the town has to take. Run by `make test-llama`; no part of `make test`.
"""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from apps import wiring
from apps.eventlog.rebuild import check
from apps.kernel.request_models import read_values
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.models import ModelCallRow, ModelFailureRow
from apps.llm.servers.configuration import Server
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from tests.support.towns import THREE, live

pytestmark = pytest.mark.django_db(transaction=True)

TWO_HOURS = ("2023-02-13T06:00", "2023-02-13T08:00")
FOUR_THREADS = RunOptions(threads=4)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve the noise in a process of its own, with llama.cpp's packages."""
    python = os.environ.get("LLAMA_PYTHON", sys.executable)
    script = Path(__file__).parent / "serve.py"
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [python, str(script), str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        with process:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
            process.communicate("")


@pytest.mark.parametrize("schema", ["json_schema", "prompt"])
def test_a_town_lives_by_noise(
    address: str, schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert address, "the server did not start: is LLAMA_PYTHON the Python that has xllamacpp?"
    values = {
        "name": "llama",
        "base_url": f"{address}/v1",
        "chat_model": "noise",
        "schema": schema,
        "calls_at_once_max": 4,
        "answer_tokens_max": 256,
    }
    with override_settings(MODEL_SERVERS={"llama": read_values(Server, values)}):
        founding = SimulationSpec(
            name="noise", world="smallville", seed=7, agents=THREE, model="llama"
        )
        row = lifecycle.create_simulation(wiring.ports(), founding)
        for end in TWO_HOURS:
            row = live(row, end, FOUR_THREADS)
    with capsys.disabled():
        tell(row, schema)
    assert ModelFailureRow.objects.filter(simulation_id=row.pk).count() == 0
    assert check(wiring.event_store(), row.pk).problems == ()
    assert ModelCallRow.objects.filter(simulation_id=row.pk).count() > len(THREE)


def tell(row: SimulationRow, schema: str) -> None:
    """Print how the answers came about, by task."""
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    calls = ModelCallRow.objects.filter(simulation_id=row.pk)
    for task, outcome in calls.values_list("task", "outcome"):
        outcomes[task][outcome] += 1
        outcomes["together"][outcome] += 1
    print(f"\n\nschema by {schema}: {calls.count()} calls until tick {row.committed_tick}")
    print(f"{'task':36} {'calls':>6}" + "".join(f"{name:>12}" for name in AnswerOutcome))
    for task in sorted(outcomes, key=lambda name: (name == "together", name)):
        counts = outcomes[task]
        whole = counts.total()
        shares = "".join(f"{100 * counts[name] / whole:>10.0f} %" for name in AnswerOutcome)
        print(f"{task:36} {whole:>6}{shares}")
