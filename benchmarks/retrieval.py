"""How long one exact retrieval takes as a person's memories grow (M4).

    .venv/bin/python benchmarks/retrieval.py [--memories 1000 10000 100000] [--dimensions 384]

Writes memories of one person to the database (the embedded one unless DATABASE_URL is
set), a tenth of them retrieved before, times the query for the 30 best and for what goes
into a prompt, prints a table, and takes the memories away again. Each is timed before the
planner has statistics of the new rows, as in a young simulation, and after.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")

AGENT = "isabella-rodriguez"
RETRIEVED_SHARE = 10  # every tenth memory was retrieved before
TICKS_PER_DAY = 8_640
REPETITIONS = 15
LIMITS = (30, 100)

# Vectors at random: their values do not matter to how long a cosine takes.
FILL = """
INSERT INTO memory_memoryrow (
    simulation_id, agent, number, kind, description, rating, rated_tick, evidence, subject,
    perceived, origin, action, activity, formed_tick, ordinal, embedding
)
SELECT %(simulation_id)s, %(agent)s, number, 'observation',
    'Klaus Mueller is reading about gentrification, part ' || number, 1 + number %% 10, number,
    '[]', 'klaus-mueller', true, '', '', '', number, 0, vector
FROM generate_series(1, %(count)s) AS number
CROSS JOIN LATERAL (
    SELECT array_agg(random() - 0.5)::real[]::halfvec AS vector
    FROM generate_series(1, %(dimensions)s) AS part
    WHERE number > 0  -- so that each memory gets a vector of its own
) AS vectors
"""
RETRIEVE = """
INSERT INTO memory_retrievalrow (simulation_id, agent, number, from_tick, to_tick)
SELECT %(simulation_id)s, %(agent)s, number, number + turn,
    nullif(number + turn + 1, number + 3)
FROM generate_series(1, %(count)s, %(every)s) AS number, generate_series(1, 2) AS turn
"""


def fill(simulation_id: UUID, count: int, dimensions: int) -> None:
    """Write so many memories of one person."""
    values: dict[str, Any] = {
        "simulation_id": simulation_id,
        "agent": AGENT,
        "count": count,
        "dimensions": dimensions,
        "every": RETRIEVED_SHARE,
    }
    with connection.cursor() as cursor:
        cursor.execute(FILL, values)
        cursor.execute(RETRIEVE, values)


def analyse() -> None:
    """Let the planner know of the rows."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memory_memoryrow, memory_retrievalrow")


def milliseconds(simulation_id: UUID, count: int, dimensions: int, limit: int) -> list[float]:
    """Return how long each of some retrievals took, in order of length."""
    query = [0.01 * (place % 7) for place in range(dimensions)]
    taken = []
    for _ in range(REPETITIONS):
        begun = time.perf_counter()
        ranked = retrieve(
            simulation_id,
            AGENT,
            query,
            as_of_tick=count + TICKS_PER_DAY,
            tick_seconds=10,
            limit=limit,
        )
        taken.append((time.perf_counter() - begun) * 1_000)
        assert len(ranked) == min(limit, count)
    return sorted(taken)


def measure(count: int, dimensions: int) -> None:
    """Print a line for each limit, without and with the planner's statistics."""
    simulation_id = uuid4()
    try:
        fill(simulation_id, count, dimensions)
        for known in ("none", "fresh"):
            if known == "fresh":
                analyse()
            for limit in LIMITS:
                taken = milliseconds(simulation_id, count, dimensions, limit)
                print(
                    f"{count:>9,} {dimensions:>6,} {known:>10} {limit:>5} "
                    f"{statistics.median(taken):>9.1f} {taken[0]:>9.1f} {taken[-1]:>9.1f}",
                    flush=True,
                )
    finally:
        for model in (MemoryRow, RetrievalRow):
            model._default_manager.filter(simulation_id=simulation_id).delete()


def main() -> None:
    """Measure each number of memories asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--dimensions", type=int, default=384)
    asked = parser.parse_args()
    print(
        f"{'memories':>9} {'dims':>6} {'statistics':>10} {'best':>5} "
        f"{'median ms':>9} {'fastest':>9} {'slowest':>9}"
    )
    for count in asked.memories:
        measure(count, asked.dimensions)


if __name__ == "__main__":
    import django

    from apps.embedded_postgres.environment import ensure_database_url_or_exit

    ensure_database_url_or_exit()
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from apps.memory.models import MemoryRow, RetrievalRow
    from apps.memory.retrieval_query import retrieve

    call_command("migrate", verbosity=0)
    main()
