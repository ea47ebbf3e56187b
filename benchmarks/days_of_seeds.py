"""Lives days of all of Smallville for each seed and holds them to every check there is.

    .venv/bin/python -m benchmarks.days_of_seeds 1 2 3 4 5 [--days 2] [--keep]

Prints a row for each seed and day with what was found wrong below it; the exit status is 1
if anything was. With --keep the runs stay in the database, for `manage.py tell_day`.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.eventlog.models import EventRow  # noqa: E402
from apps.history import (  # noqa: E402
    DayRecord,
    read_day_record,
)
from apps.llm.calls import queries as model_queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from tests.support.towns import EIGHT_THREADS, found, history_of, live  # noqa: E402
from tests.support.whole_day import (  # noqa: E402
    CHECKS,
    CUSTOMERS,
    UNTIL,
    customers,
    first_tick_of,
)

FINDINGS_SHOWN = 12


def main() -> None:
    """Live the days for each seed asked for and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--days", type=int, default=1, help="how many days each")
    parser.add_argument("--keep", action="store_true", help="leave the runs in the database")
    asked = parser.parse_args()
    print(f"customers: {', '.join(CUSTOMERS)}\n")
    print("| seed | log_sha256 | people | events | calls | checks | customers | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = [
        seed
        for seed in asked.seeds
        if not days_are_good(seed, days=asked.days, keep=asked.keep)
    ]
    print(f"\nwrong: {wrong}" if wrong else "\nall is as it should be")
    sys.exit(1 if wrong else 0)


def days_are_good(seed: int, *, days: int, keep: bool) -> bool:
    """Live days, print the row of each and what is wrong with it; say whether nothing is."""
    row = found(seed=seed, agents=None)
    good = [day_is_good(row, day) for day in range(days)]
    if keep:
        print(f"    kept as {row.pk}", flush=True)
    else:
        lifecycle.delete_simulation(wiring.ports(), row.pk)
    return all(good)


def day_is_good(row: SimulationRow, day: int) -> bool:
    """Live a day, print its row and what is wrong with it, and say whether nothing is."""
    began = time.perf_counter()
    until = datetime.fromisoformat(UNTIL) + timedelta(days=day)
    live(row, until.isoformat(), EIGHT_THREADS)
    lived = read_day_record(row.pk, wiring.ports().worlds, from_tick=first_tick_of(row.pk, day))
    findings = {name: wrong for name, wrong in checked(lived) if wrong}
    seconds = time.perf_counter() - began
    served = " ".join(str(customers(lived, place)) for place in CUSTOMERS)
    checks = f"{len(CHECKS) - len(findings)} of {len(CHECKS)}"
    print(
        f"| {row.seed} | {history_of(row.pk)} | {len(lived.agents)} | {events_of(row.pk)} "
        f"| {model_queries.spent(row.pk).calls} | {checks} | {served} | {seconds:.0f} |",
        flush=True,
    )
    for name, wrong in findings.items():
        for finding in wrong[:FINDINGS_SHOWN]:
            print(f"    {name}: {finding}", flush=True)
        if len(wrong) > FINDINGS_SHOWN:
            print(f"    {name}: {len(wrong)} in all", flush=True)
    return not findings


def checked(lived: DayRecord) -> Iterator[tuple[str, list[str]]]:
    """Return what each check finds."""
    return ((name, check(lived)) for name, check in CHECKS.items())


def events_of(simulation_id: UUID) -> int:
    """Return how many events the run has."""
    return EventRow.objects.filter(simulation_id=simulation_id).count()


if __name__ == "__main__":
    main()
