"""All settings of the service, read from the environment; .env.example explains each.

Settings that change the history of a simulation are in its first event instead.
"""

import os
import secrets
import sys
from pathlib import Path
from typing import Any

import environ  # type: ignore[import-untyped]
import structlog
from psycopg.conninfo import make_conninfo

from apps.embedded_postgres.environment import (
    EMBEDDED_MARK,
    describe_invalid_number,
    read_database_url,
    smallville_home,
)
from apps.embedded_postgres.home import kept_secret
from apps.kernel.errors import exit_with_message
from apps.llm.model_spec import OFFLINE
from apps.llm.servers.configuration import Server, check_choice, read_prices, read_servers

BASE_DIR = Path(__file__).resolve().parent.parent
TRUE_OR_FALSE = {*environ.Env.BOOLEAN_TRUE_STRINGS, "false", "off", "n", "no", "0"}


class Environment(environ.Env):  # type: ignore[misc]  # django-environ has no types
    """Takes texts literally; django-environ replaces "$NAME" by the value of NAME."""

    def get_value(self, var: str, cast: Any = None, *others: Any, **named: Any) -> Any:
        """Return the value of a variable; a text is not expanded, a wrong number ends this."""
        value = self.ENVIRON.get(var)
        if cast is str and value is not None:
            return value
        if cast is bool and value and value.lower() not in TRUE_OR_FALSE:
            sys.exit(f"{var} is {value!r}: set it to true or false.")
        try:
            return super().get_value(var, cast, *others, **named)
        except ValueError:
            if cast not in (int, float):
                raise
            sys.exit(describe_invalid_number(var, str(value)))


env = Environment()

# --- Environment -----------------------------------------------------------------------------

SMALLVILLE_HOME = smallville_home()
EMBEDDED = EMBEDDED_MARK in os.environ
PRODUCTION = "DATABASE_URL" in os.environ and not EMBEDDED
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]


def secret_key() -> str:
    """Return the key that signs sessions; production requires SECRET_KEY."""
    key: str = env.str("SECRET_KEY", default="")
    if key:
        return key
    if PRODUCTION:
        sys.exit(
            "SECRET_KEY is not set: DATABASE_URL is, so set SECRET_KEY to a long random text."
        )
    if EMBEDDED:
        return kept_secret(SMALLVILLE_HOME / "secret_key", lambda: secrets.token_urlsafe(64))
    # No database: a type checker or a build reads the settings, and signs nothing.
    return secrets.token_urlsafe(64)


SECRET_KEY = secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=LOOPBACK)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# The path below which a proxy serves all of this, as in "/town"; "" for a host of its own.
URL_PREFIX = env.str("URL_PREFIX", default="").strip("/")
URL_PREFIX = URL_PREFIX and f"/{URL_PREFIX}"
FORCE_SCRIPT_NAME = URL_PREFIX or None

# --- Apps and middleware ---------------------------------------------------------------------

OUR_APPS = [
    "apps.metrics",
    "apps.lineage",
    "apps.eventlog",
    "apps.llm",
    "apps.access",
    "apps.agents",
    "apps.memory",
    "apps.planning",
    "apps.dialogue",
    "apps.reaction",
    "apps.reflection",
    "apps.simulation.embodiment",
    "apps.simulation",
    "apps.interaction",
    "apps.replays",
    "apps.archives",
    "apps.counterfactuals",
    "apps.evaluation",
    "apps.experiments",
    "apps.api",
    "apps.worker",
    "apps.console",
]
INSTALLED_APPS = [
    # Before the admin, whose templates it replaces.
    "apps.inspection",
    "apps.inspection.apps.InspectionAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "corsheaders",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    *OUR_APPS,
    "tools",
]


def migration_modules() -> dict[str, str]:
    """Return the packages of migrations by the label of the app."""
    packages = (BASE_DIR / "migrations").glob("*/__init__.py")
    return {found.parent.name: f"migrations.{found.parent.name}" for found in packages}


