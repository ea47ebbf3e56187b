"""Counts, day by day, what makes simulated lives believable or not.

    .venv/bin/python -m benchmarks.believability --days 4 --commit d4b3c84 > before.json
    .venv/bin/python -m benchmarks.believability --days 4 --world > world.json
    .venv/bin/python -m benchmarks.believability --table before.json after.json

The first form counts in the rows of every simulation in the database that has lived the days,
and prints one line of JSON each. With `--world` it counts how much of the world is lived:
timed phrases, objects, and words of Smallville. The third form writes the table of two such
files, or of one, to docs/benchmarks/believability.md, or to `--write FILE`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.setting import prepare

prepare()

from apps.evaluation.quality.days import Days  # noqa: E402
from apps.simulation import queries  # noqa: E402 (Django has to be set up first)
from apps.simulation.models import SimulationRow  # noqa: E402
from benchmarks.believability.cost_figures import cpu_figures, read_reports  # noqa: E402
from benchmarks.believability.figures import measure, measure_world  # noqa: E402
from benchmarks.believability.table import TABLE, read_results, table  # noqa: E402


def main() -> None:
    """Print the figures of all simulations, or write their table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=4)
    parser.add_argument("--seed", type=int, help="only simulations of this seed")
    parser.add_argument("--commit", default="", help="the commit that simulated the days")
    parser.add_argument("--world", action="store_true", help="count how the world is lived")
    parser.add_argument(
        "--reports",
        nargs="*",
        default=[],
        type=Path,
        help="outputs of `manage.py simulate`, run day by day, for the CPU",
    )
    parser.add_argument(
        "--table", nargs="+", metavar="FILE", type=Path, help="BEFORE and AFTER, or one file"
    )
    parser.add_argument("--write", default=TABLE, type=Path, help="the file of the table")
    asked = parser.parse_args()
    if asked.table:
        asked.write.write_text(table(*map(read_results, asked.table)), encoding="utf-8")
        print(asked.write)
        return
    print_figures(asked)


def print_figures(asked: argparse.Namespace) -> None:
    """Print a line for each simulation that has lived the days."""
    count = measure_world if asked.world else measure
    reports = read_reports(asked.reports)
    for row in SimulationRow.objects.order_by("seed", "created_at"):
        span = Days(queries.calendar_of(row.pk), asked.days)
        if row.committed_tick >= span.ends and asked.seed in {None, row.seed}:
            found: dict[str, Any] = {"commit": asked.commit} | count(row, asked.days)
            if reports:
                found["figures"] |= cpu_figures(reports, row.pk, span)
            print(json.dumps(found, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
