# ruff: noqa: E402 (Django has to be set up first)
"""How long the pages of the admin take at a million events and 200,000 memories.

    .venv/bin/python -m benchmarks.admin_pages [--write]

Runs all agents of Smallville for a morning and copies the rows of this day to later days, one
statement for each table, and times each page. The database is that of SMALLVILLE_HOME or
DATABASE_URL; the simulation stays there, and a second run uses it again. `--write` writes
docs/benchmarks/admin_pages.md.
"""

import argparse
import statistics
import time
from collections import Counter
from datetime import datetime
from pathlib import Path

from benchmarks.setting import prepare

prepare()

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps import wiring
from apps.dialogue.models import UtteranceRow
from apps.eventlog.models import EventRow
from apps.llm.models import ModelCallRow
from apps.memory.models import MemoryRow
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from benchmarks.admin_rows import TABLES, TICKS_PER_DAY, fill

NAME = "pages of the admin"
AFTERNOON = "2023-02-13T14:00"
EVENTS, MEMORIES = 1_000_000, 200_000
REPETITIONS = 5
AGENT = "agents/isabella-rodriguez/"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "admin_pages.md"


def main() -> None:
    """Fill the database if it is not filled, and time the pages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    settings.ALLOWED_HOSTS = ["*"]
    row = SimulationRow.objects.filter(name=NAME).first() or _filled()
    table = _measured(row)
    print(table)
    if asked.write:
        PAGE.write_text(_page(row, table), "utf-8")


def _filled() -> SimulationRow:
    spec = SimulationSpec(name=NAME, world="smallville", seed=7)
    row = lifecycle.create_simulation(wiring.ports(), spec)
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(AFTERNOON))
    lifecycle.request_run(row.pk, until_tick=tick)
    run_until_rest(wiring.ports(), row.pk, RunOptions())
    events = EventRow.objects.filter(simulation_id=row.pk, tick__gt=0).count()
    memories = MemoryRow.objects.filter(simulation_id=row.pk, formed_tick__gt=0).count()
    days = max(-(-EVENTS // events), -(-MEMORIES // memories))
    begun = time.perf_counter()
    fill(row.pk, days)
    SimulationRow.objects.filter(pk=row.pk).update(committed_tick=days * TICKS_PER_DAY + tick)
    row.refresh_from_db()
    print(f"filled with {days} days in {time.perf_counter() - begun:.0f} s")
    return row


def _addresses(row: SimulationRow) -> dict[str, str]:
    """Return an address of each kind of page, at the end of the history."""
    of = {"simulation_id": row.pk, "tick__lte": row.committed_tick}
    said = UtteranceRow.objects.filter(**of).exclude(memories=[]).order_by("-tick")[0]
    call = ModelCallRow.objects.filter(**of).order_by("-tick")[0]
    began = EventRow.objects.filter(**of, type="agents.action-began.v1").order_by("-tick")[0]
    memory = MemoryRow.objects.filter(
        simulation_id=row.pk, agent="isabella-rodriguez", kind="dialogue"
    ).order_by("-number")[0]
    return {
        "index": "/admin/",
        "overview": "",
        "overview of a past moment": "?at=2023-02-20T09:00:00",
        "conversations": "conversations/",
        "conversations of an agent": "conversations/?agent=isabella-rodriguez",
        "conversation": f"conversations/{said.conversation}/",
        "event log": "events/",
        "event log of one type": "events/?type=dialogue.said.v1",
        "event of an utterance": f"events/{said.event}/",
        "event of an action": f"events/{began.event_id}/",
        "model calls": "calls/",
        "model call": f"calls/{call.call_id}/",
        "day of an agent": AGENT,
        "memories": f"{AGENT}memories/",
        "memories with filters": f"{AGENT}memories/?kind=observation&importance=5&text=coffee",
        "memory": f"{AGENT}memories/{memory.number}/",
        "reflections": f"{AGENT}reflections/",
        "people": f"{AGENT}people/",
        "places": f"{AGENT}places/",
        "controls": "controls/",
        "table of events": "/admin/eventlog/eventrow/",
        "table of events of one agent": "/admin/eventlog/eventrow/?q=isabella-rodriguez",
        "table of memories": "/admin/memory/memoryrow/",
        "table of model calls": "/admin/llm/modelcallrow/",
        "table of actions": "/admin/agents/actionrow/",
    }


def _measured(row: SimulationRow) -> str:
    user, _ = User.objects.get_or_create(username="benchmark", is_superuser=True, is_staff=True)
    client = Client()
    client.force_login(user)
    base = f"/admin/simulations/{row.pk}/"
    lines = ["| page | queries | median, ms | longest, ms |", "|---|---|---|---|"]
    for name, path in _addresses(row).items():
        address = path if path.startswith("/") else f"{base}{path}"
        lines.append(f"| {name} | {_timed(client, address)} |")
    search = {"query": "the Valentine's Day party"}
    for agent, memories in _agents_by_memories(row):
        timed = _timed(client, f"{base}agents/{agent}/memories/", search)
        lines.append(f"| search by meaning in {memories:,} memories | {timed} |")
    return "\n".join(lines)


def _agents_by_memories(row: SimulationRow) -> list[tuple[str, int]]:
    """Return the agents with the median and with the greatest number of memories."""
    memories = MemoryRow.objects.filter(simulation_id=row.pk)
    counted = Counter(memories.values_list("agent", flat=True)).most_common()
    return [counted[len(counted) // 2], counted[0]]


def _timed(client: Client, address: str, form: dict[str, str] | None = None) -> str:
    """Return queries, median and longest time of a page, after one request that warms it."""
    taken = []
    for repetition in range(REPETITIONS + 1):
        with CaptureQueriesContext(connection) as captured:
            begun = time.perf_counter()
            response = client.post(address, form) if form else client.get(address)
            seconds = time.perf_counter() - begun
        assert response.status_code == 200, f"{address}: {response.status_code}"
        if repetition:
            taken.append(seconds * 1_000)
    return f"{len(captured)} | {statistics.median(taken):.0f} | {max(taken):.0f}"


def _page(row: SimulationRow, table: str) -> str:
    counted = "\n".join(f"| {name} | {_count(name, row):,} |" for name in TABLES)
    return (
        "# Pages of the admin\n\nWritten by `.venv/bin/python -m benchmarks.admin_pages "
        "--write`: a day of all agents of Smallville, whose rows are copied to later "
        "days.\nTimes are those of a request in one process, with the embedded database;\n"
        "queries have those of the session and the user. The pages are those of Isabella "
        "Rodriguez,\nwho has the most memories.\n\n"
        f"| table | rows |\n|---|---|\n{counted}\n\n{table}\n"
    )


def _count(name: str, row: SimulationRow) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {name} WHERE simulation_id = %s", [row.pk])  # noqa: S608 (names of this program)
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
