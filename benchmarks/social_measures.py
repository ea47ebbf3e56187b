"""Measures the social life of simulations of Smallville from their logs (paper 7.1).

    .venv/bin/python -m benchmarks.social_measures --commit c8f9114 > before.json
    .venv/bin/python -m benchmarks.social_measures --table before.json after.json

The first form measures every finished simulation in the database, one line of JSON each; it
reads events and rows only, so that the same file measures the database of an older commit. The
second prints the table of two such files: the mean of the seeds, with the least and the most.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.setting import prepare

prepare()

from apps.simulation import queries  # noqa: E402 (Django has to be set up first)
from apps.simulation.models import SimulationRow  # noqa: E402
from benchmarks.social_figures import measure  # noqa: E402


def main() -> None:
    """Print the measures of all simulations, or the table of two files of measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--commit", default="", help="the commit that simulated the days")
    parser.add_argument("--table", nargs=2, metavar=("BEFORE", "AFTER"), type=Path)
    asked = parser.parse_args()
    if asked.table:
        sys.stdout.write(table(*map(read_measures, asked.table)))
        return
    for row in SimulationRow.objects.order_by("seed"):
        calendar = queries.calendar_of(row.pk)
        last = calendar.tick_at(calendar.start + timedelta(days=asked.days, hours=3))
        if row.committed_tick >= last:
            run = {"commit": asked.commit, "seed": row.seed}
            print(json.dumps(run | measure(row, asked.days)), flush=True)


def read_measures(path: Path) -> dict[int, dict[str, Any]]:
    """Return the figures of each simulation of a file by its seed."""
    found = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {one["seed"]: one for one in found}


def table(before: Mapping[int, dict[str, Any]], after: Mapping[int, dict[str, Any]]) -> str:
    """Return the table of the seeds that both files have."""
    seeds = sorted(before.keys() & after.keys())
    runs = [[figures[seed] for seed in seeds] for figures in (before, after)]
    old, new = (", ".join(sorted({one["commit"] for one in run})) for run in runs)
    lines = [
        "# Social measures",
        "",
        "Written by `python -m benchmarks.social_measures --table` from the logs of two days",
        "of Smallville with 25 agents and the rule-based model. A value is the mean of the",
        "seeds, with the least and the most in brackets. Some figures were reached by omission",
        "of what they count: [which](figures_by_omission.md).",
        "",
        f"Seeds: {', '.join(map(str, seeds))}. Before: {old}. After: {new}.",
        "",
        "| measure | before | after |",
        "|---|--:|--:|",
    ]
    for name in dict.fromkeys(name for run in runs for one in run for name in one):
        if name not in {"seed", "commit"}:
            cells = (spread([one.get(name, 0) for one in run]) for run in runs)
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def spread(values: Sequence[float]) -> str:
    """Return the mean of the values, with the least and the most."""
    mean = f"{statistics.mean(values):.1f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):g} to {max(values):g})"


if __name__ == "__main__":
    main()