MIGRATION_MODULES = migration_modules()
MIDDLEWARE = [
    "apps.api.operations.metrics.RequestMetrics",
    "apps.api.http.middleware.RequestId",
    "apps.api.http.middleware.Compression",
    "corsheaders.middleware.CorsMiddleware",
    "apps.api.http.middleware.SecurityHeaders",
    "apps.api.http.middleware.RequestSizeLimits",
    "apps.api.http.middleware.LoginLimit",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "apps.api.operations.health.HealthProbe",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "smallville_api.urls"
ASGI_APPLICATION = "smallville_api.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- The database ----------------------------------------------------------------------------

# Entry points put a URL into the environment before this is read. Without one, the name of the
# host tells what is missing.
DATABASE_URL = env.str(
    "DATABASE_URL", default="postgresql://database-url-is-not-set/smallville"
)
# For LISTEN, if the other one is the address of a pooler that gives each transaction another
# connection.
DATABASE_LISTEN_URL = env.str("DATABASE_LISTEN_URL", default="") or DATABASE_URL
with exit_with_message():
    parameters = read_database_url(DATABASE_URL)
    QUEUE_ADDRESSES = {
        "conn_string": make_conninfo(**parameters),
        "listen_conn_string": make_conninfo(
            **read_database_url(DATABASE_LISTEN_URL, "DATABASE_LISTEN_URL")
        ),
    }
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parameters.pop("dbname", ""),
        "USER": parameters.pop("user", ""),
        "PASSWORD": parameters.pop("password", ""),
        "HOST": parameters.pop("host", ""),
        "PORT": parameters.pop("port", ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **parameters,
            "pool": {
                "min_size": 0,
                "max_size": env.int("DATABASE_POOL_MAX", default=20),
                "timeout": env.int("DATABASE_POOL_WAIT_SECONDS", default=30),
            },
            # Those that `django_support.statements` reads by are planned once for a connection;
            # those of Django's models never.
            "prepare_threshold": 0,
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Wall clock and language. Game times are naive and never pass through these. -------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
LANGUAGE_CODE = "en-us"

# --- Files that the admin's pages need -------------------------------------------------------

STATIC_URL = f"{URL_PREFIX}/static/"
WHITENOISE_USE_FINDERS = True

# --- Safety ----------------------------------------------------------------------------------

BEHIND_TLS = env.bool("BEHIND_TLS", default=False)
SECURE_SSL_REDIRECT = BEHIND_TLS
# Probes inside the machine speak plain HTTP.
SECURE_REDIRECT_EXEMPT = [f"^{URL_PREFIX.removeprefix('/')}/?(health|metrics)$"]
YEAR_SECONDS = 31_536_000
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=YEAR_SECONDS if BEHIND_TLS else 0)
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{URL_PREFIX}/"
SESSION_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_SECURE = BEHIND_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("REQUEST_BYTES_MAX", default=1_000_000)
IMPORT_BYTES_MAX = env.int("IMPORT_BYTES_MAX", default=64_000_000)
IMPORT_UNPACKED_BYTES_MAX = env.int("IMPORT_UNPACKED_BYTES_MAX", default=1_000_000_000)
# A body within the bound stays in memory, whatever the bound is.
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
# The bound for a request that shows neither a token nor a session: a login form fits.
ANONYMOUS_REQUEST_BYTES_MAX = env.int("ANONYMOUS_REQUEST_BYTES_MAX", default=65_536)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

SILENCED_SYSTEM_CHECKS = [
    # Paths have no slash at their end, so included paths begin with one.
    "urls.W002",
    # Other names below the same domain are not under the control of this service.
    "security.W005",
    "security.W021",
]

# --- HTTP ------------------------------------------------------------------------------------

# The rate of one user in one process; "" for no limit.
REQUEST_RATE_MAX = env.str("REQUEST_RATE_MAX", default="200/s")
# The rates of one user in all processes together; "" for no limit.
COSTLY_RATES_MAX = {
    "founding": env.str("FOUNDING_RATE_MAX", default="300/m"),
    "thinking": env.str("THINKING_RATE_MAX", default="3000/m"),
}
# The rates of one address in one process; "" for no limit.
WRONG_TOKEN_RATE_MAX = env.str("WRONG_TOKEN_RATE_MAX", default="600/m")
LOGIN_RATE_MAX = env.str("LOGIN_RATE_MAX", default="20/m")
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# The live stream (docs/how_to/follow_the_stream.md); times in seconds.
STREAMS_MAX = env.int("STREAMS_MAX", default=500)
STREAMS_PER_USER_MAX = env.int("STREAMS_PER_USER_MAX", default=100)
STREAM_BACKLOG_EVENTS_MAX = env.int("STREAM_BACKLOG_EVENTS_MAX", default=5_000)
STREAM_HEARTBEAT_SECONDS = env.float("STREAM_HEARTBEAT_SECONDS", default=15.0)
STREAM_POLL_SECONDS = env.float("STREAM_POLL_SECONDS", default=3.0)
STREAM_CHECK_SECONDS = env.float("STREAM_CHECK_SECONDS", default=10.0)
STREAM_STALL_SECONDS = env.float("STREAM_STALL_SECONDS", default=60.0)

# Connections of one process, and how long it waits for a client; times in seconds. The process
# is started by `python -m smallville_api.web`, which applies them.
CONNECTIONS_MAX = env.int("CONNECTIONS_MAX", default=1_000)
REQUEST_HEAD_SECONDS = env.float("REQUEST_HEAD_SECONDS", default=10.0)
REQUEST_BODY_SECONDS = env.float("REQUEST_BODY_SECONDS", default=60.0)
KEEP_ALIVE_SECONDS = env.float("KEEP_ALIVE_SECONDS", default=75.0)
RESPONSE_STALL_SECONDS = env.float("RESPONSE_STALL_SECONDS", default=60.0)
# Downloads, and streams that end at the committed tick: of one process, and of a user in it.
DOWNLOADS_MAX = env.int("DOWNLOADS_MAX", default=100)
DOWNLOADS_PER_USER_MAX = env.int("DOWNLOADS_PER_USER_MAX", default=10)
DOWNLOAD_SECONDS_MAX = env.float("DOWNLOAD_SECONDS_MAX", default=3_600.0)

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_SCHEMA_CLASS": "apps.api.openapi.auto_schema.OperationSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.api.http.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": [
        "apps.api.http.authentication.RequestRateLimit",
        "apps.api.http.authentication.OperationRateLimit",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.api.http.formats.AlwaysJSON",
    "DEFAULT_PARSER_CLASSES": ["apps.api.http.parsers.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "apps.api.http.problems.handle_exception_as_problem",
    # The number of proxies that write X-Forwarded-For; 0: the address of the connection.
    "NUM_PROXIES": env.int("PROXIES", default=0),
}
# Pages of these origins may call the interface from a browser, with a token, not a cookie.
CORS_ALLOWED_ORIGINS = env.list("CORS_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
    "prefer",
    "x-request-id",
]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "Retry-After",
    "X-Request-ID",
]
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Smallville",
    "DESCRIPTION": "Simulations of generative agents, controlled over HTTP.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "WorkState": "apps.work.rows.WorkState",
        "ModelCapability": "apps.simulation.engine.model_check.Capability",
        "CapabilityWorks": "apps.simulation.engine.model_check.Works",
        "SimulationStatus": "apps.simulation.models.Status",
        "Preset": ["economy", "standard", "rich"],
        "ReuseOfHours": ["none", "days", "always"],
        "RelevanceEmphasis": ["none", "questions", "purposes"],
        "RetrievalPurpose": "apps.memory.events.RetrievalPurpose",
        "QueryWords": ["alike", "rare first"],
        "CondensedMemories": ["kept", "left out"],
        "FocusedMemories": ["ignored", "first"],
        "BranchInterventionKind": "apps.simulation.commands.branch_interventions.KINDS",
        "Acquaintance": "apps.api.resources.comparisons.ACQUAINTANCES",
        "AcrossRooms": ["nothing", "dangers", "arrivals"],
        "HealthStatus": ["ok", "degraded", "unavailable"],
        "HealthWord": ["ok", "unavailable", "unknown"],
        "Role": "apps.access.rights.Role",
        "DropReason": "apps.reflection.events.DropReason",
        "ReflectionKind": "apps.reflection.events.ReflectionKind",
        "MemoryKind": "apps.memory.events.MemoryKind",
        "FactKind": "apps.memory.events.FactKind",
        "FactSource": "apps.memory.events.FactSource",
        "NodeKind": "apps.world.tree.NodeKind",
        "CommandKind": "apps.api.resources.commands.KINDS",
        "ModelCallOutcome": "apps.llm.calls.answering.AnswerOutcome",
        "ModelCallPurpose": "apps.llm.port.CallPurpose",
        "CommandState": "apps.simulation.models.CommandRow.State",
        "AnswerKind": "apps.interaction.answer_forms.AnswerKind",
        "ClaimVerdict": "apps.evaluation.social.grapevine.ClaimVerdict",
        "NewsExtent": "apps.evaluation.news_searches.llm_tasks.NewsExtent",
        "KnowledgeVerdict": "apps.evaluation.social.news.KnowledgeVerdict",
        # News searches and replays have the same states.
        "EmbodimentState": "apps.api.resources.embodiments.STATES",
        "ActionKind": "apps.simulation.embodiment.requested_actions.ACTION_NAMES",
        "RequestableAct": "apps.simulation.embodiment.requested_actions.REQUESTABLE_ACTS",
        "ActKind": "apps.agents.acts.ActKind",
        "ActionOutcome": "apps.api.resources.embodiments.OUTCOMES",
        "RestsOn": "apps.llm.estimates.RestsOn",
        "PromptForm": ["full", "short"],
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.api.openapi.hook.complete_document",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
}

