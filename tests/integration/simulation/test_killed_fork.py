"""A process that is killed while it forks a simulation leaves nothing behind."""

import os
import signal
import subprocess

import pytest
from django.db import connection

from apps import wiring
from apps.eventlog.models import EventRow
from apps.lineage.models import LineageRow
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.models import ClockRow, SimulationRow
from tests.support.preloaded import PreloadedProcess
from tests.support.towns import found


@pytest.mark.django_db(transaction=True)
def test_a_killed_fork_leaves_nothing() -> None:
    parent = found()
    events = EventRow.objects.count()
    base, _, query = os.environ["DATABASE_URL"].partition("?")
    url = f"{base.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    command = ("-m", "tests.integration.simulation.forks_and_waits")
    environment = os.environ | {"DATABASE_URL": url + (f"?{query}" if query else "")}
    with PreloadedProcess(
        [*command, str(parent.pk)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "forked\n"
        finally:
            process.send_signal(signal.SIGKILL)
    assert list(SimulationRow.with_deleted.values_list("pk", flat=True)) == [parent.pk]
    assert not LineageRow.objects.exists()
    assert not ClockRow.objects.exists()
    assert EventRow.objects.count() == events
    # The lock of the killed process is gone: the parent can be forked again.
    fork_simulation(wiring.ports(), parent.pk, ForkSpec(name="a branch", at_tick=0))
    assert LineageRow.objects.count() == 1
