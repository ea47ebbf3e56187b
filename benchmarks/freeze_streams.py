"""Freezes the memory streams of a simulation for the questions of `retrieval_quality`.

    .venv/bin/python -m benchmarks.freeze_streams SIMULATION --until TICK agent [agent …]

Writes tests/fixtures/retrieval/streams.jsonl.gz: a line for each memory that was formed by the
tick, with the ticks of its retrievals, and the ticks and counts of its repetitions. The numbers
of the questions refer to these streams: after freezing others, all questions have to be judged
again.
"""

import argparse
import gzip
import json
from collections import defaultdict
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps.memory.models import (  # noqa: E402 (Django is set up first)
    MemoryRow,
    RepetitionRow,
    RetrievalRow,
)
from tests.support.retrieval_questions import FIELDS, STREAMS  # noqa: E402


def main() -> None:
    """Write the streams of the agents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulation", type=UUID)
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--until", type=int, required=True, metavar="TICK")
    asked = parser.parse_args()
    of = {"simulation_id": asked.simulation, "agent__in": asked.agents}
    retrieved: dict[tuple[str, int], list[int]] = defaultdict(list)
    repeated: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    until = {"from_tick__lte": asked.until}
    for row in RetrievalRow.objects.filter(**of, **until).order_by("from_tick"):
        retrieved[row.agent, row.number].append(row.from_tick)
    for again in RepetitionRow.objects.filter(**of, **until).order_by("from_tick"):
        repeated[again.agent, again.number].append((again.from_tick, again.times))
    lines = [
        {name: getattr(row, name) for name in FIELDS}
        | {
            "retrieved": retrieved[row.agent, row.number],
            "repeated": repeated[row.agent, row.number],
        }
        for row in MemoryRow.objects.filter(**of, formed_tick__lte=asked.until).order_by(
            "agent", "number"
        )
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    STREAMS.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(lines)} memories, {STREAMS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
