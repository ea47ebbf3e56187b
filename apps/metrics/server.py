"""Serves the metrics of a process without HTTP on the port METRICS_PORT."""

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, make_server

import structlog
from django.conf import settings
from prometheus_client.exposition import ThreadingWSGIServer

from apps.metrics.access import is_admitted
from apps.metrics.exposition import exposed
from apps.metrics.sampling import start_sampling

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

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
