"""A history as Parquet tables, read back with DuckDB."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from apps import wiring
from apps.archives.exports import EXPORTERS
from apps.archives.history_tables import TABLES
from apps.eventlog.models import EventRow
from apps.llm.models import ModelCallRow
from apps.memory import queries as memory_queries
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from tests.support.exported_towns import write_folder
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

pytestmark = pytest.mark.django_db


morning = shared_fixture(lambda: simulated("2023-02-13T08:00"))
"""A morning of three agents."""


@pytest.fixture
def folder(morning: SimulationRow, tmp_path: Path) -> Path:
    write_folder(morning, EXPORTERS["parquet"], tmp_path)
    return tmp_path


def opened(folder: Path) -> duckdb.DuckDBPyConnection:
    """Return a database with the files as its views."""
    database = duckdb.connect()
    for path in folder.glob("*.parquet"):
        database.read_parquet(str(path)).create_view(path.stem)
    return database


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    with opened(folder) as database:
        view = database.view(name)
        return [dict(zip(view.columns, row, strict=True)) for row in view.fetchall()]


def test_there_is_a_file_for_each_table_and_nothing_else(folder: Path) -> None:
    names = {f"{name}.parquet" for name in TABLES}
    assert {path.name for path in folder.iterdir()} == names


def test_columns_have_their_declared_types(folder: Path) -> None:
    for name, (_, columns) in TABLES.items():
        with opened(folder) as database:
            view = database.view(name)
            types = dict(zip(view.columns, map(str, view.types), strict=True))
        assert types == columns


def test_events_are_those_of_the_log_in_order(folder: Path, morning: SimulationRow) -> None:
    log = wiring.event_store().read(morning.pk)
    expected = [(str(one.place), one.event.type, list(one.model_calls)) for one in log]
    rows = rows_of(folder, "events")
    assert [(row["id"], row["type"], row["model_calls"]) for row in rows] == expected
    calendar = queries.calendar_of(morning.pk)
    assert rows[-1]["time"] == calendar.time_at(rows[-1]["tick"])
    assert rows[0]["time"] == datetime(2023, 2, 13)


def test_memories_are_those_of_the_api(folder: Path, morning: SimulationRow) -> None:
    rows = memory_queries.list_all_memories(morning.pk, as_of_tick=morning.committed_tick)
    expected = {
        (one.agent, one.number): (one.description, one.importance, one.last_retrieved_tick)
        for one in rows
    }
    found = {
        (row["agent"], row["number"]): (
            row["description"], row["importance"], row["last_retrieved_tick"],
        )
        for row in rows_of(folder, "memories")
    }  # fmt: skip
    assert found == expected
    assert len(found) > 3


def test_calls_have_their_prompts(folder: Path, morning: SimulationRow) -> None:
    with opened(folder) as database:
        by_task = database.execute(
            "SELECT task, count(*), min(json_array_length(prompt)) "
            "FROM model_calls GROUP BY task"
        ).fetchall()
    calls = ModelCallRow.objects.filter(simulation_id=morning.pk)
    expected = Counter(calls.values_list("task", flat=True))
    assert {task: count for task, count, _ in by_task} == expected
    assert {messages for *_, messages in by_task} == {2}


def test_tables_of_conversations_and_utterances_fit_together(folder: Path) -> None:
    with opened(folder) as database:
        [(said, counted)] = database.execute(
            "SELECT (SELECT count(*) FROM utterances), "
            "(SELECT coalesce(sum(utterances), 0) FROM conversations)"
        ).fetchall()
    assert said == counted


def test_later_events_are_left_out(morning: SimulationRow, tmp_path: Path) -> None:
    earlier = SimulationRow.objects.get(pk=morning.pk)
    earlier.committed_tick = 2_400
    write_folder(earlier, EXPORTERS["parquet"], tmp_path)
    expected = EventRow.objects.filter(simulation_id=morning.pk, tick__lte=2_400).count()
    assert len(rows_of(tmp_path, "events")) == expected
