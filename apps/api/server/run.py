"""Starts the web process, or several of them: the one place that configures uvicorn."""

import json
from http import HTTPStatus
from uuid import uuid4

import uvicorn
from django.conf import settings
from django.utils.log import configure_logging

from apps.api.server.limits import SHUTDOWN_SECONDS, log_lowered_limit
from apps.kernel.errors import DomainError

APPLICATION = "smallville_api.asgi:application"
PROTOCOL = "apps.api.server.protocol:BoundedProtocol"


def run_web(host: str, port: int) -> None:
    """Serve until a signal ends the process; WEB_CONCURRENCY sets the number of processes.

    :raises TooFewDescriptors: if the process may not open enough files.
    """
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
    log_lowered_limit()
    uvicorn.run(
        APPLICATION,
        host=host,
        port=port,
        http=PROTOCOL,
        ws="none",
        lifespan="off",
        access_log=False,
        # PROXIES and BEHIND_TLS decide whether X-Forwarded-For and X-Forwarded-Proto count;
        # uvicorn would accept them from every process of this machine.
        proxy_headers=False,
        root_path=settings.URL_PREFIX,
        timeout_keep_alive=max(1, round(settings.KEEP_ALIVE_SECONDS)),
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def response_bytes(error: DomainError, instance: str) -> bytes:
    """Return a whole HTTP response with the error, which ends the connection.

    :param instance: the path of the request, "" if it is not known.
    """
    # It imports Django's models; uvicorn loads its protocol before the application.
    from apps.api.http.problems import PROBLEM_JSON, problem_of  # noqa: PLC0415

    problem = problem_of(error)
    assert problem is not None, "every error has a problem document"
    body = json.dumps(problem.body(instance)).encode()
    headers = {
        "Content-Type": PROBLEM_JSON,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "X-Content-Type-Options": "nosniff",
        "X-Request-ID": uuid4().hex,
        **problem.headers,
    }
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*head, "", ""]).encode("ascii") + body
