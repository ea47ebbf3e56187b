"""The events of experiments in their table: appended, read, and the row rebuilt from them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.experiments.models import ExperimentEventRow, ExperimentRow
from apps.experiments.progress import (
    ExperimentEvent,
    ExperimentProgress,
    event_from_json,
    fold,
    progress_with,
)
from apps.kernel.errors import SmallvilleError
from apps.work.kinds import WorkUnknown
from apps.work.rows import OVER


class ExperimentChanged(SmallvilleError):
    """Another process has recorded an event of the experiment since."""


def read_events(experiment_id: UUID) -> list[ExperimentEvent]:
    """Return the events of an experiment in their order."""
    rows = ExperimentEventRow.objects.filter(experiment_id=experiment_id).order_by("number")
    return [event_from_json(row.type, row.data) for row in rows]


def progress_of(experiment_id: UUID) -> ExperimentProgress:
    """Return the progress of an experiment, from its events.

    :raises WorkUnknown: if there is none of that id.
    """
    events = read_events(experiment_id)
    if not events:
        raise WorkUnknown(f"there is no experiment {experiment_id}")
    return fold(events)


def append(
    experiment_id: UUID,
    event: ExperimentEvent,
    progress: ExperimentProgress | None,
    *,
    by: str = "",
) -> ExperimentProgress:
    """Append an event, and return the progress with it.

    :param progress: that on which the decision rests, None for the first event; it is changed.
    :raises ExperimentChanged: if there is a later event.
    :raises WorkUnknown: if the experiment was deleted.
    """
    version = 0 if progress is None else progress.version
    with transaction.atomic():
        row = lock(experiment_id)
        last = _rows_of(row).aggregate(last=Max("number"))["last"] or 0
        if last != version:
            raise ExperimentChanged(
                f"experiment {experiment_id} has come to event {last}, not {version}"
            )
        ExperimentEventRow.objects.create(
            experiment=row,
            number=version + 1,
            type=event.type,
            data=event.to_json(),
            by=by,
            recorded_at=timezone.now(),
        )
        progress = progress_with(event, progress)
        _project(row, progress)
    return progress


def lock(experiment_id: UUID) -> ExperimentRow:
    """Return the row, which no other process changes in this transaction.

    :raises WorkUnknown: if there is none of that id.
    """
    row = ExperimentRow.objects.select_for_update().filter(pk=experiment_id).first()
    if row is None:
        raise WorkUnknown(f"there is no experiment {experiment_id}")
    return row


def rebuild_row(experiment_id: UUID) -> ExperimentRow:
    """Derive the row from the events again, and return it."""
    with transaction.atomic():
        row = lock(experiment_id)
        _project(row, progress_of(experiment_id))
    return row


def _project(row: ExperimentRow, progress: ExperimentProgress) -> None:
    rows = _rows_of(row).order_by("number")
    row.name, row.title = progress.design.name, progress.design.title
    row.by = rows.values_list("by", flat=True)[0]
    row.reason = progress.requested.reason
    row.state = progress.state
    row.problem_code, row.problem = progress.problem_code, progress.problem
    row.runs = len(progress.design.measured_runs)
    row.finished_runs = progress.finished_runs
    recorded = rows.reverse().values_list("recorded_at", flat=True)
    row.finished_at = recorded[0] if progress.state in OVER else None
    row.save(update_fields=_PROJECTED)


_PROJECTED: Sequence[str] = (
    "name", "title", "by", "reason", "state", "problem_code", "problem", "runs",
    "finished_runs", "finished_at",
)  # fmt: skip


def _rows_of(row: ExperimentRow) -> Any:
    return ExperimentEventRow.objects.filter(experiment=row)
