"""A turn that an outage interrupts is executed again, and the attempt does not count."""

import pytest

from apps.eventlog.models import EventRow
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.models import TurnRow
from apps.worker import tasks, turns
from tests.support.full_disk import no_space_for
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = "isabella-rodriguez"
WAKING_TICK = 2_160
"""At 06:00: a turn in which the agent certainly does something."""


class TestDiskFull:
    def test_interrupts_a_turn_without_counting_attempts(self) -> None:
        row = found()
        executor = turns.CeleryExecutor(row.pk, lambda: None)
        executor.submit(ReadyTurn(WAKING_TICK, ISABELLA))
        with no_space_for(EventRow._meta.db_table):
            for _ in range(2 * turns.SILENT_ATTEMPTS_MAX):
                tasks.execute_turns()
        kept = TurnRow.objects.get()
        assert (kept.state, kept.attempts, kept.error) == (TurnRow.State.SENT, 0, "")
        tasks.execute_turns()
        assert [finished.error for finished in executor.collect()] == [None]
