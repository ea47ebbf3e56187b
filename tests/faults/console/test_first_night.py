"""The first night that `manage.py serve` runs itself; another process continues its run."""

import pytest

from apps.console.served_simulation import FirstNight
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow, Status
from tests.support.processes import wait_until
from tests.support.snapshots import simulated
from tests.support.towns import found, history_of, live

pytestmark = pytest.mark.django_db(transaction=True)

WAKING_TICK = 2_160
MORNING_TICK = 2_490
PATIENCE_SECONDS = 60.0


def requested(row: SimulationRow) -> FirstNight:
    """Request the run of the first night in the test's own process."""
    night = FirstNight(row.pk)
    lifecycle.request_run(row.pk, until_tick=MORNING_TICK, holder=night.holder)
    return night


def wait_for_tick(row: SimulationRow, tick: int) -> SimulationRow:
    def has_come() -> bool:
        row.refresh_from_db()
        return row.committed_tick >= tick

    wait_until(has_come, seconds=PATIENCE_SECONDS, told=lambda: f"tick {row.committed_tick}")
    return row


def stopped_at(tick: int) -> SimulationRow:
    """Return a simulation whose first night was stopped when it had come to the tick."""
    row = found()
    night = requested(row)
    night.start()
    wait_for_tick(row, tick)
    night.stop()
    row.refresh_from_db()
    return row


class TestFirstNight:
    def test_reaches_the_morning(self) -> None:
        row = stopped_at(MORNING_TICK)
        assert (row.status, row.reason) == (Status.PAUSED, "reached the requested end")
        assert history_of(row.pk) == history_of(simulated("2023-02-13T06:55").pk)

    def test_another_process_continues_after_a_stop(self) -> None:
        row = stopped_at(WAKING_TICK)
        assert row.lease_holder == ""
        if row.committed_tick < MORNING_TICK:
            assert row.status == Status.RUNNING
            assert row.pk in queries.list_due()
        live(row, "2023-02-13T07:10")
        assert history_of(row.pk) == history_of(simulated("2023-02-13T07:10").pk)

    def test_leaves_the_run_to_whoever_has_the_lease(self) -> None:
        row = found()
        lifecycle.request_run(row.pk, until_tick=MORNING_TICK, holder="a scheduler")
        night = FirstNight(row.pk)
        night.start()
        night.stop()
        row.refresh_from_db()
        assert (row.lease_holder, row.committed_tick) == ("a scheduler", 0)
