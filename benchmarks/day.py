"""What a day costs: seconds, queries, events, calls, bytes, memory; where the CPU goes.

    .venv/bin/python -m benchmarks.day [PEOPLE] [--world smallville] [--until 2023-02-14T03:00]
    .venv/bin/python -m benchmarks.day [PEOPLE] --worker

The world's first PEOPLE (all, if left out) live offline on one thread, first undisturbed, then
under a profiler whose times are added up by package. With `--worker` the processes of
`make run` live the day instead, and the memory of each is shown; give a SMALLVILLE_HOME of its
own, in which nothing else runs.
"""

import argparse
import cProfile
import pstats
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil

from benchmarks.setting import prepare

prepare()

from django.conf import settings  # noqa: E402 (Django has to be set up first)
from django.db import connection  # noqa: E402

from apps import wiring  # noqa: E402
from apps.console.supervision import (  # noqa: E402
    Child,
    Supervisor,
    programs,
)
from apps.eventlog.event import SIMULATION_STREAM  # noqa: E402
from apps.eventlog.models import EventRow  # noqa: E402
from apps.eventlog.store import NewEvent  # noqa: E402
from apps.llm.calls import queries as model_queries  # noqa: E402
from apps.llm.usage import Usage  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from apps.simulation.engine.run_control import stop_at_once  # noqa: E402
from apps.simulation.models import Status  # noqa: E402
from benchmarks import processes  # noqa: E402

ROOT = Path(__file__).parent.parent
TICKS_PER_DAY = 8_640
SHOWN = 14
APPENDS = 500
EVENTS_PER_APPEND = 5
PORT = 8_099


@dataclass(frozen=True, slots=True)
class Reading:
    """What the machine's meters say at one moment."""

    wall: float
    python: float
    postgres: float
    database: int
    log: int


def main() -> None:
    """Live the day and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="?", type=int)
    parser.add_argument("--world", default="smallville")
    parser.add_argument("--until", default="2023-02-14T03:00")
    parser.add_argument("--worker", action="store_true", help="live it as `make run` does")
    asked = parser.parse_args()
    live = live_with_worker if asked.worker else live_here
    found_here = partial(found, asked.world, asked.agents, asked.until)
    measure(found_here, live)
    if not asked.worker:
        show_append()
        show_shares(found_here)


def measure(found_here: Callable[[], UUID], live: Callable[[UUID], dict[str, int]]) -> None:
    """Live one day undisturbed and print what it cost."""
    before = read_meters()
    simulation_id = found_here()
    peaks = live(simulation_id)
    show_costs(simulation_id, before, read_meters())
    show("memory at its highest", "")
    for name, peak in peaks.items():
        show(f"  {name}", f"{peak / 1e6:,.0f} MB")


def found(world: str, agents: int | None, until: str) -> UUID:
    """Found a town that is to live until then; return its id."""
    founding = SimulationSpec(name="benchmark", world=world, seed=7, agents=agents)
    row = lifecycle.create_simulation(wiring.ports(), founding)
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(until))
    lifecycle.request_run(row.pk, until_tick=tick)
    return row.pk


def live_here(simulation_id: UUID) -> dict[str, int]:
    """Live the day in this process; return the highest memory of the processes, by name."""
    groups: processes.Groups = {
        "this process": processes.this_process,
        "PostgreSQL": processes.postgres,
    }
    peaks = processes.Peaks(groups)
    with peaks.watched():
        run_until_rest(wiring.ports(), simulation_id, RunOptions())
    return peaks.bytes


def live_with_worker(simulation_id: UUID) -> dict[str, int]:
    """Have web, worker and beat live the day; return the highest memory of each."""
    home = settings.SMALLVILLE_HOME
    supervisor = Supervisor(
        programs(PORT), folder=settings.BASE_DIR, logs=home / "logs", announce=print
    )
    children = {child.name: partial(family_of, child) for child in supervisor.children}
    groups: processes.Groups = {
        **children,
        "supervisor of PostgreSQL": database_supervisor,
        "PostgreSQL": processes.postgres,
    }
    peaks = processes.Peaks(groups)
    try:
        with peaks.watched():
            while queries.get_simulation(simulation_id).status != Status.PAUSED:
                supervisor.poll()
                time.sleep(processes.LOOK_SECONDS)
    finally:
        supervisor.stop()
    return peaks.bytes


def family_of(child: Child) -> list[psutil.Process]:
    """Return the processes of a child that runs."""
    return processes.family(psutil.Process(child.process_id)) if child.process_id else []


def database_supervisor() -> list[psutil.Process]:
    """Return the process that keeps the embedded server; none if the server is not ours."""
    server = processes.postgres()[:1] if settings.EMBEDDED else []
    return [parent for one in server if (parent := one.parent()) is not None]


def read_meters() -> Reading:
    """Return what the meters say now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database()), pg_total_relation_size(%s)",
            [EventRow._meta.db_table],
        )
        database, log = cursor.fetchone()
    return Reading(
        wall=time.perf_counter(),
        # With the children that have ended: web, worker and beat.
        python=processes.cpu_seconds(processes.this_process()),
        postgres=processes.cpu_seconds(processes.postgres()),
        database=database,
        log=log,
    )


