"""Freezes the memory streams of a simulation for the questions of `retrieval_quality`.

    .venv/bin/python -m benchmarks.freeze_streams SIMULATION agent [agent …]

Writes tests/fixtures/retrieval/streams.jsonl.gz: a line for each memory, with the ticks of its
retrievals. The numbers of the questions refer to these streams: after freezing others, all
questions have to be judged again.
"""

import argparse
import gzip
import json
from collections import defaultdict
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps.memory.models import MemoryRow, RetrievalRow  # noqa: E402 (Django is set up first)
from tests.support.retrieval_questions import FIELDS, STREAMS  # noqa: E402


def main() -> None:
    """Write the streams of the agents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulation", type=UUID)
    parser.add_argument("agents", nargs="+")
    asked = parser.parse_args()
    ticks: dict[tuple[str, int], list[int]] = defaultdict(list)
    ofs = {"simulation_id": asked.simulation, "agent__in": asked.agents}
    for row in RetrievalRow.objects.filter(**ofs).order_by("from_tick"):
        ticks[row.agent, row.number].append(row.from_tick)
    lines = [
        {name: getattr(row, name) for name in FIELDS}
        | {"retrieved": ticks[row.agent, row.number]}
        for row in MemoryRow.objects.filter(**ofs).order_by("agent", "number")
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    STREAMS.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(lines)} memories, {STREAMS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
