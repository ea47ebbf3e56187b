"""Measures what one person asks of each chain in a day: the figures that estimates rest on.

    .venv/bin/python -m benchmarks.agent_day [PEOPLE] [--write]

The first PEOPLE of Smallville (10, if left out) live one day offline. Prints the figures; with
`--write` keeps them where `apps/llm/estimates.py` reads them. Tokens are characters / 4.
"""

import argparse
import json
from datetime import UTC, datetime
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.eventlog.models import EventRow  # noqa: E402
from apps.llm.call_log import EMBEDDING  # noqa: E402
from apps.llm.estimates import FIGURES_FILE  # noqa: E402
from apps.llm.queries import CostGroup, costs  # noqa: E402
from apps.llm.tokens import count_tokens  # noqa: E402
from apps.memory.events import MemoriesRetrieved, MemoryFormed  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402

WORLD, SEED, TICKS = "smallville", 7, 8_640
# Whose texts are embedded, and where they stand in the event.
EMBEDDED = {MemoryFormed.type: "description", MemoriesRetrieved.type: "query"}


def main() -> None:
    """Live a day and print, or keep, what it asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", nargs="?", type=int, default=10)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    founding = SimulationSpec(name="benchmark", world=WORLD, seed=SEED, people=asked.people)
    row = lifecycle.create_simulation(wiring.ports(), founding)
    try:
        lifecycle.request_run(row.pk, ticks=TICKS)
        run_until_rest(wiring.ports(), row.pk, RunOptions())
        measured = {
            "measured_by": f"python -m benchmarks.agent_day {asked.people} --write",
            "measured_on": f"{datetime.now(UTC):%Y-%m-%d}",
            "world": WORLD,
            "seed": SEED,
            "people": asked.people,
            "chains": figures(row.pk, asked.people),
        }
    finally:
        lifecycle.delete_simulation(wiring.ports(), row.pk)
    text = json.dumps(measured, indent=2) + "\n"
    print(text)
    if asked.write:
        FIGURES_FILE.write_text(text, encoding="utf-8")


def figures(simulation_id: UUID, people: int) -> dict[str, dict[str, float]]:
    """Return what one person asked of each chain."""
    found = {
        line.key: {
            "calls": round(line.calls / people, 2),
            "prompt_tokens": round(line.prompt_tokens / people),
            "completion_tokens": round(line.completion_tokens / people),
        }
        for line in costs(simulation_id, by=CostGroup.CHAIN)
    }
    return found | {EMBEDDING: vectors(simulation_id, people)}


def vectors(simulation_id: UUID, people: int) -> dict[str, float]:
    """Return what a remote embedding model would be asked: each text once, a turn at a time."""
    texts: set[str] = set()
    turns: set[tuple[int, str]] = set()
    rows = EventRow.objects.filter(simulation_id=simulation_id, type__in=EMBEDDED)
    for row in rows.order_by("tick", "stream", "ordinal"):
        text = row.data[EMBEDDED[row.type]]
        if text not in texts:
            texts.add(text)
            turns.add((row.tick, row.stream))
    return {
        "calls": round(len(turns) / people, 2),
        "prompt_tokens": round(sum(map(count_tokens, texts)) / people),
        "completion_tokens": 0,
    }


if __name__ == "__main__":
    main()
