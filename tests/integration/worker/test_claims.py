"""Workers claim turns in fairness: between users, then between simulations, then by age."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from apps.django_support.heartbeat import LAPSE_SECONDS
from apps.simulation.engine.turn_claims import claim_next, keep_claims, record_heartbeat
from apps.simulation.models import ProcessRow, SimulationRow, Status, TurnRow
from apps.worker.turns import TurnSlots

pytestmark = pytest.mark.django_db

TAKEN = TurnRow.State.TAKEN


def simulation(owner: str, *, status: Status = Status.RUNNING) -> UUID:
    user, _ = User.objects.get_or_create(username=owner)
    return SimulationRow.objects.create(
        name="a test", owner=user, world="smallville", seed=1, model={}, status=status
    ).pk


def submit(simulation_id: UUID, turns: int) -> None:
    """Submit so many turns, each of an agent of its own."""
    first = TurnRow.objects.filter(simulation_id=simulation_id).count()
    for number in range(first, first + turns):
        TurnRow.objects.create(simulation_id=simulation_id, agent=f"agent-{number:02}", tick=1)


def claimed() -> UUID | None:
    claim = claim_next("a worker")
    return None if claim is None else claim.simulation_id


class TestClaim:
    def test_takes_turns_of_simulations_in_alternation(self) -> None:
        busy, small = simulation("isabella"), simulation("isabella")
        submit(busy, 4)
        submit(small, 2)
        assert [claimed() for _ in range(6)] == [busy, small, busy, small, busy, busy]
        assert claimed() is None

    def test_takes_turns_of_users_in_alternation_however_many_simulations_each_has(
        self,
    ) -> None:
        many = [simulation("isabella") for _ in range(3)]
        one = simulation("klaus")
        for simulation_id in many:
            submit(simulation_id, 2)
        submit(one, 3)
        owners = ["klaus" if claimed() == one else "isabella" for _ in range(6)]
        assert owners == ["isabella", "klaus"] * 3

    def test_takes_the_oldest_turn_of_a_simulation_first(self) -> None:
        submit(simulation("isabella"), 3)
        claims = [claim_next("a worker") for _ in range(3)]
        assert [c.turn.agent for c in claims if c] == ["agent-00", "agent-01", "agent-02"]

    def test_counts_an_attempt_for_each_claim(self) -> None:
        submit(simulation("isabella"), 1)
        claim_next("a worker")
        row = TurnRow.objects.get()
        assert (row.state, row.worker, row.attempts) == (TAKEN, "a worker", 1)


class TestLapsedClaim:
    def test_is_taken_over(self) -> None:
        lost = simulation("isabella")
        submit(lost, 1)
        claim_next("a worker that died")
        assert claimed() is None
        lapsed = timezone.now() - timedelta(seconds=LAPSE_SECONDS + 1)
        TurnRow.objects.update(heartbeat_at=lapsed)
        assert claimed() == lost
        assert TurnRow.objects.get().worker == "a worker"

    def test_is_not_revived_by_the_worker_that_lost_it(self) -> None:
        submit(simulation("isabella"), 1)
        claim = claim_next("a worker")
        assert claim is not None
        TurnRow.objects.update(worker="another worker")
        before = TurnRow.objects.get().heartbeat_at
        keep_claims("a worker", [claim.row_id])
        assert TurnRow.objects.get().heartbeat_at == before
        keep_claims("another worker", [claim.row_id])
        assert TurnRow.objects.get().heartbeat_at > before


class TestReserve:
    def test_is_left_to_users_below_their_share_while_others_run_simulations(self) -> None:
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker", threads=16)
        slow, other = simulation("isabella"), simulation("klaus")
        submit(slow, 25)
        assert [claimed() for _ in range(12)] == [slow] * 12
        assert claimed() is None
        submit(other, 25)
        assert [claimed() for _ in range(4)] == [other] * 4

    def test_counts_a_user_whose_simulation_is_being_prepared(self) -> None:
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker", threads=16)
        simulation("isabella")
        preparing = simulation("klaus", status=Status.PAUSED)
        SimulationRow.objects.filter(pk=preparing).update(is_preparing=True)
        submit(preparing, 25)
        assert [claimed() for _ in range(12)] == [preparing] * 12
        assert claimed() is None

    def test_is_available_to_a_user_who_runs_alone(self) -> None:
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker", threads=16)
        alone = simulation("isabella")
        simulation("klaus", status=Status.PAUSED)
        submit(alone, 16)
        assert [claimed() for _ in range(16)] == [alone] * 16

    def test_leaves_one_thread_to_each_of_more_users_than_threads(self) -> None:
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker", threads=1)
        first, second = simulation("isabella"), simulation("klaus")
        submit(first, 1)
        submit(second, 1)
        assert {claimed(), claimed()} == {first, second}


@pytest.mark.django_db(transaction=True)
class TestClaimsAtOnce:
    def test_never_give_a_turn_twice_and_keep_to_the_share(self) -> None:
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker", threads=16)
        slow = simulation("isabella")
        simulation("klaus")
        submit(slow, 25)

        def claim(number: int) -> int | None:
            try:
                found = claim_next(f"thread {number}")
            finally:
                connection.close()
            return None if found is None else found.row_id

        with ThreadPoolExecutor(16) as pool:
            found = [row for row in pool.map(claim, range(25)) if row is not None]
        assert len(found) == len(set(found)) == 12


class TestSlots:
    def test_are_as_many_as_were_given(self) -> None:
        slots = TurnSlots(2)
        assert [slots.acquire() for _ in range(3)] == [True, True, False]
        assert slots.release()
        assert slots.acquire()

    def test_report_a_refused_acquire_at_the_next_release(self) -> None:
        slots = TurnSlots(1)
        assert slots.acquire()
        assert not slots.acquire()
        assert slots.release()  # a turn may have been submitted since it looked for one
        assert slots.acquire()
        assert not slots.release()
