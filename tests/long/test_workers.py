"""Celery workers in processes of their own give the history of a single thread (V2)."""

from pathlib import Path

import pytest

from apps import wiring
from apps.eventlog.rebuild import check
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow, Status
from tests.support.processes import stack, wait_until
from tests.support.snapshots import simulated
from tests.support.towns import found, history_of

pytestmark = pytest.mark.django_db(transaction=True)

MORNING = "2023-02-13T08:30"


class TestTwoWorkers:
    def test_give_the_history_of_one_thread(self, tmp_path: Path) -> None:
        # Two processes of eight threads each, a model that takes up to 50 ms, one broker
        # in the database; nothing else is shared.
        expected = simulated(MORNING)
        row = found()
        with stack(tmp_path, RULE_MODEL_DELAY_SECONDS_MAX="0.05") as processes:
            processes.start_worker("one")
            processes.start_worker("two")
            processes.start_scheduler()
            lifecycle.request_run(row.pk, until_tick=expected.committed_tick)
            wait_until(
                lambda: _rests(row),
                seconds=120,
                told=lambda: processes.log_of("one")[-3_000:],
            )
        assert row.committed_tick == expected.committed_tick
        assert history_of(row.pk) == history_of(expected.pk)
        assert check(wiring.event_store(), row.pk).problems == ()


def _rests(row: SimulationRow) -> bool:
    row.refresh_from_db()
    return queries.get_simulation(row.pk).status == Status.PAUSED
