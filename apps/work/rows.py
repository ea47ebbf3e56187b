"""The rows of background work: who has requested it, its state, and its times."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models

from apps.django_support.keyed_rows import KeyedRow


class WorkState(models.TextChoices):
    """The states of work of every kind.

    PENDING work waits for a process, RUNNING work has one or waits for what it has started.
    PAUSED work has a problem, and continues when a user resumes it. The others are ends.
    """

    PENDING = "pending"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (WorkState.PENDING, WorkState.RUNNING)
RESUMABLE = (WorkState.PAUSED, WorkState.FAILED)
OVER = (WorkState.DONE, WorkState.FAILED, WorkState.CANCELLED)


class WorkRow(KeyedRow):
    """The request of a user that processes carry out, and its times by the real clock.

    `by` is the name of the user. `taken_at` is when a process has taken the work or last
    recorded progress, `seen_at` is the last heartbeat of the process that is at it, None for no
    process. `problem` says why the work is paused, has failed or was cancelled, since
    `finished_at`.
    """

    State = WorkState

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    state = models.CharField(max_length=9, choices=WorkState, default=WorkState.PENDING)
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    problem_code = models.CharField(max_length=60, blank=True, default="")
    problem = models.TextField(blank=True, default="")
    requested_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        """The fields of several tables, which are found by state."""

        abstract = True
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["state"], name="%(class)s_of_state")
        ]


class LimitedWorkRow(WorkRow):
    """The request of work that uses a model.

    `tokens` are those of its model calls so far, `tokens_max` their limit, None for none.
    """

    tokens = models.BigIntegerField(default=0)
    tokens_max = models.BigIntegerField(null=True)

    class Meta(WorkRow.Meta):
        """The fields of several tables, not a table."""

        abstract = True
