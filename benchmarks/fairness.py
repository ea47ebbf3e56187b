"""Lets 1, 4 and 16 simulations share one worker: turns a second, together and each.

    .venv/bin/python -m benchmarks.fairness [--simulations 1 4 16] [--threads 4 16]
        [--seconds 30] [--agents 3] [--thinking 0.1] [--repeat 1]
    .venv/bin/python -m benchmarks.fairness --beside 40 [--threads 4]

A real scheduler and a real worker process work on the database that a command would use. Each
simulation has been lived to the morning; an answer of the rule model takes up to `--thinking`
seconds, so that the threads wait as they would for a model. A turn counts once it is
committed. The targets: 16 simulations together take at least 0.9 of the turns that one takes
alone, and the slowest of them at least half of their mean.

With `--beside N`, one simulation of ten agents runs, alone and then beside N simulations of
another user with one sleeping agent each. Both tables also say what
the processes used of the CPU, and the load average, since other programs distort them.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.setting import prepare

prepare()

import psutil  # noqa: E402 (Django has to be set up first)
from django.contrib.auth.models import User  # noqa: E402
from django.db.models import Max  # noqa: E402

from apps.eventlog.models import EventRow  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.models import ProcessRow, SimulationRow, Status  # noqa: E402
from apps.wiring import ports  # noqa: E402
from benchmarks.processes import cpu_seconds, family  # noqa: E402
from tests.support.processes import Stack, stack, wait_until  # noqa: E402
from tests.support.towns import EIGHT_THREADS, live  # noqa: E402

MORNING = "2023-02-13T07:00"
NIGHT = "2023-02-13T00:10"
WARM_UP_SECONDS = 5.0
RESTS_SECONDS = 60.0
SUM_MIN, SLOWEST_MIN = 0.9, 0.5


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Turns and committed ticks a second of each simulation, and what they took."""

    rates: list[float]
    ticks: list[float]
    cpu: float
    load: float

    @property
    def total(self) -> float:
        """All of them together, a second."""
        return sum(self.rates)

    @property
    def slowest_share(self) -> float:
        """The slowest one, as a part of the mean."""
        return min(self.rates) / fmean(self.rates) if self.total else 0.0


def main() -> None:
    """Measure what was asked for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--threads", type=int, nargs="+", default=[4, 16])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--agents", type=int, default=3)
    parser.add_argument("--thinking", type=float, default=0.1, help="seconds, at most")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--beside", type=int, default=0, help="simulations that sleep")
    asked = parser.parse_args()
    for _ in range(asked.repeat):
        if asked.beside:
            measure_beside(asked)
        else:
            measure_shared(asked)


def measure_shared(asked: argparse.Namespace) -> None:
    """Print the turns a second of several simulations on one worker."""
    print("threads  simulations  turns/s   of one  slowest/mean    CPU   load")
    for threads in asked.threads:
        alone = 0.0
        for count in asked.simulations:
            rows = [created("busy", asked.agents, MORNING) for _ in range(count)]
            found = measured(rows, asked, threads)
            alone = alone or found.total / count
            share = found.total / alone if alone else 0.0
            is_met = share >= SUM_MIN and found.slowest_share >= SLOWEST_MIN
            print(
                f"{threads:7} {count:12} {found.total:8.1f} {share:8.2f} "
                f"{found.slowest_share:13.2f} {found.cpu:6.2f} {found.load:6.1f}"
                f"{'' if is_met else '  below the target'}",
                flush=True,
            )


def measure_beside(asked: argparse.Namespace) -> None:
    """Print what one simulation does, alone and beside others that sleep."""
    print("threads  asleep beside it  turns/s  ticks/s    CPU   load")
    for threads in asked.threads:
        for count in (0, asked.beside):
            asleep = [created("asleep", 1, NIGHT) for _ in range(count)]
            found = measured([created("busy", 10, MORNING)], asked, threads, asleep)
            print(
                f"{threads:7} {count:17} {found.total:8.2f} {sum(found.ticks):8.2f} "
                f"{found.cpu:6.2f} {found.load:6.1f}",
                flush=True,
            )


def measured(
    rows: list[SimulationRow],
    asked: argparse.Namespace,
    threads: int,
    asleep: Sequence[SimulationRow] = (),
) -> Measured:
    """Run the simulations for a while and return what they did."""
    everything = (*rows, *asleep)
    with serving(threads, asked.thinking) as processes:
        for row in asleep:
            lifecycle.request_run(row.pk, pace=60.0)
        wait_until(
            lambda: all(ticks_of(row) > row.committed_tick for row in asleep),
            seconds=RESTS_SECONDS,
            told=lambda: "they do not all begin",
        )
        for row in rows:
            lifecycle.request_run(row.pk)
        time.sleep(WARM_UP_SECONDS)
        before, began = [(turns_of(row), ticks_of(row)) for row in rows], time.monotonic()
        used = cpu_of(processes)
        time.sleep(asked.seconds)
        after, seconds = [(turns_of(row), ticks_of(row)) for row in rows], time.monotonic()
        seconds -= began
        used = cpu_of(processes) - used
        for row in everything:
            lifecycle.request_pause(row.pk)
        wait_until(
            lambda: all(rests(row) for row in everything),
            seconds=RESTS_SECONDS,
            told=lambda: "they never come to rest",
        )
    for row in everything:
        lifecycle.delete_simulation(ports(), row.pk)
    return Measured(
        rates=[(b[0] - a[0]) / seconds for a, b in zip(before, after, strict=True)],
        ticks=[(b[1] - a[1]) / seconds for a, b in zip(before, after, strict=True)],
        cpu=used / seconds,
        load=os.getloadavg()[0],
    )


@contextmanager
def serving(threads: int, thinking: float) -> Iterator[Stack]:
    """Have a scheduler and a worker while the block runs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        stack(Path(folder), RULE_MODEL_DELAY_SECONDS_MAX=str(thinking)) as processes,
    ):
        processes.start_worker("worker", threads=threads)
        processes.start_scheduler()
        wait_until(
            lambda: all(
                queries.process_seen_at(kind) is not None
                for kind in (ProcessRow.Kind.WORKER, ProcessRow.Kind.SCHEDULER)
            ),
            seconds=RESTS_SECONDS,
            told=lambda: processes.log_of("worker")[-3_000:],
        )
        yield processes


def created(name: str, agents: int, until: str) -> SimulationRow:
    """Create a simulation, of a user of that name, that has been lived for a while."""
    owner, _ = User.objects.get_or_create(username=f"fairness-{name}")
    founding = lifecycle.SimulationSpec(name=name, world="smallville", seed=7, agents=agents)
    row = lifecycle.create_simulation(ports(), founding, owner_id=owner.pk)
    return live(row, until, EIGHT_THREADS)


def turns_of(row: SimulationRow) -> int:
    """Return how many turns are on the log: agents and ticks that have events."""
    events = EventRow.objects.filter(simulation_id=row.pk)
    return events.values("tick", "stream").distinct().count()


def ticks_of(row: SimulationRow) -> int:
    """Return the committed tick."""
    found = SimulationRow.objects.filter(pk=row.pk).aggregate(tick=Max("committed_tick"))
    return int(found["tick"])


def rests(row: SimulationRow) -> bool:
    """Return whether the simulation can be deleted."""
    row.refresh_from_db()
    return row.status == Status.PAUSED and row.lease_until is None


def cpu_of(processes: Stack) -> float:
    """Return the CPU seconds that the processes have used."""
    return cpu_seconds(
        process
        for child in processes.running.values()
        for process in family(psutil.Process(child.pid))
    )


if __name__ == "__main__":
    main()
