"""Measures forks of a simulation: their time and rows, and reads and turns of a branch.

    export SMALLVILLE_HOME=/tmp/forks
    .venv/bin/python manage.py simulate --world smallville --seed 7 --until 2023-02-15T00:00
    .venv/bin/python -m benchmarks.forks [--forks 100] [--at TICK] [--run-ticks 0]
        [--branches 0]

Forks the only simulation of the database that is no branch, and prints figures. The reads are
those that turns make most, for all agents, at the tick of the fork; those of the parent and of
the branch are measured alternately. `--branches` runs so many branches an hour each, from ticks
that are spread over the last day, and prints their storage. Branches are deleted at the end.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from benchmarks.setting import MILLISECONDS, prepare

prepare()

from django.db import connection  # noqa: E402 (Django is set up first)

from apps import history, wiring  # noqa: E402
from apps.agents import queries as agent_queries  # noqa: E402
from apps.eventlog.models import EventRow  # noqa: E402
from apps.eventlog.store import log_sha256  # noqa: E402
from apps.lineage.branches import is_branch  # noqa: E402
from apps.lineage.history_rows import own_rows  # noqa: E402
from apps.lineage.models import LineageRow  # noqa: E402
from apps.lineage.views import history_models  # noqa: E402
from apps.memory import queries as memory_queries  # noqa: E402
from apps.memory.retrieval_query import retrieve  # noqa: E402
from apps.reflection.queries import importance_since_last  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.forks import ForkSpec, fork_simulation  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.models import ClockRow, SimulationRow  # noqa: E402
from apps.simulation.queries import calendar_of  # noqa: E402

ROUNDS = 5
DIMENSIONS = 384

Read = Callable[[SimulationRow, str, int], object]
READS: dict[str, Read] = {
    "actions of all agents": lambda row, _agent, tick: agent_queries.tracks(
        row.pk, from_tick=tick
    ),
    "last sights of an agent": lambda row, agent, tick: agent_queries.last_seen(
        row.pk, agent, as_of_tick=tick
    ),
    "retrieval of 30 memories": lambda row, agent, tick: retrieve(
        row.pk, agent, [1.0] * DIMENSIONS, as_of_tick=tick, tick_seconds=10, limit=30
    ),
    "memories, a page of 50": lambda row, agent, tick: list(
        memory_queries.list_memories(row.pk, agent, as_of_tick=tick)[:50]
    ),
    "importance since the last reflection": lambda row, agent, tick: importance_since_last(
        row.pk, agent, as_of_tick=tick
    ),
}
READS_OF_ALL: dict[str, Read] = {
    "conversations, a page of 50": lambda row, _agent, tick: list(
        history.list_conversations(row.pk, as_of_tick=tick).order_by("from_tick", "agent")[:50]
    ),
    "count of hours": lambda row, _agent, tick: history.hour_counts(row.pk, as_of_tick=tick),
    "hash of the log": lambda row, _agent, tick: log_sha256(row.pk, until_tick=tick),
}


def rows_of_fork(branch: SimulationRow) -> int:
    """Return how many rows the fork has written."""
    rows = sum(own_rows(model, branch.pk).count() for model in history_models())
    rows += ClockRow.objects.filter(simulation_id=branch.pk).count()
    return 1 + rows + LineageRow.objects.filter(branch=branch.pk).count()


def database_bytes() -> int:
    """Return the size of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        [size] = cursor.fetchone()
    return int(size)


def milliseconds_of(read: Read, row: SimulationRow, agents: list[str], tick: int) -> float:
    """Return the median time of the read over the agents."""
    times = []
    for agent in agents:
        began = time.perf_counter()
        read(row, agent, tick)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * MILLISECONDS


def compare_reads(parent: SimulationRow, branch: SimulationRow, tick: int) -> None:
    """Print the times of reads of the parent and of the branch, measured in turns."""
    agents = agent_queries.slugs_in_simulation(parent.pk, as_of_tick=tick)
    print("| read | parent, ms | branch, ms | ratio |\n| --- | --: | --: | --: |")
    for name, read in {**READS, **READS_OF_ALL}.items():
        asked = agents if name in READS else agents[:1]
        pairs = [
            (
                milliseconds_of(read, parent, asked, tick),
                milliseconds_of(read, branch, asked, tick),
            )
            for _ in range(ROUNDS)
        ]
        one, other = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(f"| {name} | {one:.2f} | {other:.2f} | {other / one:.2f} |")


def run_on(row: SimulationRow, ticks: int) -> float:
    """Run the simulation for so many ticks; return the CPU seconds of this process."""
    lifecycle.request_run(row.pk, ticks=ticks)
    began = time.process_time()
    run_until_rest(wiring.ports(), row.pk, RunOptions())
    return time.process_time() - began


def run_branches(parent: SimulationRow, count: int) -> list[SimulationRow]:
    """Let branches run an hour each; print what each takes in rows and bytes."""
    ticks = calendar_of(parent.pk).ticks_of(minutes=60)
    day = 24 * ticks
    first = max(0, parent.committed_tick - day - ticks)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    before, branches = database_bytes(), []
    for number in range(count):
        at_tick = first + number * day // count
        spec = ForkSpec(name=f"an hour {number}", at_tick=at_tick)
        branch = fork_simulation(wiring.ports(), parent.pk, spec)
        run_on(branch, ticks)
        branches.append(branch)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    rows = [sum(own_rows(one, row.pk).count() for one in history_models()) for row in branches]
    events = [EventRow.objects.own().filter(simulation_id=row.pk).count() for row in branches]
    print(
        f"{count} branches of an hour: {(database_bytes() - before) / 1e6:.1f} MB; each "
        f"{statistics.mean(rows):.0f} rows, {statistics.mean(events):.0f} of them events"
    )
    return branches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forks", type=int, default=100)
    parser.add_argument("--at", type=int, help="by default the committed tick")
    parser.add_argument("--run-ticks", type=int, default=0)
    parser.add_argument("--branches", type=int, default=0)
    asked = parser.parse_args()
    [parent] = [row for row in SimulationRow.objects.all() if not is_branch(row.pk)]
    tick = parent.committed_tick if asked.at is None else asked.at
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    before, times = database_bytes(), []
    branches = []
    for number in range(asked.forks):
        began = time.perf_counter()
        spec = ForkSpec(name=f"branch {number}", at_tick=tick)
        branches.append(fork_simulation(wiring.ports(), parent.pk, spec))
        times.append(time.perf_counter() - began)
    median, last, slowest = (
        value * MILLISECONDS for value in (statistics.median(times), times[-1], max(times))
    )
    print(
        f"{asked.forks} forks at tick {tick}: median {median:.0f} ms, last {last:.0f} ms, "
        f"slowest {slowest:.0f} ms; {rows_of_fork(branches[0])} rows each, "
        f"{(database_bytes() - before) / asked.forks / 1_000:.1f} kB each"
    )
    compare_reads(parent, branches[-1], tick)
    if asked.run_ticks:
        row = branches[-1]
        seconds = run_on(row, asked.run_ticks)
        end = tick + asked.run_ticks
        is_same = log_sha256(row.pk) == log_sha256(parent.pk, until_tick=end)
        print(f"ran {asked.run_ticks} ticks in {seconds:.1f} CPU s; as the parent: {is_same}")
        own = {one.__name__: own_rows(one, row.pk).count() for one in history_models()}
        print({name: count for name, count in own.items() if count})
    if asked.branches:
        branches += run_branches(parent, asked.branches)
    for branch in branches:
        lifecycle.delete_simulation(wiring.ports(), branch.pk)


if __name__ == "__main__":
    main()
