"""The definitions of all metrics; docs/reference/metrics.md is written from them."""

from apps.metrics.definition import Definition, MetricKind, Source

_MILLISECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5)
REQUEST_BUCKETS = (*_MILLISECONDS, 1.0, 2.5, 5.0, 10.0, 30.0)
TURN_BUCKETS = (*_MILLISECONDS, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)
MODEL_CALL_BUCKETS = (0.01, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0, 180.0)

_MODEL_LABELS = {
    "server": "name of the model server in the settings",
    "model": "name of the model; `other` for a model that the settings do not name",
    "task": "LLM task, as in docs/reference/llm_tasks.md; `embedding` for vectors",
}
_PROCESS_LABEL = {"process": "`web`, `worker` or `scheduler`"}

REQUEST_DURATION = Definition(
    name="smallville_http_request_duration_seconds",
    kind=MetricKind.HISTOGRAM,
    source=Source.PROCESS,
    meaning="Time from the arrival of an HTTP request to the start of its response; the body "
    "of a stream or a download is not included.",
    labels={
        "method": "HTTP method; `OTHER` for a method that no route has",
        "route": "template of the path as in the OpenAPI document; `static` for static files, "
        "`unmatched` for a path without a route",
        "status": "class of the status code: `2xx`, `3xx`, `4xx`, `5xx`",
    },
    buckets=REQUEST_BUCKETS,
)
OPEN_STREAMS = Definition(
    name="smallville_open_streams",
    kind=MetricKind.GAUGE,
    source=Source.PROCESS,
    meaning="Event streams that are open.",
)
TURNS_STARTED = Definition(
    name="smallville_turns_started_total",
    kind=MetricKind.COUNTER,
    source=Source.PROCESS,
    meaning="Turns whose execution has started, repeated attempts included.",
)
TURN_DURATION = Definition(
    name="smallville_turn_duration_seconds",
    kind=MetricKind.HISTOGRAM,
    source=Source.PROCESS,
    meaning="Time that the execution of a turn took, model calls included.",
    labels={
        "outcome": "`completed`, `duplicate` (an earlier attempt had written the turn) or "
        "`failed`"
    },
    buckets=TURN_BUCKETS,
)
TURN_REDELIVERIES = Definition(
    name="smallville_turn_redeliveries_total",
    kind=MetricKind.COUNTER,
    source=Source.PROCESS,
    meaning="Turns that were sent to the workers again because a worker fell silent.",
)
MODEL_CALL_DURATION = Definition(
    name="smallville_model_call_duration_seconds",
    kind=MetricKind.HISTOGRAM,
    source=Source.PROCESS,
    meaning="Time that the model took to answer, all attempts of a call together.",
    labels=_MODEL_LABELS,
    buckets=MODEL_CALL_BUCKETS,
)
POOL_CONNECTIONS = Definition(
    name="smallville_database_pool_connections",
    kind=MetricKind.GAUGE,
    source=Source.PROCESS,
    meaning="Database connections of the pool, sampled every few seconds.",
    labels={**_PROCESS_LABEL, "state": "`idle` or `in_use`"},
)
POOL_SIZE_MAX = Definition(
    name="smallville_database_pool_connections_max",
    kind=MetricKind.GAUGE,
    source=Source.PROCESS,
    meaning="Database connections that the pool may open.",
    labels=_PROCESS_LABEL,
)
POOL_WAITING = Definition(
    name="smallville_database_pool_waiting",
    kind=MetricKind.GAUGE,
    source=Source.PROCESS,
    meaning="Threads that wait for a connection of the pool, sampled every few seconds.",
    labels=_PROCESS_LABEL,
)
DATABASE_UP = Definition(
    name="smallville_database_up",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="1 if the database answered this scrape; if 0, the metrics of the database are "
    "missing.",
)
SIMULATIONS = Definition(
    name="smallville_simulations",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Simulations.",
    labels={"status": "`running`, `pausing` or `paused`"},
)
COMMITTED_TICKS = Definition(
    name="smallville_committed_ticks_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Ticks that were committed (settled), deleted simulations included.",
)
TURNS_COMPLETED = Definition(
    name="smallville_turns_completed_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Turns whose events were written, deleted simulations included.",
)
TURNS_FAILED = Definition(
    name="smallville_turns_failed_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Attempts of a worker at a turn that ended with an error.",
)
TURN_QUEUE_LENGTH = Definition(
    name="smallville_turn_queue_length",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Turns that wait for a worker.",
)
TURN_QUEUE_AGE = Definition(
    name="smallville_turn_queue_oldest_age_seconds",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Time that the oldest of the waiting turns has waited; 0 without one.",
)
TURNS_RUNNING = Definition(
    name="smallville_turns_running",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Turns that a worker executes.",
)
PACE_LAG = Definition(
    name="smallville_pace_lag_seconds",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Real time by which the slowest running simulation is behind its pace.",
)
PENDING_COMMANDS = Definition(
    name="smallville_pending_commands",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Commands of users that are not accepted yet; those for a later tick included.",
)
WAITING_INTERVIEWS = Definition(
    name="smallville_waiting_interviews",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Interviews that wait for a worker.",
)
MODEL_CALLS = Definition(
    name="smallville_model_calls_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Calls of models, deleted simulations included.",
    labels={
        **_MODEL_LABELS,
        "outcome": "`valid`, `repaired`, `fell_back`, `embedded`, or the code of the failure, "
        "as `model-unavailable`",
    },
)
MODEL_RETRIES = Definition(
    name="smallville_model_retries_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Requests to model servers beyond the first of each call: after a network or "
    "server error, or after an answer that could not be used.",
    labels=_MODEL_LABELS,
)
MODEL_TOKENS = Definition(
    name="smallville_model_tokens_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Tokens of model calls, deleted simulations included.",
    labels={**_MODEL_LABELS, "kind": "`prompt` or `completion`"},
)
MODEL_COST = Definition(
    name="smallville_model_cost_total",
    kind=MetricKind.COUNTER,
    source=Source.DATABASE,
    meaning="Cost of model calls by the prices of GET /api/v1/models, in their currency.",
    labels=_MODEL_LABELS,
)
SETTLED_TICKS = Definition(
    name="smallville_settled_ticks",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Settled ticks of the simulations that exist.",
    replaced_by=COMMITTED_TICKS.name,
)
TURNS_IN_WORK = Definition(
    name="smallville_turns_in_work",
    kind=MetricKind.GAUGE,
    source=Source.DATABASE,
    meaning="Turns that wait for a worker, and turns that a worker executes.",
    labels={"state": "`sent` or `taken`"},
    replaced_by=f"{TURN_QUEUE_LENGTH.name} and {TURNS_RUNNING.name}",
)

DEFINITIONS = (
    REQUEST_DURATION,
    OPEN_STREAMS,
    SIMULATIONS,
    COMMITTED_TICKS,
    PACE_LAG,
    TURNS_STARTED,
    TURNS_COMPLETED,
    TURNS_FAILED,
    TURN_DURATION,
    TURN_REDELIVERIES,
    TURN_QUEUE_LENGTH,
    TURN_QUEUE_AGE,
    TURNS_RUNNING,
    PENDING_COMMANDS,
    WAITING_INTERVIEWS,
    MODEL_CALLS,
    MODEL_RETRIES,
    MODEL_TOKENS,
    MODEL_COST,
    MODEL_CALL_DURATION,
    DATABASE_UP,
    POOL_CONNECTIONS,
    POOL_SIZE_MAX,
    POOL_WAITING,
    SETTLED_TICKS,
    TURNS_IN_WORK,
)
"""All of them, in the order of the reference page."""
