"""The limits of a connection: seconds, bytes, file descriptors."""

import resource
from dataclasses import dataclass

import structlog
from django.conf import settings

SHUTDOWN_SECONDS = 3
"""How long open responses may take after the process receives SIGTERM."""
ANSWER_WITHIN_SECONDS = SHUTDOWN_SECONDS - 0.5
"""After so much of it a request without a response is answered 503."""
HEAD_BYTES_MAX = 131_072
"""Of a request line with its headers. The middleware `RequestSizeLimits` has lower limits and
better messages; this bounds the buffer of the parser."""
LINGERING_MAX = 32
"""Rejected connections that stay open briefly, so that clients can read the response."""
LINGER_SECONDS = 2.0
SWEEP_SECONDS = 0.5
"""How often connections are checked; timeouts are late by at most so much."""
_OTHER_DESCRIPTORS = 40
"""Listening socket, files, pipes, sockets to the broker."""
_HINT = "raise the limit of open files (RLIMIT_NOFILE), as by `ulimit -n 4096`"

logger = structlog.get_logger(__name__)


class TooFewDescriptors(Exception):
    """The process may open too few files to serve a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Limits of one web process and of each of its connections."""

    connections_max: int
    head_seconds: float
    body_seconds: float
    idle_seconds: float
    stall_seconds: float


def configured_limits() -> ConnectionLimits:
    """Return the limits of the settings, as far as the process may open files for them.

    :raises TooFewDescriptors: if it may not open one.
    """
    wanted = int(settings.CONNECTIONS_MAX)
    reserved = _reserved_descriptors()
    soft = _raise_descriptor_limit(wanted + reserved)
    if soft <= reserved:
        raise TooFewDescriptors(
            f"the web process may open {soft} files and needs more than {reserved} to serve "
            f"connections; {_HINT}"
        )
    return ConnectionLimits(
        connections_max=min(wanted, soft - reserved),
        head_seconds=settings.REQUEST_HEAD_SECONDS,
        body_seconds=settings.REQUEST_BODY_SECONDS,
        idle_seconds=settings.KEEP_ALIVE_SECONDS,
        stall_seconds=settings.RESPONSE_STALL_SECONDS,
    )


def log_lowered_limit() -> None:
    """Log if the limit of open files allows fewer connections than the settings.

    :raises TooFewDescriptors: if it allows none.
    """
    possible = configured_limits().connections_max
    if possible < settings.CONNECTIONS_MAX:
        logger.warning(
            "connection limit lowered",
            connections_max=possible,
            files_max=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            hint=_HINT,
        )


def _reserved_descriptors() -> int:
    """Return how many descriptors the rest of the process needs at most."""
    pool = int(settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"])
    models = sum(server.calls_at_once_max for server in settings.MODEL_SERVERS.values())
    return _OTHER_DESCRIPTORS + LINGERING_MAX + pool + models


def _raise_descriptor_limit(wanted: int) -> int:
    """Raise the soft limit of open files towards what is wanted, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    return wanted if soft == resource.RLIM_INFINITY else soft