def show_costs(simulation_id: UUID, before: Reading, after: Reading) -> None:
    """Print what the day cost."""
    events = EventRow.objects.filter(simulation_id=simulation_id)
    streams = events.exclude(stream=SIMULATION_STREAM).values("stream").distinct().count()
    turns = events.values("stream", "tick").distinct().count()
    days = streams * queries.get_simulation(simulation_id).committed_tick / TICKS_PER_DAY
    python, postgres = after.python - before.python, after.postgres - before.postgres
    show("people, agent-days", f"{streams}, {days:.1f}")
    show("wall", f"{after.wall - before.wall:.1f} s")
    show("CPU", f"{python + postgres:.1f} s: Python {python:.1f}, PostgreSQL {postgres:.1f}")
    show("turns", f"{turns:,}, {1_000 * (python + postgres) / turns:.1f} ms of CPU each")
    show("events an agent-day", f"{events.count() / days:,.0f}")
    show("database an agent-day", f"{(after.database - before.database) / days / 1e6:.2f} MB")
    show("  the log alone", f"{(after.log - before.log) / days / 1e6:.2f} MB")
    show("calls, tokens (characters / 4) an agent-day", "")
    lines = model_queries.costs(simulation_id)
    used = {line.key: line for line in lines} | {"all": sum(lines, Usage())}
    for key, one in used.items():
        show(f"  {key}", f"{one.calls / days:8,.1f} {one.tokens / days:12,.0f}")


def show_append() -> None:
    """Print what appending a turn's events costs, with their rows."""
    simulation_id = found("smallville", 1, "2023-02-13T06:00")
    store = wiring.event_store()
    joined, action = [*store.read(simulation_id)][-2:]
    began = time.perf_counter()
    for tick in range(1, APPENDS + 1):
        store.append(
            simulation_id=simulation_id,
            tick=tick,
            stream=joined.stream,
            events=[NewEvent(event=action.event)] * EVENTS_PER_APPEND,
        )
    each = 1_000 * (time.perf_counter() - began) / APPENDS
    show(f"append of {EVENTS_PER_APPEND} actions with their rows", f"{each:.2f} ms (wall)")
    stop_at_once(simulation_id, reason="only appended to")


def show_shares(found_here: Callable[[], UUID]) -> None:
    """Live another such day under a profiler; print queries and the shares of the CPU."""
    simulation_id, asked = found_here(), 0

    def count(execute: Callable[..., Any], *call: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*call)

    profile = cProfile.Profile(time.process_time)
    with connection.execute_wrapper(count):
        profile.runcall(run_until_rest, wiring.ports(), simulation_id, RunOptions())
    turns = EventRow.objects.filter(simulation_id=simulation_id).values("stream", "tick")
    show("queries a turn", f"{asked / turns.distinct().count():.1f}")
    shares: dict[str, float] = defaultdict(float)
    times: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # not in the stubs
    for (file, _line, _name), (_calls, _primitive, own, _total, _callers) in times.items():
        shares[package_of(file)] += own
    total = sum(shares.values())
    show("CPU of Python by package", "(own time, under the profiler)")
    for package, seconds in sorted(shares.items(), key=lambda share: -share[1])[:SHOWN]:
        show(f"  {package}", f"{100 * seconds / total:5.1f} %")


def package_of(file: str) -> str:
    """Return the package that a function belongs to, for people."""
    if "site-packages" in file:
        return file.partition("site-packages/")[2].partition("/")[0]
    if file.startswith(str(ROOT)):
        return "/".join(Path(file).relative_to(ROOT).parts[:2])
    return "python and its built-ins"


def show(what: str, how_much: str) -> None:
    """Print a line of the table."""
    print(f"{what:44} {how_much}".rstrip())


if __name__ == "__main__":
    main()
