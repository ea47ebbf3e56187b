"""The totals behind the counters: exact, in the transaction of what they count, never less."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import transaction
from prometheus_client import REGISTRY

from apps import wiring
from apps.eventlog.models import EventRow
from apps.eventlog.store import AlreadyWritten
from apps.llm.models import EmbeddingCallRow, ModelCallRow
from apps.metrics.models import DELETED, ModelCallTotalRow, TurnTotalRow
from apps.metrics.totals import (
    ModelCallCount,
    add_model_calls,
    add_turns,
    keep_totals_of_deleted,
    model_call_totals,
    turn_totals,
)
from apps.simulation.engine import lifecycle
from apps.simulation.engine.turn_claims import ClaimedTurn
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.models import TurnRow
from apps.simulation.turn.pipeline import take_turn
from apps.worker import turns
from tests.model_server.faults import broken, busy
from tests.support.thinking_towns import thinking_town
from tests.support.towns import ONE_BY_ONE, found, live

WAKING = 2_400  # 6:40: Isabella is up, has planned her day and acts
SERVER, MODEL, TASK = "openai", "large", "memory.importance"


def call(outcome: str = "valid", *, retries: int = 0) -> ModelCallCount:
    return ModelCallCount(
        server=SERVER,
        model=MODEL,
        task=TASK,
        outcome=outcome,
        retries=retries,
        prompt_tokens=10,
        cached_prompt_tokens=4,
        completion_tokens=3,
        cost=Decimal("0.00000025"),
    )


def total(outcome: str, *, calls: int, retries: int, cost: Decimal) -> ModelCallCount:
    """Return the total of so many calls, each with the tokens of `call`."""
    return replace(
        call(outcome),
        calls=calls,
        retries=retries,
        prompt_tokens=10 * calls,
        cached_prompt_tokens=4 * calls,
        completion_tokens=3 * calls,
        cost=cost,
    )


def recorded_turns(outcome: str = "completed") -> float:
    """Return how many turns of this process have ended in a way."""
    name = "smallville_turn_duration_seconds_count"
    return REGISTRY.get_sample_value(name, {"outcome": outcome}) or 0.0


@pytest.mark.django_db
class TestTotals:
    @pytest.fixture(autouse=True)
    def _nothing_counted(self, db: None) -> None:
        ModelCallTotalRow.objects.all().delete()
        TurnTotalRow.objects.all().delete()

    def test_add_up_calls_over_simulations(self) -> None:
        for simulation_id in (uuid4(), uuid4()):
            add_model_calls(simulation_id, [call(), call(retries=2), call("fell_back")])
            add_model_calls(simulation_id, [call(retries=1)])
        add_model_calls(uuid4(), [])
        cost = Decimal("0.00000025")
        assert list(model_call_totals()) == [
            total("fell_back", calls=2, retries=0, cost=2 * cost),
            total("valid", calls=6, retries=6, cost=6 * cost),
        ]

    def test_add_up_turns(self) -> None:
        one, other = uuid4(), uuid4()
        for simulation_id in (one, other, one):
            add_turns(simulation_id, completed=1)
        add_turns(other, failed=1)
        totals = turn_totals()
        assert (totals.completed, totals.failed, totals.deleted_ticks) == (3, 1, 0)

    def test_stay_when_simulations_are_deleted(self) -> None:
        one, other = uuid4(), uuid4()
        for simulation_id in (one, other):
            add_model_calls(simulation_id, [call(), call("repaired", retries=1)])
            add_turns(simulation_id, completed=2, failed=1)
        before = list(model_call_totals())
        for simulation_id, ticks in ((one, 100), (other, 20), (uuid4(), 3)):
            keep_totals_of_deleted(simulation_id, committed_ticks=ticks)
        assert list(model_call_totals()) == before
        totals = turn_totals()
        assert (totals.completed, totals.failed, totals.deleted_ticks) == (4, 2, 123)
        kept = ModelCallTotalRow.objects.values_list("simulation_id", flat=True)
        assert set(kept) == {DELETED}

    def test_are_undone_with_their_transaction(self) -> None:
        with transaction.atomic():
            add_turns(uuid4(), completed=1)
            add_model_calls(uuid4(), [call()])
            transaction.set_rollback(True)
        assert turn_totals().completed == 0
        assert not list(model_call_totals())


@pytest.mark.django_db(transaction=True)
class TestSimulation:
    @pytest.fixture(autouse=True)
    def _nothing_counted(self, db: None) -> None:
        ModelCallTotalRow.objects.all().delete()
        TurnTotalRow.objects.all().delete()

    def test_is_counted_turn_by_turn_and_call_by_call(self) -> None:
        recorded = recorded_turns()
        row = live(found(agents=("Isabella Rodriguez",)), "2023-02-13T07:00")
        # What stands at tick 0 was written when the simulation was created.
        written = EventRow.objects.filter(
            simulation_id=row.pk, stream="isabella-rodriguez", tick__gt=0
        )
        ticks = set(written.values_list("tick", flat=True))
        assert recorded_turns() - recorded == len(ticks)
        calls = ModelCallRow.objects.filter(simulation_id=row.pk)
        expected = Counter(calls.values_list("task", "outcome"))
        counted = {(total.task, total.outcome): total.calls for total in model_call_totals()}
        assert counted == expected
        assert len(expected) > 3
        assert turn_totals().completed == len(ticks) > 0
        before = turn_totals(), list(model_call_totals())
        lifecycle.delete_simulation(wiring.ports(), row.pk)
        after = turn_totals(), list(model_call_totals())
        assert after[1] == before[1]
        assert after[0].completed == before[0].completed
        assert after[0].deleted_ticks == row.committed_tick

    def test_is_counted_request_by_request(self) -> None:
        with thinking_town(("Isabella Rodriguez",), manner=ONE_BY_ONE) as town:
            town.live(2_000)
            town.server.goes_wrong(busy(), broken())
            town.live(WAKING)
            totals = list(model_call_totals())
            requests = len(town.server.requests)
            embeddings = EmbeddingCallRow.objects.filter(simulation_id=town.row.pk).count()
        assert sum(total.calls + total.retries for total in totals) == requests
        assert sum(total.retries for total in totals) == 2
        embedded = [total for total in totals if total.task == "embedding"]
        assert [(total.outcome, total.calls) for total in embedded] == [
            ("embedded", embeddings)
        ]
        assert all(total.prompt_tokens > 0 for total in totals)

    def test_does_not_count_a_turn_twice(self) -> None:
        row = live(found(agents=("Isabella Rodriguez",)), "2023-02-13T07:00")
        last = EventRow.objects.filter(
            simulation_id=row.pk, stream="isabella-rodriguez"
        ).latest("tick")
        before, duplicates = turn_totals(), recorded_turns("duplicate")
        calls = list(model_call_totals())
        with pytest.raises(AlreadyWritten):
            take_turn(
                wiring.ports(),
                simulation_id=row.pk,
                agent="isabella-rodriguez",
                tick=last.tick,
            )
        assert turn_totals() == before
        assert list(model_call_totals()) == calls
        assert recorded_turns("duplicate") - duplicates == 1

    def test_counts_a_failure_once(self) -> None:
        row, turn = found(agents=("Isabella Rodriguez",)), ReadyTurn(1, "isabella-rodriguez")
        taken = TurnRow.objects.create(
            simulation_id=row.pk,
            agent=turn.agent,
            tick=turn.tick,
            state=TurnRow.State.TAKEN,
            worker="one",
        )
        for worker in ("another", "one", "one"):
            claim = ClaimedTurn(taken.pk, row.pk, turn)
            turns.mark_failed(claim, RuntimeError("broken"), worker=worker)
        assert turn_totals().failed == 1
