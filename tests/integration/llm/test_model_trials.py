"""A trial of a model of a server: its limits, its outages, and what it has paid for."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from apps import wiring
from apps.kernel.request_models import read_values
from apps.llm.models import BatchRow
from apps.llm.prices import PriceUnknown
from apps.replays.models import ModelTrialRow, TrialAnswerRow
from apps.replays.trial_reports import lines_of_trials
from apps.replays.trial_sample import TrialRequest
from apps.replays.trials import CALLS_AT_ONCE, TRIALS, request_trial
from apps.work.rows import WorkState
from apps.worker import tasks
from tests.model_server.batches import BatchFiles
from tests.model_server.faults import Status
from tests.model_server.server import TOKENS_PER_ANSWER, ModelServer
from tests.support.snapshots import simulated

pytestmark = pytest.mark.django_db(transaction=True)

PRICE = {"prompt": 2_000, "completion": 0}  # 0.011 for a prompt of the server in its tier
FLEX = {"service_tier": "flex", "service_tier_share": 0.5}
ANSWERS_PER_CALL = 2  # one that is repeated is not asked for a third time


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Yield a server whose model understands nothing, named `own`."""
    with ModelServer(lambda _body: "I am not sure what you mean.") as running:
        own = running.as_server(name="own", price=PRICE, retries=0, **FLEX)
        free = running.as_server(name="unpriced")
        with override_settings(MODEL_SERVERS={"own": own, "unpriced": free}):
            yield running


def trial(**values: Any) -> ModelTrialRow:
    """Request a trial on a morning of three agents."""
    row = simulated("2023-02-13T08:00")
    request = read_values(TrialRequest, {"model": "own", "calls_per_task": 2} | values)
    return request_trial(wiring.ports(), row.pk, request, by="a test")


def carried_out(row: ModelTrialRow) -> ModelTrialRow:
    """Carry the trial out as a worker does, and return it as it is then."""
    assert TRIALS.carry_out(wiring.ports(), row.pk)
    return TRIALS.get(row.pk)


def test_counts_what_a_model_costs_whose_answers_are_not_valid(server: ModelServer) -> None:
    row = carried_out(trial())
    assert row.state == WorkState.DONE
    assert len(server.answered) == ANSWERS_PER_CALL * row.calls
    assert {body["service_tier"] for body in server.answered} == {"flex"}
    *_, total = lines_of_trials([row])[row.pk]
    assert (total.asked, total.fell_back, total.valid_share) == (row.calls, row.calls, 0.0)
    assert (total.compared, total.equal_share) == (0, None)
    assert row.tokens == total.other.tokens == len(server.answered) * TOKENS_PER_ANSWER
    assert row.money == total.other.cost == len(server.answered) * Decimal("0.011")
    assert total.recorded.cost == 0
    assert total.saved is not None
    assert total.saved < -row.money, "the rule-based model costs nothing, in all calls"


def test_goes_on_after_an_outage_without_asking_again(server: ModelServer) -> None:
    row = trial()
    server.answers_before = ANSWERS_PER_CALL * CALLS_AT_ONCE
    server.for_good = Status(500, "out of order")
    with pytest.raises(Exception, match="does not answer"):
        TRIALS.carry_out(wiring.ports(), row.pk)
    paused = TRIALS.get(row.pk)
    assert (paused.state, paused.problem_code) == (WorkState.PAUSED, "model-unavailable")
    assert "out of order" in paused.problem
    kept = set(TrialAnswerRow.objects.values_list("call_id", "pk"))
    assert 0 < len(kept) < row.calls
    server.for_good, paid = None, len(server.answered)
    TRIALS.resume(row.pk, by="a test")
    assert carried_out(row).state == WorkState.DONE
    assert kept < set(TrialAnswerRow.objects.values_list("call_id", "pk"))
    assert TrialAnswerRow.objects.count() == row.calls
    assert len(server.answered) - paid == ANSWERS_PER_CALL * (row.calls - len(kept))


def test_pauses_at_its_limit_of_money(server: ModelServer) -> None:
    row = carried_out(trial(money_max="0.03"))
    assert (row.state, row.problem_code) == (WorkState.PAUSED, "money-limit-reached")
    assert "the limit of 0.03 is reached" in row.problem
    assert 0 < TrialAnswerRow.objects.count() < row.calls
    TRIALS.resume(row.pk, by="a test", money_max=Decimal(100), tokens_max=None)
    assert carried_out(row).state == WorkState.DONE
    assert TrialAnswerRow.objects.count() == row.calls


def test_takes_no_limit_of_money_without_a_price(server: ModelServer) -> None:
    with pytest.raises(PriceUnknown, match="MODEL_PRICES"):
        trial(model="unpriced", money_max="1")
    row = carried_out(trial(model="unpriced", calls_per_task=1))
    *_, total = lines_of_trials([row])[row.pk]
    assert (total.other.cost, total.saved) == (None, None)


@pytest.fixture
def batches(server: ModelServer) -> Iterator[BatchFiles]:
    """Yield the batches of a server that takes them."""
    own = server.as_server(
        name="own", price=PRICE, batches=True, batch_look_seconds=0.001, service_tier_share=0.5
    )
    with override_settings(MODEL_SERVERS={"own": own}):
        yield server.batches


def test_is_cancelled_with_its_batch(batches: BatchFiles) -> None:
    batches.looks = 1_000
    row = carried_out(trial())
    assert row.state == WorkState.PENDING
    BatchRow.objects.update(look_at=timezone.now() + timedelta(minutes=1))
    assert TRIALS.ids() == [], "no worker is asked before the next look"
    tasks.drop_batches()
    assert batches.cancelled == []
    TRIALS.cancel(row.pk, by="a test")
    tasks.drop_batches()
    assert batches.cancelled == list(batches.batches) == ["batch_1"]
    assert TRIALS.get(row.pk).state == WorkState.CANCELLED
    assert not BatchRow.objects.exists()


def test_sends_no_more_in_a_batch_than_its_limit_allows(batches: BatchFiles) -> None:
    row = carried_out(trial(tokens_max=200, calls_per_task=4))
    [sent] = BatchRow.objects.all()
    assert CALLS_AT_ONCE <= len(sent.lines) < row.calls
    for _ in range(ANSWERS_PER_CALL):
        row = carried_out(row)
    assert (row.state, row.problem_code) == (WorkState.PAUSED, "token-limit-reached")
    assert 0 < TrialAnswerRow.objects.count() <= len(sent.lines)
    TRIALS.resume(row.pk, by="a test", tokens_max=10_000_000)
    while row.state != WorkState.DONE:
        row = carried_out(row)
    assert TrialAnswerRow.objects.count() == row.calls
    assert row.tokens == len(batches.lines) * TOKENS_PER_ANSWER
    assert len({line["custom_id"] for line in batches.lines}) == len(batches.lines)
