"""A process that is killed in the middle of a request of a counterfactual leaves nothing."""

import os
import signal
import subprocess
from uuid import UUID

import pytest
from django.db import connection

from apps.counterfactuals.models import CounterfactualRow
from apps.lineage.models import LineageRow
from apps.simulation.models import ClockRow, CommandRow, SimulationRow
from tests.support.preloaded import PreloadedProcess
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)


def killed(parent: UUID) -> None:
    """Kill a process with SIGKILL in the middle of a request."""
    base, _, query = os.environ["DATABASE_URL"].partition("?")
    url = f"{base.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    command = ("-m", "tests.integration.simulation.counterfactual_and_waits")
    environment = os.environ | {"DATABASE_URL": url + (f"?{query}" if query else "")}
    with PreloadedProcess(
        [*command, str(parent)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "waiting\n"
        finally:
            process.send_signal(signal.SIGKILL)


def test_a_killed_request_leaves_nothing() -> None:
    parent = found()
    killed(parent.pk)
    assert list(SimulationRow.with_deleted.values_list("pk", flat=True)) == [parent.pk]
    for model in (CounterfactualRow, LineageRow, CommandRow):
        assert not model._default_manager.exists()
    assert not ClockRow.objects.exists()
