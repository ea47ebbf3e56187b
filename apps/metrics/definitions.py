"""The definitions of all metrics; docs/reference/metrics.md is written from them, in order."""

from apps.metrics.definition import Definition, MetricKind, Source

COUNTER, GAUGE, HISTOGRAM = MetricKind.COUNTER, MetricKind.GAUGE, MetricKind.HISTOGRAM
PROCESS, DATABASE = Source.PROCESS, Source.DATABASE

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
    "smallville_http_request_duration_seconds",
    HISTOGRAM,
    PROCESS,
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
OPEN_STREAMS = Definition(
    "smallville_open_streams", GAUGE, PROCESS, "Event streams that are open."
)
SIMULATIONS = Definition(
    "smallville_simulations",
    GAUGE,
    DATABASE,
    "Simulations.",
    {"status": "`running`, `pausing` or `paused`"},
)
COMMITTED_TICKS = Definition(
    "smallville_committed_ticks_total",
    COUNTER,
    DATABASE,
    "Ticks that were committed (settled), deleted simulations included.",
)
PACE_LAG = Definition(
    "smallville_pace_lag_seconds",
    GAUGE,
    DATABASE,
    "Real time by which the slowest running simulation is behind its pace.",
)
TURNS_STARTED = Definition(
    "smallville_turns_started_total",
    COUNTER,
    PROCESS,
    "Turns whose execution has started, repeated attempts included.",
)
TURNS_COMPLETED = Definition(
    "smallville_turns_completed_total",
    COUNTER,
    DATABASE,
    "Turns whose events were written, deleted simulations included.",
)
TURNS_FAILED = Definition(
    "smallville_turns_failed_total",
    COUNTER,
    DATABASE,
    "Attempts of a worker at a turn that ended with an error.",
)
TURN_DURATION = Definition(
    "smallville_turn_duration_seconds",
    HISTOGRAM,
    PROCESS,
    "Time that the execution of a turn took, model calls included.",
    {
        "outcome": "`completed`, `duplicate` (an earlier attempt had written the turn) or "
        "`failed`"
    },
    TURN_BUCKETS,
)
TURN_REDELIVERIES = Definition(
    "smallville_turn_redeliveries_total",
    COUNTER,
    PROCESS,
    "Turns that were sent to the workers again because a worker fell silent.",
)
TURN_QUEUE_LENGTH = Definition(
    "smallville_turn_queue_length", GAUGE, DATABASE, "Turns that wait for a worker."
)
TURN_QUEUE_AGE = Definition(
    "smallville_turn_queue_oldest_age_seconds",
    GAUGE,
    DATABASE,
    "Time that the oldest of the waiting turns has waited; 0 without one.",
)
TURNS_RUNNING = Definition(
    "smallville_turns_running", GAUGE, DATABASE, "Turns that a worker executes."
)
PENDING_COMMANDS = Definition(
    "smallville_pending_commands",
    GAUGE,
    DATABASE,
    "Commands of users that are not accepted yet; those for a later tick included.",
)
WAITING_INTERVIEWS = Definition(
    "smallville_waiting_interviews", GAUGE, DATABASE, "Interviews that wait for a worker."
)
MODEL_CALLS = Definition(
    "smallville_model_calls_total",
    COUNTER,
    DATABASE,
    "Calls of models, deleted simulations included.",
    {
        **_MODEL_LABELS,
        "outcome": "`valid`, `repaired`, `fell_back`, `embedded`, or the code of the failure, "
        "as `model-unavailable`",
    },
)
MODEL_RETRIES = Definition(
    "smallville_model_retries_total",
    COUNTER,
    DATABASE,
    "Requests to model servers beyond the first of each call: after a network or "
    "server error, or after an answer that could not be used.",
    _MODEL_LABELS,
)
MODEL_TOKENS = Definition(
    "smallville_model_tokens_total",
    COUNTER,
    DATABASE,
    "Tokens of model calls, deleted simulations included.",
    {**_MODEL_LABELS, "kind": "`prompt` or `completion`"},
)
MODEL_COST = Definition(
    "smallville_model_cost_total",
    COUNTER,
    DATABASE,
    "Cost of model calls by the prices of GET /api/v1/models, in their currency.",
    _MODEL_LABELS,
)
MODEL_CALL_DURATION = Definition(
    "smallville_model_call_duration_seconds",
    HISTOGRAM,
    PROCESS,
    "Time that the model took to answer, all attempts of a call together.",
    _MODEL_LABELS,
    MODEL_CALL_BUCKETS,
)
DATABASE_UP = Definition(
    "smallville_database_up",
    GAUGE,
    DATABASE,
    "1 if the database answered this scrape; if 0, the metrics of the database are missing.",
)
POOL_CONNECTIONS = Definition(
    "smallville_database_pool_connections",
    GAUGE,
    PROCESS,
    "Database connections of the pool, sampled every few seconds.",
    {**_PROCESS_LABEL, "state": "`idle` or `in_use`"},
)
POOL_SIZE_MAX = Definition(
    "smallville_database_pool_connections_max",
    GAUGE,
    PROCESS,
    "Database connections that the pool may open.",
    _PROCESS_LABEL,
)
POOL_WAITING = Definition(
    "smallville_database_pool_waiting",
    GAUGE,
    PROCESS,
    "Threads that wait for a connection of the pool, sampled every few seconds.",
    _PROCESS_LABEL,
)
SETTLED_TICKS = Definition(
    "smallville_settled_ticks",
    GAUGE,
    DATABASE,
    "Settled ticks of the simulations that exist.",
    replaced_by=COMMITTED_TICKS.name,
)
TURNS_IN_WORK = Definition(
    "smallville_turns_in_work",
    GAUGE,
    DATABASE,
    "Turns that wait for a worker, and turns that a worker executes.",
    {"state": "`sent` or `taken`"},
    replaced_by=f"{TURN_QUEUE_LENGTH.name} and {TURNS_RUNNING.name}",
)

DEFINITIONS = tuple(
    found for found in tuple(globals().values()) if isinstance(found, Definition)
)
"""All of them, in the order of the reference page."""
