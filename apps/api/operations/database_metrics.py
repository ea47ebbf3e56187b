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

from apps.interaction import commands as interviews
from apps.metrics import definitions
from apps.metrics.definition import Definition, MetricKind
from apps.metrics.totals import model_call_totals, turn_totals
from apps.simulation import statistics

CONNECTION_SECONDS_MAX = 2.0
"""How long a scrape waits for the database; scrapers wait 10 seconds by default."""

Samples = Iterable[tuple[tuple[str, ...], float]]
logger = structlog.get_logger(__name__)


class DatabaseMetrics(Collector):
    """Reads the metrics once per scrape. Without a database it says just that."""

    def collect(self) -> list[Metric]:
        """Return the metrics."""
        try:
            _ensure_connection()
            found = list(_read())
        except (InterfaceError, OperationalError, psycopg.OperationalError) as error:
            logger.warning("metrics without the database", reason=str(error))
            return [_family(definitions.DATABASE_UP, [((), 0)])]
        return [_family(definitions.DATABASE_UP, [((), 1)]), *found]


def _ensure_connection() -> None:
    """Check that the pool gives a working connection soon.

    :raises PoolTimeout: if it has none within CONNECTION_SECONDS_MAX. It would let an ordinary
        query wait for as long as a request may.
    """
    pool: Any = connection.pool  # type: ignore[attr-defined]  # PostgreSQL's
    pool.open()
    with pool.connection(timeout=CONNECTION_SECONDS_MAX) as found:
        found.execute("SELECT 1")


def _read() -> Iterator[Metric]:
    now = timezone.now()
    yield from _simulations(now)
    yield from _turns(now)
    yield from _waiting()
    yield from _model_calls()


def _simulations(now: datetime) -> Iterator[Metric]:
    by_status = statistics.simulations_by_status()
    yield _family(
        definitions.SIMULATIONS, [((status,), number) for status, number in by_status.items()]
    )
    ticks, totals = statistics.committed_ticks(), turn_totals()
    yield _family(definitions.SETTLED_TICKS, [((), ticks)])
    yield _family(definitions.COMMITTED_TICKS, [((), ticks + totals.deleted_ticks)])
    yield _family(definitions.TURNS_COMPLETED, [((), totals.completed)])
    yield _family(definitions.TURNS_FAILED, [((), totals.failed)])
    yield _family(definitions.PACE_LAG, [((), statistics.pace_lag_seconds(now))])


def _turns(now: datetime) -> Iterator[Metric]:
    turns = statistics.turn_counts()
    oldest = turns.oldest_sent_at
    age = 0.0 if oldest is None else (now - oldest).total_seconds()
    yield _family(definitions.TURN_QUEUE_LENGTH, [((), turns.sent)])
    yield _family(definitions.TURN_QUEUE_AGE, [((), max(0.0, age))])
    yield _family(definitions.TURNS_RUNNING, [((), turns.taken)])
    yield _family(
        definitions.TURNS_IN_WORK, [(("sent",), turns.sent), (("taken",), turns.taken)]
    )


def _waiting() -> Iterator[Metric]:
    yield _family(definitions.PENDING_COMMANDS, [((), statistics.pending_commands())])
    waiting = len(interviews.waiting_interviews())
    yield _family(definitions.WAITING_INTERVIEWS, [((), waiting)])


def _model_calls() -> Iterator[Metric]:
    totals = list(model_call_totals())
    yield _family(
        definitions.MODEL_CALLS,
        [((one.server, one.model, one.task, one.outcome), one.calls) for one in totals],
    )
    by_task: dict[tuple[str, ...], list[float]] = {}
    for one in totals:
        sums = by_task.setdefault((one.server, one.model, one.task), [0, 0, 0, 0])
        sums[0] += one.retries
        sums[1] += one.prompt_tokens
        sums[2] += one.completion_tokens
        sums[3] += float(one.cost)
    yield _family(definitions.MODEL_RETRIES, [(on, sums[0]) for on, sums in by_task.items()])
    yield _family(
        definitions.MODEL_TOKENS,
        [
            ((*on, kind), sums[place])
            for on, sums in by_task.items()
            for place, kind in ((1, "prompt"), (2, "completion"))
        ],
    )
    yield _family(definitions.MODEL_COST, [(on, sums[3]) for on, sums in by_task.items()])


def _family(definition: Definition, samples: Samples) -> Metric:
    kind = CounterMetricFamily if definition.kind is MetricKind.COUNTER else GaugeMetricFamily
    family: Any = kind(definition.name, definition.help, labels=tuple(definition.labels))
    for labels, value in samples:
        family.add_metric(labels, value)
    metric: Metric = family
    return metric
