"""The definitions of all metrics; docs/reference/metrics.md is written from them, in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial


class MetricKind(StrEnum):
    """The type of a metric in Prometheus."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Source(StrEnum):
    """The origin of a metric's value."""

    PROCESS = "process"
    """Recorded by each process; it starts at zero with the process."""
    DATABASE = "database"
    """Read from the database; every web process gives the same value."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric. `labels` maps the name of each label to its meaning.

    `buckets` are the upper bounds of a histogram.
    """

    kind: MetricKind
    source: Source
    name: str
    meaning: str
    labels: Mapping[str, str] = field(default_factory=dict)
    buckets: tuple[float, ...] = ()


_process_counter = partial(Definition, MetricKind.COUNTER, Source.PROCESS)
_process_gauge = partial(Definition, MetricKind.GAUGE, Source.PROCESS)
_process_histogram = partial(Definition, MetricKind.HISTOGRAM, Source.PROCESS)
_database_counter = partial(Definition, MetricKind.COUNTER, Source.DATABASE)
_database_gauge = partial(Definition, MetricKind.GAUGE, Source.DATABASE)

_MILLISECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5)
REQUEST_BUCKETS = (*_MILLISECONDS, 1.0, 2.5, 5.0, 10.0, 30.0)
TURN_BUCKETS = (*_MILLISECONDS, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)
MODEL_CALL_BUCKETS = (0.01, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0, 180.0)

_MODEL_LABELS = {
    "server": "name of the model server in the settings",
    "model": "name of the model; `other` for a model that the settings do not name",
    "task": "LLM task, as `manage.py describe_llm_tasks` lists them; `embedding` for vectors",
}
_PROCESS_LABEL = {"process": "`web`, `worker` or `scheduler`"}

REQUEST_DURATION = _process_histogram(
    "smallville_http_request_duration_seconds",
    "Time from the arrival of an HTTP request to the start of its response; the body "
    "of a stream or a download is not included.",
    {
        "method": "HTTP method; `OTHER` for a method that no route has",
        "route": "template of the path as in the OpenAPI document; `static` for static files, "
        "`unmatched` for a path without a route",
        "status": "class of the status code: `2xx`, `3xx`, `4xx`, `5xx`",
    },
    REQUEST_BUCKETS,
)
OPEN_STREAMS = _process_gauge("smallville_open_streams", "Event streams that are open.")
SIMULATIONS = _database_gauge(
    "smallville_simulations",
    "Simulations.",
    {"status": "`running`, `pausing` or `paused`"},
)
COMMITTED_TICKS = _database_counter(
    "smallville_committed_ticks_total",
    "Ticks that were committed, deleted simulations included.",
)
PACE_LAG = _database_gauge(
    "smallville_pace_lag_seconds",
    "Real time by which the slowest running simulation is behind its pace.",
)
TURNS_STARTED = _process_counter(
    "smallville_turns_started_total",
    "Turns whose execution has started, repeated attempts included.",
)
TURNS_COMPLETED = _database_counter(
    "smallville_turns_completed_total",
    "Turns whose events were written, deleted simulations included.",
)
TURNS_FAILED = _database_counter(
    "smallville_turns_failed_total",
    "Attempts of a worker at a turn that ended with an error.",
)
TURN_DURATION = _process_histogram(
    "smallville_turn_duration_seconds",
    "Time that the execution of a turn took, model calls included.",
    {
        "outcome": "`completed`, `duplicate` (an earlier attempt had written the turn) or "
        "`failed`"
    },
    TURN_BUCKETS,
)
TURN_REDELIVERIES = _process_counter(
    "smallville_turn_redeliveries_total",
    "Turns that were sent to the workers again because a worker fell silent.",
)
TURN_QUEUE_LENGTH = _database_gauge(
    "smallville_turn_queue_length", "Turns that wait for a worker."
)
TURN_QUEUE_AGE = _database_gauge(
    "smallville_turn_queue_oldest_age_seconds",
    "Time that the oldest of the waiting turns has waited; 0 without one.",
)
TURNS_RUNNING = _database_gauge("smallville_turns_running", "Turns that a worker executes.")
PENDING_COMMANDS = _database_gauge(
    "smallville_pending_commands",
    "Commands of users that are not accepted yet; those for a later tick included.",
)
WAITING_INTERVIEWS = _database_gauge(
    "smallville_waiting_interviews", "Interviews that wait for a worker."
)
MODEL_CALLS = _database_counter(
    "smallville_model_calls_total",
    "Calls of models, deleted simulations included.",
    {
        **_MODEL_LABELS,
        "outcome": "`valid`, `adjusted`, `repaired`, `fell_back`, `embedded`, or the code of "
        "the failure, as `model-unavailable`",
    },
)
MODEL_RETRIES = _database_counter(
    "smallville_model_retries_total",
    "Requests to model servers beyond the first of each call: after a network or "
    "server error, or after an answer that could not be used.",
    _MODEL_LABELS,
)
MODEL_TOKENS = _database_counter(
    "smallville_model_tokens_total",
    "Tokens of model calls, deleted simulations included.",
    {**_MODEL_LABELS, "kind": "`prompt` or `completion`"},
)
MODEL_CACHED_TOKENS = _database_counter(
    "smallville_model_cached_tokens_total",
    "Those of the prompt tokens that the server had in its cache.",
    _MODEL_LABELS,
)
MODEL_COST = _database_counter(
    "smallville_model_cost_total",
    "Cost of model calls by the prices of GET /api/v1/models, in their currency.",
    _MODEL_LABELS,
)
MODEL_CALL_DURATION = _process_histogram(
    "smallville_model_call_duration_seconds",
    "Time that the model took to answer, all attempts of a call together.",
    _MODEL_LABELS,
    MODEL_CALL_BUCKETS,
)
DATABASE_UP = _database_gauge(
    "smallville_database_up",
    "1 if the database answered this scrape; if 0, the metrics of the database are missing.",
)
POOL_CONNECTIONS = _process_gauge(
    "smallville_database_pool_connections",
    "Database connections of the pool, sampled every few seconds.",
    {**_PROCESS_LABEL, "state": "`idle` or `in_use`"},
)
POOL_SIZE_MAX = _process_gauge(
    "smallville_database_pool_connections_max",
    "Database connections that the pool may open.",
    _PROCESS_LABEL,
)
POOL_WAITING = _process_gauge(
    "smallville_database_pool_waiting",
    "Threads that wait for a connection of the pool, sampled every few seconds.",
    _PROCESS_LABEL,
)

DEFINITIONS = tuple(
    found for found in tuple(globals().values()) if isinstance(found, Definition)
)
"""All of them, in the order of the reference page."""
