"""Work that requests record and processes carry out, such as interviews and replays.

One rule holds for all kinds. A process that has taken work records by its heartbeat that it is
at it; when that lapses, another process takes the work. An outage of the database and the end
of the process give the work back, and it is taken again. Any other error stops it with the
reason; kinds whose `stopped_state` is PAUSED can be resumed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID, uuid4

from django.db import models, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from apps.django_support.heartbeat import held, is_held_here, lapse_limit
from apps.django_support.interruptions import discard_interrupted_connection
from apps.django_support.outages import outage_of
from apps.kernel.errors import DomainError, SmallvilleError, problem_of_error

PENDING, RUNNING, PAUSED, FINISHED = "pending", "running", "paused", "finished"
"""Values of `state` that most kinds have."""


class RequestedWorkRow(models.Model):
    """The request of a user that processes carry out, and its times by the real clock.

    `by` is the name of the user. `taken_at` is when a process has taken the work or last
    recorded progress, `seen_at` is the last heartbeat of the process that is at it, None for no
    process. `problem` says why the work has failed or is paused. A table names its own states.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    state = models.CharField(max_length=10)
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    problem_code = models.CharField(max_length=60, blank=True, default="")
    problem = models.TextField(blank=True, default="")
    requested_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        """The fields of several tables, not a table."""

        abstract = True


class WorkStopped(SmallvilleError):
    """The work was paused or deleted meanwhile; no further model call is to begin."""

    code: ClassVar[str] = "work-stopped"


class WorkNotPaused(DomainError):
    """Only work that is paused can be resumed."""

    code: ClassVar[str] = "work-not-paused"


@dataclass(frozen=True, slots=True)
class Wait:
    """What work waits for, and since when."""

    awaited: str
    since: datetime


_Row = TypeVar("_Row", bound=RequestedWorkRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundWork(Generic[_Row]):
    """One kind of work; `noun` names it in messages.

    It is in one of `open_states` until it is over or stopped: in the first one before a process
    takes it, in the second one while a process carries it out. Work `in_steps` keeps its state
    while processes take one step of it after another. `awaits` says what work waits for while
    a process is at it, None if that process computes.
    """

    model: type[_Row]
    noun: str
    open_states: tuple[str, ...] = (PENDING, RUNNING)
    stopped_state: str = PAUSED
    in_steps: bool = False
    awaits: str | None = None
    not_paused: type[DomainError] = WorkNotPaused

    def ids(self, condition: Q | None = None) -> list[UUID]:
        """Return the ids of the work that no process is at, the earliest request first."""
        rows = self.model._default_manager.filter(condition or Q(), self.is_waiting())
        return list(rows.order_by("requested_at").values_list("pk", flat=True))

    def take(self, work_id: UUID) -> _Row | None:
        """Take the work for this process; None if it is over, deleted, or taken.

        The process then enters `carried_out`.
        """
        if is_held_here(self.model, work_id):
            return None
        rows = self.model._default_manager.filter(pk=work_id)
        now = timezone.now()
        values: dict[str, Any] = {"seen_at": now}
        if not self.in_steps:
            values |= {"taken_at": now, "state": self.open_states[1]}
        return rows.first() if rows.filter(self.is_waiting()).update(**values) else None

    @contextmanager
    def carried_out(self, work_id: UUID) -> Iterator[None]:
        """Hold work that was taken while the block runs, and apply the rule of errors.

        Work that is still open at the end of the block is given back. Errors are raised again.
        """
        with held(self.model, work_id):
            try:
                yield
                self.give_back(work_id)
            except WorkStopped:
                self.leave(work_id)
                raise
            except Exception as error:
                if outage_of(error) is None:
                    can_resume = self.stopped_state == PAUSED
                    then = f"; resume the {self.noun} to try again" if can_resume else ""
                    self.stop(work_id, *problem_of_error(error, then))
                else:
                    # If the database is still away, this raises, and the heartbeat lapses.
                    discard_interrupted_connection()
                    self.give_back(work_id)
                raise
            except BaseException:
                discard_interrupted_connection()
                self.give_back(work_id)
                raise

    def give_back(self, work_id: UUID) -> None:
        """Record that this process has left the work; if open, it waits for another one."""
        values: dict[str, Any] = {"seen_at": None}
        if not self.in_steps:
            waits, carried_out = self.open_states
            values["state"] = Case(
                When(state=carried_out, then=Value(waits)), default=F("state")
            )
        self.model._default_manager.filter(pk=work_id).update(**values)

    def stop(self, work_id: UUID, code: str, problem: str) -> None:
        """Record that an error has stopped the work; no process is at it any more."""
        self.end(work_id, self.stopped_state, code, problem)

    def end(self, work_id: UUID, state: str, code: str = "", problem: str = "") -> None:
        """Record that no process is at the work any more, and why."""
        self.model._default_manager.filter(pk=work_id).update(
            state=state,
            problem_code=code,
            problem=problem,
            finished_at=timezone.now(),
            seen_at=None,
        )

    def leave(self, work_id: UUID) -> None:
        """Record that this process has stopped because the work is not wanted.

        Work that was resumed meanwhile waits for another process.
        """
        rows = self.model._default_manager.filter(pk=work_id)
        rows.filter(state=PAUSED).update(finished_at=timezone.now(), seen_at=None)
        self.give_back(work_id)

    def resume(self, work_id: UUID, **changes: Any) -> _Row:
        """Let paused work go on, with other values of its row.

        If the process that was at it has not left it yet, that one goes on: another one would
        ask, and pay, what this one asks at the moment.

        :raises DomainError: `not_paused`, if it is not paused.
        """
        with transaction.atomic():
            row = self.model._default_manager.select_for_update().get(pk=work_id)
            if row.state != PAUSED:
                raise self.not_paused(
                    f"the {self.noun} is {row.state}; only a paused one is resumed"
                )
            if not _is_seen(row):
                row.seen_at = None
            has_process = row.seen_at is not None and not self.in_steps
            changes["state"] = self.open_states[1 if has_process else 0]
            changes |= {"problem_code": "", "problem": "", "finished_at": None}
            for name, value in changes.items():
                setattr(row, name, value)
            row.save()
        return row

    def under_way(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return those of the rows that a process carries out, as far as is known."""
        return rows.filter(state__in=self.open_states, seen_at__gte=lapse_limit())

    def is_waiting(self) -> Q:
        """Return the condition of work that is open, and that no process is at."""
        is_free = Q(seen_at=None) | Q(seen_at__lt=lapse_limit())
        return Q(state__in=self.open_states) & is_free

    def wait_of(self, row: _Row) -> Wait | None:
        """Return what the work waits for; None if it is over, or a process computes."""
        since = row.taken_at or row.requested_at
        if row.state == PAUSED:
            return Wait(f"a user who resumes the {self.noun}", row.finished_at or since)
        if row.state not in self.open_states:
            return None
        if row.seen_at is not None and not _is_seen(row):
            return Wait("another process: the one that was at it is lost", row.seen_at)
        if row.seen_at is None and not self.in_steps:
            return Wait("a worker", since)
        return None if self.awaits is None else Wait(self.awaits, since)


def record_progress(rows: QuerySet[_Row], **values: Any) -> bool:
    """Record progress of work; return whether it still exists."""
    return bool(rows.update(taken_at=timezone.now(), **values))


def _is_seen(row: RequestedWorkRow) -> bool:
    """Return whether the process at the work is alive, as far as is known."""
    return row.seen_at is not None and row.seen_at >= lapse_limit()