# --- Metrics ---------------------------------------------------------------------------------

# The bearer token of a scraper; "" for none.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# The port on which a worker or a scheduler serves its metrics; 0 for none.
METRICS_PORT = env.int("METRICS_PORT", default=0)
METRICS_HOST = env.str("METRICS_HOST", default="127.0.0.1")

# --- Plug-ins --------------------------------------------------------------------------------

# Modules that register measures, exporters and others, before those of installed packages.
PLUG_INS = [
    "tools.exports.inspect_scout",
    "tools.exports.concordia_log",
    "tools.exports.sotopia",
    "tools.day_figures.figures",
    *env.list("PLUG_INS", default=[]),
]

# --- The example front-end --------------------------------------------------------------------

FRONTEND_FOLDER = BASE_DIR / "frontend_stub"

# --- Worlds ----------------------------------------------------------------------------------

# The worlds of users are found beside the shipped ones.
WORLDS_ROOT = Path(env.str("WORLDS_ROOT", default=str(SMALLVILLE_HOME / "worlds")))
SHIPPED_WORLDS = BASE_DIR / "worlds"

# --- Background work -------------------------------------------------------------------------

# By default the queue is in the same PostgreSQL. A message that is not acknowledged is sent
# again after an hour; a turn whose worker has died is found by its row before.
BROKER_URL = env.str("BROKER_URL", default="")
QUEUE_IN_DATABASE = not BROKER_URL
VISIBILITY_TIMEOUT_SECONDS = 3_600
CELERY_BROKER_URL = BROKER_URL or "pgmq://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
}
if QUEUE_IN_DATABASE:
    CELERY_BROKER_TRANSPORT = "apps.worker.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS |= {
        **QUEUE_ADDRESSES,
        "init_extension": False,
        "use_notify": True,
        "notify_throttle_interval_ms": 0,
        "wait_time_seconds": 0,
        "pool_size": 4,
        "pool_timeout": 10,
    }
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "smallville"
CELERY_WORKER_POOL = "threads"
# Turns that one worker process executes at once. Its other threads answer interviews and do
# periodic tasks, so that these never wait for the turns of a busy simulation.
WORKER_THREADS = env.int("WORKER_THREADS", default=16)
WORKER_OTHER_THREADS = 4
CELERY_WORKER_CONCURRENCY = WORKER_THREADS + WORKER_OTHER_THREADS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Keeps the times of tasks in memory: a file would end the process on a full or read-only disk.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_TIMEZONE = "UTC"

