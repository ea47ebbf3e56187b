"""A process that is killed while a batch of its calls is at the server pays nothing twice."""

import json
from collections import Counter
from pathlib import Path

import pytest
from django.test import override_settings

from apps import wiring
from apps.kernel.request_models import read_values
from apps.llm.models import BatchRow
from apps.replays.models import ModelTrialRow, TrialAnswerRow
from apps.replays.trial_sample import TrialRequest
from apps.replays.trials import request_trial
from apps.work.rows import WorkState
from tests.model_server.server import KEY, MODEL, TOKENS_PER_ANSWER, ModelServer
from tests.support.lost import lose_process
from tests.support.processes import stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 60.0
NEVER = 1_000_000
PRICE = {"prompt": 1_000, "completion": 0}


@pytest.mark.parametrize("is_known", [True, False], ids=["waiting", "without its id"])
def test_kill_9_between_the_creation_of_a_batch_and_its_answers(
    tmp_path: Path, *, is_known: bool
) -> None:
    with ModelServer(lambda _body: "I am not sure what you mean.") as server:
        own = server.as_server(name="own", batches=True, price=PRICE)
        settings = {
            "base_url": server.url,
            "api_key": {"variable": "OWN_KEY"},
            "chat_model": MODEL,
            "price": PRICE,
            "batches": True,
            "batch_look_seconds": 0.01,
            "service_tier_share": 0.5,
        }
        file = tmp_path / "models.yaml"
        file.write_text(json.dumps({"servers": {"own": settings}}))
        with override_settings(MODEL_SERVERS={"own": own}):
            request = read_values(TrialRequest, {"model": "own", "calls_per_task": 2})
            trial = request_trial(
                wiring.ports(), simulated("2023-02-13T08:00").pk, request, by="a test"
            )
        server.batches.looks, server.batches.holds_replies = NEVER, not is_known
        with stack(tmp_path, MODELS_FILE=str(file), OWN_KEY=KEY) as processes:
            processes.start("killed", "manage.py", "carry_out", str(trial.pk))
            wait_until(
                lambda: (
                    any(one["looks"] for one in server.batches.batches.values())
                    if is_known
                    else bool(server.batches.batches)
                ),
                seconds=SECONDS_MAX,
                told=lambda: processes.log_of("killed"),
            )
            processes.kill("killed")
            [row] = BatchRow.objects.filter(work_id=trial.pk)
            assert bool(row.batch_id) == is_known
            server.batches.looks, server.batches.holds_replies = 1, False
            lose_process(ModelTrialRow.objects.filter(pk=trial.pk))
            processes.start("second", "manage.py", "carry_out", str(trial.pk))
            second = processes.running.pop("second")
            assert second.wait(SECONDS_MAX) == 0, processes.log_of("second")
    trial.refresh_from_db()
    assert trial.state == WorkState.DONE
    # One batch has the calls, the next the corrections: a repeated answer is asked no more.
    assert len(server.batches.batches) == 2
    sent = Counter(line["custom_id"] for line in server.batches.lines)
    assert len(sent) == sent.total() == 2 * trial.calls
    assert TrialAnswerRow.objects.filter(trial=trial).count() == trial.calls
    assert trial.tokens == sent.total() * TOKENS_PER_ANSWER
