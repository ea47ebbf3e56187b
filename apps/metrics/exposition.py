"""The metrics of this process, and of those that share its directory, as text and served."""

import hmac
import ipaddress
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import structlog
from django.conf import settings
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.exposition import ThreadingWSGIServer, choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from apps.metrics.directory import is_alive, shared_directory
from apps.metrics.instruments import sample, start_sampling

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


_SCHEME = "bearer"
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_VIA")


def is_admitted(environ: Mapping[str, Any]) -> bool:
    """Return whether a request with these CGI variables may read the metrics."""
    return is_from_this_machine(environ) or is_from_scraper(environ)


def is_from_this_machine(environ: Mapping[str, Any]) -> bool:
    """Return whether a process of this machine that is no proxy sent the request."""
    if any(name in environ for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(environ["REMOTE_ADDR"]).is_loopback
    except (KeyError, ValueError):
        return False


def is_from_scraper(environ: Mapping[str, Any]) -> bool:
    """Return whether the request shows METRICS_TOKEN; never if the setting is empty."""
    scheme, _, shown = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
    token: str = settings.METRICS_TOKEN
    if not token or scheme.lower() != _SCHEME:
        return False
    return hmac.compare_digest(shown.strip().encode(), token.encode())


_LIVE_FILE = re.compile(r"gauge_live\w+_(\d+)\.db")


def exposed(accepts: str, *more: Collector) -> tuple[bytes, str]:
    """Return the metrics and their media type, in the format that a scraper accepts.

    :param accepts: the header Accept of the request.
    :param more: collectors beside those of the process.
    """
    sample()
    registry = CollectorRegistry()
    registry.register(_of_processes())
    for collector in more:
        registry.register(collector)
    encode: Callable[[Collector], bytes]
    encode, media_type = choose_encoder(accepts)
    return encode(registry), media_type


def _of_processes() -> Collector:
    """Return the collector of this process, or of all that share the directory."""
    directory = shared_directory()
    if directory is None:
        return REGISTRY
    _forget_ended_processes(directory)
    return MultiProcessCollector(None, str(directory))  # type: ignore[no-untyped-call]


def _forget_ended_processes(directory: Path) -> None:
    """Remove the gauges of processes that have ended; their counters stay.

    uvicorn and Celery have no hook for the end of every process: each scrape checks them.
    """
    for file in directory.glob("gauge_live*.db"):
        found = _LIVE_FILE.fullmatch(file.name)
        if found and not is_alive(int(found[1])):
            mark_process_dead(int(found[1]), str(directory))  # type: ignore[no-untyped-call]


PATH = "/metrics"
REQUEST_SECONDS_MAX = 10

logger = structlog.get_logger(__name__)


class _Handler(WSGIRequestHandler):
    """Handles a request within a bound of time and without a log line."""

    timeout = REQUEST_SECONDS_MAX

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's
        """Log nothing: a scraper comes every few seconds."""


def start_metrics(process: str) -> None:
    """Record the metrics of a worker or scheduler, and serve them if METRICS_PORT is set.

    :param process: "worker" or "scheduler".
    """
    start_sampling(process)
    if settings.METRICS_PORT:
        serve_metrics(settings.METRICS_HOST, settings.METRICS_PORT)


def serve_metrics(host: str, port: int) -> ThreadingWSGIServer | None:
    """Serve the metrics in a thread; return the server, None if the port is not available.

    The process continues without the server.
    """
    try:
        server = make_server(host, port, answer, ThreadingWSGIServer, handler_class=_Handler)
    except OSError as error:
        logger.error(  # noqa: TRY400  # the reason says everything
            "metrics are not served",
            host=host,
            port=port,
            reason=error.strerror or str(error),
            hint="set METRICS_PORT to a free port, another for each process of a machine",
        )
        return None
    threading.Thread(target=server.serve_forever, name="metrics server", daemon=True).start()
    logger.info("metrics are served", host=host, port=server.server_port)
    return server


def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """Answer a request: a WSGI application."""
    if environ["PATH_INFO"] != PATH or environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
        start_response("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"this port serves GET {PATH} only\n".encode()]
    if not is_admitted(environ):
        challenge = ("WWW-Authenticate", 'Bearer realm="smallville metrics"')
        start_response("401 Unauthorized", [("Content-Type", "text/plain"), challenge])
        return [b"send METRICS_TOKEN as a bearer token, or call from this machine\n"]
    text, media_type = exposed(environ.get("HTTP_ACCEPT", ""))
    start_response("200 OK", [("Content-Type", media_type)])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [text]
