"""Measures the social life of simulations of Smallville from their logs (paper 7.1).

    .venv/bin/python -m benchmarks.social_measures --days 2 > before.json
    .venv/bin/python -m benchmarks.social_measures --table before.json after.json

The first form measures every finished simulation in the database, one line of JSON each; it
reads events and rows only, so that the same file measures the database of an older commit. The
second prints the table of two such files: the mean of the seeds, with the least and the most.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from benchmarks.setting import prepare

prepare()

from apps.simulation import queries  # noqa: E402 (Django has to be set up first)
from apps.simulation.models import SimulationRow  # noqa: E402
from benchmarks.social_figures import Figures, measure  # noqa: E402


def main() -> None:
    """Print the measures of all simulations, or the table of two files of measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--table", nargs=2, metavar=("BEFORE", "AFTER"), type=Path)
    asked = parser.parse_args()
    if asked.table:
        sys.stdout.write(table(*map(read_measures, asked.table)))
        return
    for row in SimulationRow.objects.order_by("seed"):
        calendar = queries.calendar_of(row.pk)
        last = calendar.tick_at(calendar.start + timedelta(days=asked.days, hours=3))
        if row.settled_tick >= last:
            print(json.dumps({"seed": row.seed} | measure(row, asked.days)), flush=True)


def read_measures(path: Path) -> list[Figures]:
    """Return the figures of each simulation of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(before: Sequence[Figures], after: Sequence[Figures]) -> str:
    """Return the table of the seeds that both files have."""
    seeds = sorted({one["seed"] for one in before} & {one["seed"] for one in after})
    named = ", ".join(f"{seed:.0f}" for seed in seeds)
    lines = [
        "# Social measures",
        "",
        "Written by `python -m benchmarks.social_measures --table` from the logs of two days",
        "of Smallville, 25 agents, with the rule-based model. A value is the mean of the",
        f"seeds {named}, in brackets the least and the most.",
        "",
        "| measure | before | after |",
        "|---|--:|--:|",
    ]
    names = dict.fromkeys(name for one in (*before, *after) for name in one if name != "seed")
    for name in names:
        cells = [
            spread([one.get(name, 0) for one in figures if one["seed"] in seeds])
            for figures in (before, after)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def spread(values: Sequence[float]) -> str:
    """Return the mean of the values, with the least and the most."""
    mean = statistics.mean(values)
    return f"{mean:.1f} ({min(values):g} to {max(values):g})"


if __name__ == "__main__":
    main()
