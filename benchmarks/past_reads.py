"""Measures reads of the API as of a past moment against reads of the present.

    export SMALLVILLE_HOME=/tmp/forks
    .venv/bin/python manage.py simulate --world smallville --seed 7 --until 2023-02-15T00:00
    .venv/bin/python -m benchmarks.past_reads [--rounds 9]

Reads resources of the only simulation of the database that is no branch: now, with `at` at the
committed tick, which has the same content, and with `at` in the middle of the history. They are
measured in turns, in this process, with all of the view but the network. Prints a table in
Markdown with medians in milliseconds.
"""

import argparse
import statistics
import time

from benchmarks.setting import MILLISECONDS, prepare

prepare()

from django.contrib.auth.models import User  # noqa: E402 (Django is set up first)
from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402

from apps.access.commands import issue_token  # noqa: E402
from apps.agents import queries as agent_queries  # noqa: E402
from apps.lineage.branches import is_branch  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402

RESOURCES = (
    "state",
    "agents",
    "agents/{agent}",
    "agents/{agent}/summary",
    "agents/{agent}/plan",
    "agents/{agent}/timeline",
    "agents/{agent}/known-places",
    "agents/{agent}/memories",
    "agents/{agent}/memories?order=-importance",
    "agents/{agent}/reflections",
    "agents/{agent}/facts",
    "conversations",
    "utterances",
    "relationships",
    "events",
    "model-calls",
    "costs",
)


def read(client: Client, address: str, headers: dict[str, str]) -> float:
    """Return the milliseconds of a request.

    :raises SystemExit: if it is not answered with 200.
    """
    began = time.perf_counter()
    response = client.get(address, headers=headers)
    if response.status_code != 200:
        raise SystemExit(f"{address}: {response.status_code}")
    return (time.perf_counter() - began) * MILLISECONDS


def measure(client: Client, row: SimulationRow, headers: dict[str, str], rounds: int) -> None:
    """Print the medians of each resource."""
    agents = agent_queries.slugs_in_simulation(row.pk)
    agent = agents[0]
    ticks = (row.committed_tick, row.committed_tick // 2)
    ratios = []
    print("| read | now, ms | `at` now, ms | ratio | `at` the middle, ms |")
    print("| --- | --: | --: | --: | --: |")
    for resource in RESOURCES:
        path = f"/api/v1/simulations/{row.pk}/{resource.format(agent=agent)}"
        sign = "&" if "?" in path else "?"
        addresses = (path, *(f"{path}{sign}at={tick}" for tick in ticks))
        times: list[list[float]] = [[], [], []]
        for _ in range(rounds + 1):
            for found, address in zip(times, addresses, strict=True):
                found.append(read(client, address, headers))
        # The first round fills caches.
        now, at_now, at_middle = (statistics.median(found[1:]) for found in times)
        ratios.append(at_now / now)
        name = resource.format(agent="…")
        print(f"| {name} | {now:.1f} | {at_now:.1f} | {at_now / now:.2f} | {at_middle:.1f} |")
    print(f"\nmedian ratio {statistics.median(ratios):.2f}, highest {max(ratios):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    [row] = [row for row in SimulationRow.objects.all() if not is_branch(row.pk)]
    with transaction.atomic():
        user = User.objects.create_superuser("past-reads")
        headers = {"Authorization": f"Bearer {issue_token(user, 'a benchmark')}"}
        measure(Client(SERVER_NAME="127.0.0.1"), row, headers, asked.rounds)
        transaction.set_rollback(True)


if __name__ == "__main__":
    main()
