"""What a day costs: wall and CPU seconds, events, bytes, and where the CPU of a turn goes.

    .venv/bin/python -m benchmarks.day [PEOPLE] [--world smallville] [--until 2023-02-14T03:00]

The world's first PEOPLE (all, if left out) live offline on one thread, first undisturbed, then
under a profiler whose times are added up by package.
"""

import argparse
import cProfile
import pstats
import resource
import time
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from django.db import connection  # noqa: E402 (Django has to be set up first)

from apps import wiring  # noqa: E402
from apps.eventlog.event import SIMULATION_STREAM  # noqa: E402
from apps.eventlog.models import EventRow  # noqa: E402
from apps.eventlog.store import NewEvent  # noqa: E402
from apps.llm import queries as model_queries  # noqa: E402
from apps.simulation import commands, queries  # noqa: E402
from apps.simulation.commands import Founding  # noqa: E402
from apps.simulation.in_process import Manner, run_until_rest  # noqa: E402

ROOT = Path(__file__).parent.parent
APPENDS = 500
EVENTS_PER_APPEND = 5
SHOWN = 14


def main() -> None:
    """Live the day twice and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", nargs="?", type=int)
    parser.add_argument("--world", default="smallville")
    parser.add_argument("--until", default="2023-02-14T03:00")
    asked = parser.parse_args()
    bytes_before = database_bytes()
    wall, cpu = time.perf_counter(), time.process_time()
    row = lived(asked.world, asked.people, asked.until)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    show_costs(row, wall=wall, cpu=cpu, grown=database_bytes() - bytes_before)
    show_append()
    profile = cProfile.Profile()
    profile.runcall(lived, asked.world, asked.people, asked.until)
    show_shares(pstats.Stats(profile))


def lived(world: str, people: int | None, until: str) -> UUID:
    """Found a town and live it; return its id."""
    founding = Founding(name="benchmark", world=world, seed=7, people=people)
    row = commands.create_simulation(wiring.ports(), founding)
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(until))
    commands.request_run(row.pk, until_tick=tick)
    run_until_rest(wiring.ports(), row.pk, Manner())
    return row.pk


def show_costs(simulation_id: UUID, *, wall: float, cpu: float, grown: int) -> None:
    """Print what the day cost."""
    events = EventRow.objects.filter(simulation_id=simulation_id)
    streams = events.exclude(stream=SIMULATION_STREAM).values("stream").distinct().count()
    turns = events.values("stream", "tick").distinct().count()
    spent = model_queries.spent(simulation_id)
    days = streams * queries.get_simulation(simulation_id).settled_tick / 8_640
    print(f"people {streams}, agent-days {days:.1f}")
    print(f"wall {wall:.1f} s, CPU of this process {cpu:.1f} s")
    print(f"turns {turns}, {1_000 * wall / turns:.1f} ms each (wall)")
    print(f"events {events.count()}, {events.count() / days:.0f} an agent-day")
    print(f"model calls {spent.calls}, {spent.calls / days:.0f} an agent-day")
    tokens = (spent.prompt_tokens + spent.completion_tokens) / days
    print(f"tokens (characters / 4) {tokens:,.0f} an agent-day")
    print(f"database {grown / days / 1e6:.2f} MB an agent-day, indexes and journal included")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    print(f"memory of this process {memory:.0f} MB at its highest")


def show_append() -> None:
    """Print what appending a turn's events costs, with their rows."""
    founding = Founding(name="benchmark", world="smallville", seed=1, people=1)
    row = commands.create_simulation(wiring.ports(), founding)
    store = wiring.event_store()
    stream = EventRow.objects.exclude(stream=SIMULATION_STREAM).filter(
        simulation_id=row.pk
    ).values_list("stream", flat=True)[0]  # fmt: skip
    action = [recorded.event for recorded in store.read(row.pk) if recorded.stream == stream][
        -1
    ]
    began = time.perf_counter()
    for tick in range(1, APPENDS + 1):
        store.append(
            simulation_id=row.pk,
            tick=tick,
            stream=stream,
            events=[NewEvent(event=action)] * EVENTS_PER_APPEND,
        )
    each = (time.perf_counter() - began) / APPENDS
    print(f"append of {EVENTS_PER_APPEND} actions with their rows {1_000 * each:.2f} ms")


def show_shares(stats: pstats.Stats) -> None:
    """Print the shares of the CPU by package, deepest cost first."""
    shares: dict[str, float] = defaultdict(float)
    times: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]  # not in the stubs
    for (file, _line, _name), (_calls, _primitive, own, _total, _callers) in times.items():
        shares[package_of(file)] += own
    total = sum(shares.values())
    print("\nwhere the CPU goes (own time, under the profiler)")
    for package, seconds in sorted(shares.items(), key=lambda share: -share[1])[:SHOWN]:
        print(f"  {package:32} {100 * seconds / total:5.1f} %")


def package_of(file: str) -> str:
    """Return the package that a function belongs to, for people."""
    if "site-packages" in file:
        return file.partition("site-packages/")[2].partition("/")[0]
    if file.startswith(str(ROOT)):
        return "/".join(Path(file).relative_to(ROOT).parts[:2])
    return "python and its built-ins"


def database_bytes() -> int:
    """Return how large the database is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
