"""Measures what one agent asks of each LLM task in a day: the figures of estimates.

    .venv/bin/python -m benchmarks.agent_day [--agents 25] [--days 2] [--write]

The first agents of Smallville are simulated with the rule-based model. Prints the figures; with
`--write` stores them where `apps/llm/estimates.py` reads them. Few agents meet few others and
do not reflect in a day: the figures of a run without reflections are not stored, since an
estimate would leave out what reflections cost. Tokens are characters / 4.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.eventlog.models import EventRow  # noqa: E402
from apps.llm.calls.call_log import EMBEDDING  # noqa: E402
from apps.llm.calls.queries import CostGroup, costs  # noqa: E402
from apps.llm.estimates import FIGURES_FILE  # noqa: E402
from apps.llm.tokens import count_tokens  # noqa: E402
from apps.memory.events import MemoriesRetrieved, MemoryFormed  # noqa: E402
from apps.reflection.llm_tasks.questions import QUESTIONS  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402

WORLD, SEED, TICKS_PER_DAY = "smallville", 7, 8_640
# Whose texts are embedded, and where they stand in the event.
EMBEDDED = {MemoryFormed.type: "description", MemoriesRetrieved.type: "query"}


def main() -> None:
    """Simulate the days and print, or store, what an agent asked in one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=25)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    founding = SimulationSpec(name="benchmark", world=WORLD, seed=SEED, agents=asked.agents)
    row = lifecycle.create_simulation(wiring.ports(), founding)
    try:
        lifecycle.request_run(row.pk, ticks=asked.days * TICKS_PER_DAY)
        run_until_rest(wiring.ports(), row.pk, RunOptions())
        measured = {
            "measured_by": (
                f"python -m benchmarks.agent_day --agents {asked.agents} --days {asked.days}"
                " --write"
            ),
            "measured_on": f"{datetime.now(UTC):%Y-%m-%d}",
            "world": WORLD,
            "seed": SEED,
            "agents": asked.agents,
            "days": asked.days,
            "tasks": figures(row.pk, asked.agents * asked.days),
        }
    finally:
        lifecycle.delete_simulation(wiring.ports(), row.pk)
    text = json.dumps(measured, indent=2) + "\n"
    print(text)
    if QUESTIONS.name not in measured["tasks"]:
        sys.exit("no agent reflected: simulate more agents or more days")
    if asked.write:
        FIGURES_FILE.write_text(text, encoding="utf-8")


def figures(simulation_id: UUID, agent_days: int) -> dict[str, dict[str, float]]:
    """Return what one agent asked of each LLM task in a day."""
    found = {
        line.key: {
            "calls": round(line.calls / agent_days, 2),
            "prompt_tokens": round(line.prompt_tokens / agent_days),
            "completion_tokens": round(line.completion_tokens / agent_days),
        }
        for line in costs(simulation_id, by=CostGroup.TASK)
    }
    return found | {EMBEDDING: vectors(simulation_id, agent_days)}


def vectors(simulation_id: UUID, agent_days: int) -> dict[str, float]:
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
        "calls": round(len(turns) / agent_days, 2),
        "prompt_tokens": round(sum(map(count_tokens, texts)) / agent_days),
        "completion_tokens": 0,
    }


if __name__ == "__main__":
    main()