# How far, in real seconds, a simulation may fall behind its pace and still catch up.
PACE_CATCH_UP_SECONDS_MAX = env.float("PACE_CATCH_UP_SECONDS_MAX", default=60.0)
# Simulations of one owner that may run at the same time; 0 for no limit.
SIMULATIONS_RUNNING_PER_USER_MAX = env.int("SIMULATIONS_RUNNING_PER_USER_MAX", default=20)

# The interval at which interviews are found whose message was lost.
LOOK_AROUND_SECONDS = 2.0
FORGET_EVERY_SECONDS = 600.0
DROP_BATCHES_EVERY_SECONDS = 20.0
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "look around": {
        "task": "smallville.look_around",
        "schedule": LOOK_AROUND_SECONDS,
        "options": {"expires": 5 * LOOK_AROUND_SECONDS},
    },
    "drop batches": {
        "task": "smallville.drop_batches",
        "schedule": DROP_BATCHES_EVERY_SECONDS,
        "options": {"expires": DROP_BATCHES_EVERY_SECONDS},
    },
    "forget old answers": {
        "task": "smallville.forget_old_answers",
        "schedule": FORGET_EVERY_SECONDS,
        "options": {"expires": FORGET_EVERY_SECONDS},
    },
}

# --- Language models -------------------------------------------------------------------------

