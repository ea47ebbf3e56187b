"""`manage.py counterfactual` ends at SIGTERM, and goes on to the comparison."""

import signal
from pathlib import Path

import pytest

from apps.counterfactuals.models import CounterfactualRow
from apps.simulation.models import SimulationRow, Status
from apps.work.rows import WorkState
from tests.support.processes import stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 120.0
VOICE = ("--inner-voice", "isabella-rodriguez", "You should close the cafe today")


def test_goes_on_to_the_comparison_after_sigterm(tmp_path: Path) -> None:
    parent = simulated("2023-02-13T06:15")
    moments = ("--at", "2023-02-13T06:10", "--until", "2023-02-13T07:00")
    with stack(tmp_path) as processes:
        asked = ("manage.py", "counterfactual", str(parent.pk), *moments, *VOICE)
        processes.start("first", *asked)

        def is_under_way() -> bool:
            parent.refresh_from_db()
            branches = SimulationRow.objects.exclude(pk=parent.pk)
            running = [one for one in (parent, *branches) if one.status == Status.RUNNING]
            return bool(branches and running)

        wait_until(is_under_way, seconds=SECONDS_MAX, told=lambda: processes.log_of("first"))
        process = processes.running.pop("first")
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 128 + signal.SIGTERM, processes.log_of("first")
        row = CounterfactualRow.objects.get()
        hint = f"interrupted by SIGTERM; continue it with --continue {row.pk}"
        assert hint in processes.log_of("first")
        assert "Traceback" not in processes.log_of("first")

        processes.start("second", "manage.py", "counterfactual", "--continue", str(row.pk))
        ended = processes.running.pop("second").wait(SECONDS_MAX)
        assert ended == 0, processes.log_of("second")
        assert "first difference:" in processes.log_of("second")
    row.refresh_from_db()
    assert row.state == WorkState.DONE
