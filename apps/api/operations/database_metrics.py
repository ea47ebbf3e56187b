"""The metrics that are read from the database, gathered for a scrape."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import psycopg
import structlog
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from apps.interaction.commands import INTERVIEWS
from apps.metrics import definitions
from apps.metrics.definitions import Definition, MetricKind
from apps.metrics.totals import model_call_totals, turn_totals
from apps.simulation import queries

CONNECTION_SECONDS_MAX = 2.0
"""The time that a scrape waits for the database; scrapers wait 10 seconds by default."""

Samples = Iterable[tuple[tuple[str, ...], float]]
logger = structlog.get_logger(__name__)


class DatabaseMetrics(Collector):
    """Reads the metrics once per scrape; without a database there is one, which says so."""

    def collect(self) -> list[Metric]:
        """Return the metrics."""
        try:
            _ensure_connection()
            found = [_family(*one) for one in _read(timezone.now())]
        except (InterfaceError, OperationalError, psycopg.OperationalError) as error:
            logger.warning("metrics without the database", reason=str(error))
            return [_family(definitions.DATABASE_UP, 0)]
        return [_family(definitions.DATABASE_UP, 1), *found]


def _ensure_connection() -> None:
    """Check that the pool gives a working connection soon.

    :raises PoolTimeout: if it has none within CONNECTION_SECONDS_MAX. It would let an ordinary
        query wait for as long as a request may.
    """
    pool: Any = connection.pool  # type: ignore[attr-defined]  # PostgreSQL's
    pool.open()
    with pool.connection(timeout=CONNECTION_SECONDS_MAX) as found:
        found.execute("SELECT 1")


def _read(now: datetime) -> Iterator[tuple[Definition, Samples | float]]:
    yield (
        definitions.SIMULATIONS,
        [((status,), count) for status, count in queries.simulations_by_status().items()],
    )
    totals = turn_totals()
    yield definitions.COMMITTED_TICKS, queries.committed_ticks() + totals.deleted_ticks
    yield definitions.TURNS_COMPLETED, totals.completed
    yield definitions.TURNS_FAILED, totals.failed
    yield definitions.PACE_LAG, queries.pace_lag_seconds(now)
    turns = queries.turn_counts()
    oldest = turns.oldest_sent_at or now
    yield definitions.TURN_QUEUE_LENGTH, turns.sent
    yield definitions.TURN_QUEUE_AGE, max(0.0, (now - oldest).total_seconds())
    yield definitions.TURNS_RUNNING, turns.taken
    yield definitions.PENDING_COMMANDS, queries.pending_commands()
    yield definitions.WAITING_INTERVIEWS, len(INTERVIEWS.ids())
    yield from _model_calls()


def _model_calls() -> Iterator[tuple[Definition, Samples]]:
    totals = list(model_call_totals())
    yield (
        definitions.MODEL_CALLS,
        [((one.server, one.model, one.task, one.outcome), one.calls) for one in totals],
    )
    by_task: dict[tuple[str, ...], list[float]] = {}
    for one in totals:
        sums = by_task.setdefault((one.server, one.model, one.task), [0, 0, 0, 0, 0])
        sums[0] += one.retries
        sums[1] += one.prompt_tokens
        sums[2] += one.completion_tokens
        sums[3] += float(one.cost)
        sums[4] += one.cached_prompt_tokens
    yield definitions.MODEL_RETRIES, [(on, sums[0]) for on, sums in by_task.items()]
    yield (
        definitions.MODEL_TOKENS,
        [
            ((*on, kind), sums[place])
            for on, sums in by_task.items()
            for place, kind in ((1, "prompt"), (2, "completion"))
        ],
    )
    yield definitions.MODEL_CACHED_TOKENS, [(on, sums[4]) for on, sums in by_task.items()]
    yield definitions.MODEL_COST, [(on, sums[3]) for on, sums in by_task.items()]


def _family(definition: Definition, samples: Samples | float) -> Metric:
    """Return the metric; a number is the one sample of a metric without labels."""
    kind = CounterMetricFamily if definition.kind is MetricKind.COUNTER else GaugeMetricFamily
    family: Any = kind(definition.name, definition.meaning, labels=tuple(definition.labels))
    for labels, value in [((), samples)] if isinstance(samples, int | float) else samples:
        family.add_metric(labels, value)
    metric: Metric = family
    return metric
