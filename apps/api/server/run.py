"""Starts the web process, or several of them: the one place that configures uvicorn."""

import uvicorn
from django.conf import settings
from django.utils.log import configure_logging

from apps.api.server.connections import SHUTDOWN_SECONDS, log_lowered_limit

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
