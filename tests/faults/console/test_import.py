"""An import that is killed leaves nothing half done, and can be repeated."""

from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from django.apps import apps

from apps import wiring
from apps.archives.exporting import write_archive
from apps.eventlog.store import log_sha256
from apps.llm.prompts.parts import PromptPartRow
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from tests.support.processes import database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated

SECONDS_MAX = 60.0

# An import gets so far, since a lock on the table holds it up there.
TABLES = ["llm_promptpartrow", "llm_modelcallrow", "eventlog_eventrow", "memory_memoryrow"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", TABLES)
def test_kill_9_during_an_import(table: str, tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10")
    simulation_id, history = row.pk, log_sha256(row.pk)
    path = tmp_path / "archive.zip"
    path.write_bytes(b"".join(write_archive(wiring.ports(), row)))
    lifecycle.delete_simulation(wiring.ports(), simulation_id)
    with stack(tmp_path) as processes:
        log = tmp_path / "first.log"
        with psycopg.connect(database_url()) as lock:
            lock.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            processes.start("first", "manage.py", "import", str(path))
            wait_until(lambda: is_awaited(table), seconds=SECONDS_MAX, told=log.read_text)
            processes.kill("first")
        # The server notices that its client is gone when the lock is released.
        wait_until(
            lambda: not is_awaited(table) and rows_of(simulation_id) == {},
            seconds=SECONDS_MAX,
            told=lambda: str(rows_of(simulation_id)),
        )
        assert PromptPartRow.objects.count() == 0
        processes.start("second", "manage.py", "import", str(path))
        assert processes.running.pop("second").wait(SECONDS_MAX) == 0
    assert SimulationRow.objects.get(pk=simulation_id).committed_tick == row.committed_tick
    assert log_sha256(simulation_id) == history


def rows_of(simulation_id: UUID) -> dict[str, int]:
    """Return how many rows the simulation has, by table."""
    models = [
        model
        for model in apps.get_models()
        if any(field.attname == "simulation_id" for field in model._meta.concrete_fields)
    ]
    counts = {
        model._meta.db_table: model._default_manager.filter(simulation_id=simulation_id).count()
        for model in models
    }
    counts["simulation"] = SimulationRow.objects.filter(pk=simulation_id).count()
    return {table: count for table, count in counts.items() if count}
