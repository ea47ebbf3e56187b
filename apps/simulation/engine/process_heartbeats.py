"""Heartbeats of scheduler and worker processes, stored as rows (`ProcessRow`)."""

import os
import socket
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from apps.django_support.statements import asynchronous_commit
from apps.simulation.models import ProcessRow

FORGOTTEN_AFTER_HOURS = 24
"""Rows of processes that were killed are deleted after this time."""


def process_name() -> str:
    """Return a unique name of this process: host, process id, random digits."""
    return f"{socket.gethostname()[:100]}:{os.getpid()}:{uuid4().hex[:8]}"


def record_heartbeat(kind: ProcessRow.Kind, name: str, *, threads: int = 0) -> None:
    """Record that the process is alive, and delete rows of processes that died long ago."""
    now = timezone.now()
    with asynchronous_commit():
        is_known = ProcessRow.objects.filter(pk=name).update(seen_at=now, threads=threads)
    if not is_known:
        forgotten = now - timedelta(hours=FORGOTTEN_AFTER_HOURS)
        ProcessRow.objects.filter(seen_at__lt=forgotten).delete()
        ProcessRow.objects.update_or_create(
            pk=name,
            defaults={"kind": kind, "threads": threads, "started_at": now, "seen_at": now},
        )


def forget_process(name: str) -> None:
    """Delete the row of a process that shuts down."""
    ProcessRow.objects.filter(pk=name).delete()
