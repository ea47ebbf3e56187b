"""Carries an experiment out twice, the second time killed with SIGKILL, and compares.

    export SMALLVILLE_HOME=/tmp/experiments
    .venv/bin/python manage.py migrate
    .venv/bin/python -m benchmarks.experiment_runs FILE.yaml FOLDER [--kills 3]

The second process is killed each time when so many more events are recorded that the kills
spread over the experiment. Printed are the times, the costs estimated and used, and whether the
tables of both are the same byte for byte. The reports are written to FOLDER.
"""

import argparse
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402
from apps.experiments.commands import request_experiment  # noqa: E402
from apps.experiments.design import read_design  # noqa: E402
from apps.experiments.event_table import progress_of, read_events  # noqa: E402
from apps.experiments.models import ExperimentEventRow, ExperimentRow  # noqa: E402
from apps.experiments.queries import run_lines  # noqa: E402
from apps.kernel.strict_yaml import load_yaml_file  # noqa: E402

TABLES = ("results.csv", "summary.csv")
POLL_SECONDS = 0.2


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start `manage.py carry_out`."""
    command = [sys.executable, "manage.py", "carry_out", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def requested(file: Path) -> UUID:
    """Request the experiment, and return its id."""
    row = request_experiment(
        wiring.ports(),
        read_design(load_yaml_file(file)),
        wiring.LLM_TASK_NAMES,
        by="a benchmark",
    )
    return row.pk


def carry_out(file: Path, folder: Path) -> UUID:
    """Carry the experiment out undisturbed."""
    experiment = requested(file)
    with start(str(experiment), "--output", str(folder)) as process:
        assert process.stdout is not None
        print(process.stdout.read())
    assert process.returncode == 0
    return experiment


def carry_out_killed(file: Path, folder: Path, *, kills: int, events: int) -> UUID:
    """Carry the experiment out in processes that are killed, and in a last one."""
    experiment = requested(file)
    for kill in range(1, kills + 1):
        with start(str(experiment)) as process:
            rows = ExperimentEventRow.objects.filter(experiment=experiment)
            while rows.count() < events * kill // (kills + 1) and process.poll() is None:
                time.sleep(POLL_SECONDS)
            assert process.poll() is None, "it has ended before it was killed"
            process.send_signal(signal.SIGKILL)
        last = rows.order_by("number").last()
        print(f"killed after event {rows.count()}: {last and last.type}")
    with start(str(experiment), "--output", str(folder)) as process:
        assert process.stdout is not None
        print(process.stdout.read())
    assert process.returncode == 0
    return experiment


def print_costs(experiment: UUID) -> None:
    """Print what was estimated and what was used."""
    lines = run_lines(progress_of(experiment))
    for name in ("calls", "tokens"):
        estimated = sum(getattr(line, f"estimated_{name}") for line in lines)
        used = sum(getattr(line, name) for line in lines)
        print(f"{name}: {estimated:,} estimated, {used:,} used ({used / estimated - 1:+.1%})")


def main() -> None:
    """Carry out, kill, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    undisturbed, killed = options.folder / "undisturbed", options.folder / "killed"
    began = time.perf_counter()
    first = carry_out(options.file, undisturbed)
    print(f"undisturbed: {time.perf_counter() - began:.0f} s")
    print_costs(first)
    events, began = len(read_events(first)), time.perf_counter()
    second = carry_out_killed(options.file, killed, kills=options.kills, events=events)
    print(f"killed: {time.perf_counter() - began:.0f} s")
    print_costs(second)
    row = ExperimentRow.objects.get(pk=second)
    print(f"{row}: {row.finished_runs} of {row.runs} runs, {events} events undisturbed")
    for name in TABLES:
        one, other = ((folder / name).read_bytes() for folder in (undisturbed, killed))
        print(f"{name}: {sha256(one).hexdigest()}, the same: {one == other}")


if __name__ == "__main__":
    main()
