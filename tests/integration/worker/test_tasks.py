"""The task that executes turns: it leaves threads to other tasks, and records what failed."""

from uuid import UUID

import pytest
from django.conf import settings

from apps.simulation.models import SimulationRow, TurnRow
from apps.worker import tasks
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

WAKING_TICK = 2_160
"""At 06:00: a turn in which the agent certainly does something."""


def submit(simulation_id: UUID, agent: str) -> TurnRow:
    return TurnRow.objects.create(simulation_id=simulation_id, agent=agent, tick=WAKING_TICK)


class TestExecuteTurns:
    def test_holds_no_thread_while_the_process_executes_as_many_turns_as_it_may(self) -> None:
        assert settings.CELERY_WORKER_CONCURRENCY > settings.WORKER_THREADS
        turn = submit(found(agents=("Isabella Rodriguez",)).pk, "isabella-rodriguez")
        occupied = [tasks._slots.acquire() for _ in range(settings.WORKER_THREADS)]
        try:
            assert all(occupied)
            tasks.execute_turns()
            turn.refresh_from_db()
            assert turn.state == TurnRow.State.SENT
        finally:
            for _ in occupied:
                tasks._slots.release()

    def test_executes_all_that_are_submitted_whatever_their_simulation(self) -> None:
        rows = [found(agents=("Isabella Rodriguez",)) for _ in range(2)]
        for row in rows:
            submit(row.pk, "isabella-rodriguez")
        tasks.execute_turns()
        states = TurnRow.objects.values_list("state", flat=True)
        assert list(states) == [TurnRow.State.DONE] * 2

    def test_records_a_turn_that_fails_and_goes_on_with_the_next(self) -> None:
        broken, sound = (found(agents=("Isabella Rodriguez",)) for _ in range(2))
        SimulationRow.objects.filter(pk=broken.pk).update(model={"server": "unheard-of"})
        submit(broken.pk, "isabella-rodriguez")
        submit(sound.pk, "isabella-rodriguez")
        tasks.execute_turns()
        failed = TurnRow.objects.get(simulation_id=broken.pk)
        assert failed.state == TurnRow.State.FAILED
        assert failed.error
        assert TurnRow.objects.get(simulation_id=sound.pk).state == TurnRow.State.DONE
        assert not tasks._claimed, "no heartbeat keeps a claim whose turn is over"
