"""Counts the embedding requests of the turns of a morning.

    .venv/bin/python -m benchmarks.embedding_requests 6

The first AGENTS of Smallville live until noon with the answers of the rule-based model, through
the openai adapter and a server on this machine, so that each request for vectors is on record.
"""

import argparse
from collections import Counter
from datetime import datetime

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.eventlog.models import EventRow  # noqa: E402
from apps.eventlog.store import log_sha256  # noqa: E402
from apps.llm.models import EmbeddingCallRow  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from tests.support.thinking_towns import thinking_town  # noqa: E402

UNTIL = "2023-02-13T12:00"
PATIENCE_SECONDS = 120.0


def main() -> None:
    """Simulate the morning, and print how many turns made how many requests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="?", type=int, default=6)
    agents = parser.parse_args().agents
    with thinking_town(
        agents, timeout_seconds=PATIENCE_SECONDS, deadline_seconds=PATIENCE_SECONDS
    ) as town:
        until = queries.calendar_of(town.row.pk).tick_at(datetime.fromisoformat(UNTIL))
        row = town.live(until)
        assert row.committed_tick == until, row.reason
        by_requests = requests_by_turn(row)
        texts = EmbeddingCallRow.objects.filter(simulation_id=row.pk).values_list(
            "texts", flat=True
        )
        print(f"log: {log_sha256(row.pk)}")
        print(f"turns by their embedding requests: {dict(sorted(by_requests.items()))}")
        print(f"requests: {len(texts)}, texts: {sum(texts)}")
        lifecycle.delete_simulation(wiring.ports(), row.pk)


def requests_by_turn(row: SimulationRow) -> Counter[int]:
    """Return the number of turns by the number of their embedding requests."""
    turns = EventRow.objects.filter(simulation_id=row.pk, tick__gt=0).exclude(stream="commands")
    made = Counter(
        EmbeddingCallRow.objects.filter(simulation_id=row.pk).values_list("tick", "stream")
    )
    return Counter(made[turn] for turn in set(turns.values_list("tick", "stream")))


if __name__ == "__main__":
    main()
