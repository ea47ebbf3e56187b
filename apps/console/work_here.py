"""What commands need that carry work out in their own process."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper

from apps import wiring
from apps.console.termination import exit_at_termination
from apps.django_support.progress_bar import progress_bar
from apps.embedded_postgres.database import ensure_running
from apps.work.kinds import WorkKind
from apps.work.rows import WorkState

OPERATOR = "the operator"


def restart_database() -> None:
    """Start the database of the service again after an outage, if it is its own."""
    if settings.EMBEDDED:
        ensure_running(settings.SMALLVILLE_HOME)


def carry_out_here(
    kind: WorkKind[Any], work_id: UUID, stdout: OutputWrapper, *, option: str
) -> Any:
    """Carry work out until it is done, resume it before if it is paused, and return its row.

    :param option: of the command, which continues the work of an id.
    :raises CommandError: if it is not done; the message has the reason.
    """
    if kind.get(work_id).state == WorkState.PAUSED:
        kind.resume(work_id, by=OPERATOR)
    with exit_at_termination(f"{option} {work_id}"), progress_bar(kind.parts) as on_progress:
        stdout.write(f"{kind.noun} {work_id}")
        stdout.flush()
        kind.carry_out(wiring.ports(), work_id, on_progress=on_progress)
    row = kind.get(work_id)
    if row.state != WorkState.DONE:
        problem = kind.unfinished_problem(row)
        raise CommandError(f"{problem}; continue it with {option} {work_id}")
    return row
