"""Preparation: the seed memories of agents are formed at tick 0, whatever model rates them."""

import queue
import threading
from dataclasses import replace
from uuid import UUID

import pytest

from apps import wiring
from apps.eventlog.rebuild import check
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.llm.port import ModelUnavailable
from apps.memory.models import MemoryRow
from apps.memory.queries import list_memories
from apps.simulation import queries
from apps.simulation.commands.agents import request_agent
from apps.simulation.commands.command_log import Issuer
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import run_until_rest
from apps.simulation.engine.scheduler import SchedulerOptions, SimulationScheduler
from apps.simulation.engine.turn_claims import claim_next
from apps.simulation.models import SimulationRow, Status, TurnRow
from apps.simulation.notifications import Reason
from apps.simulation.ports import Ports
from apps.simulation.turn.preparation import (
    Preparation,
    SimulationPreparing,
    ensure_prepared,
    preparations_of,
)
from apps.worker.scheduling import Listener
from apps.worker.turns import CeleryExecutor, mark_done
from tests.support.llm_doubles import ScriptedModel
from tests.support.towns import EIGHT_THREADS, ONE_BY_ONE, found, history_of, live, with_delays

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS_MAX = 60.0
ISABELLA = "isabella-rodriguez"
ADA = {
    "age": 21,
    "traits": ["energetic"],
    "hours": {"wake": "08:00", "sleep": "24:00"},
    "home": "Oak Hill College Dorm: Ayesha Khan's room",
    "knows": ["Hobbs Cafe"],
    "description": "Ada Wong studies physics; Ada Wong likes lunch at Hobbs Cafe at noon",
}


def unavailable() -> Ports:
    """Return ports whose remote model never answers."""

    def models(spec: ModelSpec, seed: int) -> Models:
        model = ScriptedModel({"memory.importance": ModelUnavailable("no answer")}, remote=True)
        return replace(wiring.ports().open_models(spec, seed), chat=model)

    return replace(wiring.ports(), open_models=models)


def preparation(row: SimulationRow) -> Preparation:
    return preparations_of([row.pk])[row.pk]


def rest(row: SimulationRow, ports: Ports) -> SimulationRow:
    """Work on the simulation until it rests, without a run being requested."""
    run_until_rest(ports, row.pk, EIGHT_THREADS)
    row.refresh_from_db()
    return row


def scheduler_of(row: SimulationRow, ports: Ports | None = None) -> SimulationScheduler:
    """Return a scheduler whose turns wait for a worker."""
    return SimulationScheduler(
        ports or unavailable(),
        row.pk,
        executor=CeleryExecutor(row.pk, lambda: None),
        options=SchedulerOptions(ensure_lease=lambda: None),
    )


class TestRuleBasedModel:
    def test_creation_forms_the_seed_memories(self) -> None:
        row = found()
        assert preparation(row) == Preparation(agents=3, ready=3)
        assert not row.is_preparing
        assert list_memories(row.pk, ISABELLA, as_of_tick=0).filter(
            description="Isabella Rodriguez lives by herself in Isabella Rodriguez's apartment"
        )
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_an_agent_added_at_tick_0_has_them_at_once(self) -> None:
        row = found()
        request_agent(
            wiring.ports(), row.pk, name="Ada Wong", facts=ADA, issuer=Issuer(by="a test")
        )
        rest(row, wiring.ports())
        assert row.committed_tick == 0
        assert preparation(row) == Preparation(agents=4, ready=4)


class TestRemoteModel:
    def test_is_not_waited_for_by_the_creation(self) -> None:
        row = found(ports=unavailable())
        assert row.is_preparing
        assert row.pk in queries.list_due()
        assert preparation(row) == Preparation(agents=3, ready=0)
        with pytest.raises(SimulationPreparing, match="0 of 3 agents are ready"):
            ensure_prepared(row, [ISABELLA])

    def test_wakes_the_schedulers(self) -> None:
        woken: queue.Queue[tuple[UUID, Reason]] = queue.Queue()
        is_listening = threading.Event()
        listener = Listener(lambda *notified: woken.put(notified), is_listening.set)
        listener.start()
        try:
            assert is_listening.wait(SECONDS_MAX)
            row = found(ports=unavailable())
            assert woken.get(timeout=SECONDS_MAX) == (row.pk, Reason.REQUEST)
        finally:
            listener.stop()

    def test_rates_the_memories_before_a_run_is_requested(self) -> None:
        remote = with_delays(7)
        row = rest(found(ports=remote), remote)
        assert preparation(row) == Preparation(agents=3, ready=3)
        assert (row.status, row.committed_tick) == (Status.PAUSED, 0)
        assert row.pk not in queries.list_due()
        ensure_prepared(row, [ISABELLA])
        assert history_of(row.pk) == history_of(found().pk)
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_the_history_is_the_same_when_a_run_is_requested_first(self) -> None:
        remote = with_delays(7)
        row = live(found(ports=remote), "2023-02-13T00:10", EIGHT_THREADS, ports=remote)
        assert not row.is_preparing
        assert history_of(row.pk) == history_of(live(found(), "2023-02-13T00:10").pk)

    def test_a_failure_is_the_reason_of_the_pause_and_a_run_tries_again(self) -> None:
        row = rest(found(ports=unavailable()), unavailable())
        assert (row.status, row.is_preparing) == (Status.PAUSED, False)
        assert row.reason == "no answer"
        assert not MemoryRow.objects.filter(simulation_id=row.pk)
        with pytest.raises(SimulationPreparing, match=r"no answer; POST …/run"):
            ensure_prepared(row, [ISABELLA])
        live(row, "2023-02-13T00:01", ONE_BY_ONE)
        assert preparation(row) == Preparation(agents=3, ready=3)

    def test_a_pause_stops_it(self) -> None:
        row = found(ports=unavailable())
        row = lifecycle.request_pause(row.pk)
        assert row.pk not in queries.list_due()
        lifecycle.delete_simulation(wiring.ports(), row.pk)

    def test_of_a_run_that_is_paused_is_withdrawn_and_waited_for(self) -> None:
        row = found(ports=unavailable())
        lifecycle.request_run(row.pk, until_tick=60)
        scheduler = scheduler_of(row)
        assert scheduler.step(requests=True) is not None
        claim = claim_next("a worker")
        assert claim is not None
        lifecycle.request_pause(row.pk)
        assert scheduler.step(requests=True) is not None, "a turn is in work"
        assert [turn.pk for turn in TurnRow.objects.all()] == [claim.row_id]
        mark_done(claim)
        assert scheduler.step() is None
        row.refresh_from_db()
        assert (row.status, row.reason) == (Status.PAUSED, "on request")

    def test_is_waited_for_without_a_step_that_does_nothing_where_a_run_has_ended(
        self,
    ) -> None:
        remote = with_delays(7)
        row = rest(found(ports=remote), remote)
        lifecycle.request_run(row.pk, until_tick=60)
        lifecycle.request_pause(row.pk)
        row = rest(row, remote)
        assert (row.status, row.until_tick) == (Status.PAUSED, 0)
        issuer = Issuer(by="a test")
        request_agent(remote, row.pk, name="Ada Wong", facts=ADA, issuer=issuer)
        scheduler = scheduler_of(row, remote)
        assert scheduler.step(requests=True)
        assert [turn.agent for turn in TurnRow.objects.all()] == ["ada-wong"]
        assert scheduler.step()
