"""Measures the storage of an agent-day, by table.

    SMALLVILLE_HOME=/tmp/storage .venv/bin/python -m benchmarks.storage [--agents 25] [--days 1]
        [--dimensions 384] [--continue]

Runs a simulation of Smallville with the answers of the rule-based model, whose prompts are
recorded as those of any model, and prints a table in Markdown: heap, TOAST and indexes of each
table as they are after the run, and after VACUUM FULL. The database must hold no other
simulation; with `--continue` the days are added to the one that it holds. `--dimensions` are
those of the embeddings, which a local model stores for memories only.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from benchmarks.setting import prepare

prepare()

from django.db import connection  # noqa: E402 (Django is set up first)

from apps import wiring  # noqa: E402
from apps.agents.models import AgentRow  # noqa: E402
from apps.llm.model_spec import ModelSpec  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402

SEED = 7
KILOBYTE = 1_000
SHOWN_SHARE_MIN = 0.01  # of all bytes

_SIZES = """
SELECT relname, pg_relation_size(oid),
    coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0), pg_indexes_size(oid)
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSize:
    """The bytes of a table."""

    name: str
    heap: int = 0
    toast: int = 0
    indexes: int = 0

    @property
    def total(self) -> int:
        return self.heap + self.toast + self.indexes


def read_sizes() -> dict[str, TableSize]:
    """Return the sizes of all tables by name."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        rows = cursor.fetchall()
    return {
        name: TableSize(name=name, heap=heap, toast=toast, indexes=indexes)
        for name, heap, toast, indexes in rows
    }


def sum_of(sizes: Sequence[TableSize]) -> TableSize:
    """Return the sum of the sizes."""
    return TableSize(
        name="all",
        heap=sum(one.heap for one in sizes),
        toast=sum(one.toast for one in sizes),
        indexes=sum(one.indexes for one in sizes),
    )


def run(agents: int, days: int, dimensions: int, *, goes_on: bool) -> SimulationRow:
    """Return the simulation after so many more days."""
    if goes_on:
        row = SimulationRow.objects.get()
    elif SimulationRow.objects.exists():
        raise SystemExit("the database holds a simulation: choose another SMALLVILLE_HOME")
    else:
        spec = SimulationSpec(
            name="storage", world="smallville", seed=SEED, agents=agents,
            model=ModelSpec(server="offline", embedding_dimensions=dimensions),
        )  # fmt: skip
        row = lifecycle.create_simulation(wiring.ports(), spec)
    calendar = queries.calendar_of(row.pk)
    end = calendar.time_at(row.committed_tick) + timedelta(days=days)
    lifecycle.request_run(row.pk, until_tick=calendar.tick_at(end))
    run_until_rest(wiring.ports(), row.pk, RunOptions())
    row.refresh_from_db()
    return row


def print_table(sizes: dict[str, TableSize], packed: dict[str, TableSize], days: int) -> None:
    """Print kilobytes per agent-day; `packed` are the sizes after VACUUM FULL."""
    print("| table | heap | TOAST | indexes | all | after VACUUM FULL |")
    print("| --- | --: | --: | --: | --: | --: |")
    known = sorted(sizes.values(), key=lambda one: -one.total)
    lines = [one for one in known if one.total >= SHOWN_SHARE_MIN * sum_of(known).total]
    rest = [one for one in known if one not in lines]
    for line in (*lines, replace(sum_of(rest), name="others"), sum_of(known)):
        of_line = [packed[one.name] for one in rest] if line.name == "others" else None
        after = sum_of(
            of_line or [packed[line.name]] if line.name != "all" else [*packed.values()]
        )
        cells = (line.heap, line.toast, line.indexes, line.total, after.total)
        print(
            f"| {line.name} | {' | '.join(f'{one / days / KILOBYTE:,.1f}' for one in cells)} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=25)
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--continue", dest="goes_on", action="store_true")
    asked = parser.parse_args()
    row = run(asked.agents, asked.days, asked.dimensions, goes_on=asked.goes_on)
    ticks = queries.calendar_of(row.pk).ticks_of(minutes=24 * 60)
    agent_days = (
        AgentRow.objects.filter(simulation_id=row.pk).count() * row.committed_tick // ticks
    )
    sizes = read_sizes()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
    print(f"{agent_days} agent-days; kilobytes per agent-day\n")
    print_table(sizes, read_sizes(), agent_days)


if __name__ == "__main__":
    main()