# Those of the file MODELS_FILE by name, or "openai" of the variables OPENAI_*: `Server` has all
# settings. The rule-based model `offline` needs no server.
with exit_with_message():
    models = read_servers(os.environ)
    MODEL_SERVERS: dict[str, Server] = {} if models is None else dict(models.servers)
    # The prices of a million tokens, by model or server:model; they precede those of servers.
    MODEL_PRICES = read_prices(env.str("MODEL_PRICES", default=""))
DEFAULT_MODEL_SERVER = env.str(
    "DEFAULT_MODEL_SERVER", default=models.default if models else OFFLINE
)

# The models that simulations may use, as server:model, or a server's name for all of its
# models; empty for all models of all servers. The rule-based model is always among them.
MODELS_ALLOWED = env.list("MODELS_ALLOWED", default=[])
with exit_with_message():
    check_choice(DEFAULT_MODEL_SERVER, MODEL_SERVERS, MODELS_ALLOWED)

# The longest random delay of an answer of the rule-based model, to simulate a slow model.
RULE_MODEL_DELAY_SECONDS_MAX = env.float("RULE_MODEL_DELAY_SECONDS_MAX", default=0.0)

# --- Logs ------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
LOG_FORMAT = env.str("LOG_FORMAT", default="plain" if sys.stderr.isatty() else "json")
# Each line has the values that its request, task or turn has bound: its id, the simulation, the
# agent, the tick.
LOG_PROCESSORS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
structlog.configure(
    processors=[*LOG_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": LOG_PROCESSORS,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        },
        "plain": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": LOG_PROCESSORS,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
            ],
        },
    },
    "filters": {"outages": {"()": "apps.django_support.outage_log.OutageFilter"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["outages"],
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["stderr"], "level": LOG_LEVEL, "propagate": False},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "pgmq": {"level": "WARNING"},
        "psycopg.pool": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
    },
}
