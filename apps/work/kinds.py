"""A kind of background work: how processes take it and carry it out, and what users may do.

One rule holds for all kinds. A process that has taken work records by its heartbeat that it is
at it; when that lapses, another process takes the work. An outage of the database and the end
of the process give the work back, and it is taken again. Any other error stops it with the
reason, and a user may resume it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from apps.django_support.heartbeat import LAPSE_SECONDS, held, is_held_here, lapse_limit
from apps.django_support.outage_log import outage_of
from apps.django_support.statements import discard_interrupted_connection
from apps.kernel.errors import Conflict, NotFound, problem_of_error
from apps.llm.batched_calls import awaited_batches
from apps.llm.calls.gateway import BatchAwaited
from apps.simulation.ports import Ports
from apps.work.rows import OPEN, OVER, RESUMABLE, WorkRow, WorkState

CARRY_OUT_WORK = "smallville.carry_out_work"
"""The Celery task of all kinds: its arguments are the name of the kind and the id."""
PROGRESS_SECONDS = 2.0
"""The time between two records of the progress of work that records it often."""
PAUSED_BY_USER, CANCELLED_BY_USER = "paused-by-user", "cancelled-by-user"


class WorkUnknown(NotFound):
    """There is no work of that kind and id."""


class WorkStopped(Conflict):
    """The work was paused, cancelled or deleted meanwhile."""


class WorkNotPaused(Conflict):
    """Only work that is paused or has failed can be resumed."""


class WorkOver(Conflict):
    """The work is over: done, failed or cancelled."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What work waits for, and since when."""

    awaited: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkProgress:
    """How many parts of work are done, of how many; the kind says what they are."""

    done: int = 0
    total: int = 0


OnProgress = Callable[[int, int], None]
"""A callback with the number of parts that are done, and the number of all parts."""


def unwatched(_done: int, _all: int) -> None:
    """Ignore the progress: that of a worker is read from the rows of the work."""


_Row = TypeVar("_Row", bound=WorkRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenWork(Generic[_Row]):
    """Work that this process has taken, and what it needs to carry it out.

    `running_max` is how many simulations of an owner may run at once, 0 for no limit.
    """

    ports: Ports
    row: _Row
    running_max: int = 0
    on_progress: OnProgress = unwatched


@dataclass(frozen=True, kw_only=True)
class WorkKind(Generic[_Row]):
    """One kind of work, a line of the registry in `apps.wiring`.

    `name` is that in addresses and messages, `parts` is what its progress counts. `step`
    carries work out that was taken. Work `in_steps` stays RUNNING while processes take one step
    of it after another. `awaits` says what work waits for while a process is at it, None if
    that process computes.
    """

    name: str
    model: type[_Row]
    parts: str
    step: Callable[[TakenWork[_Row]], None]
    in_steps: bool = False
    awaits: str | None = None
    stopped_state: WorkState = WorkState.PAUSED

    @property
    def noun(self) -> str:
        """The name of the kind in messages."""
        return self.name.replace("-", " ")

    @property
    def rows(self) -> QuerySet[_Row]:
        """All work of the kind, without an order."""
        return self.model._default_manager.all()

    def get(self, work_id: UUID, **of: Any) -> _Row:
        """Return the work; `of` are values of its row, such as its simulation.

        :raises WorkUnknown: if there is none of that id.
        """
        row = self.rows.filter(pk=work_id, **of).first()
        if row is None:
            raise WorkUnknown(f"there is no {self.noun} {work_id}")
        return row

    def get_locked(self, work_id: UUID) -> _Row:
        """Return the work, which no other process changes in this transaction.

        :raises WorkUnknown: if there is none of that id.
        """
        row = self.rows.select_for_update(of=("self",)).filter(pk=work_id).first()
        return self.get(work_id) if row is None else row

    def ids(self) -> list[UUID]:
        """Return the ids of the work that waits for a worker, the earliest request first."""
        rows = self.rows.filter(self.is_free())
        return list(rows.order_by("requested_at").values_list("pk", flat=True))

    def is_free(self) -> Q:
        """Return the condition of work that is open, and that no process is at."""
        return Q(state__in=OPEN) & (Q(seen_at=None) | Q(seen_at__lt=lapse_limit()))

    def under_way(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return those of the rows that a process carries out, as far as is known."""
        return rows.filter(state__in=OPEN, seen_at__gte=lapse_limit())

    def awaits_batch(self, work_id: UUID) -> bool:
        """Return whether the work is open and waits for the end of a batch."""
        return bool(awaited_batches([work_id])) and self.get(work_id).state in OPEN

    def carry_out(
        self,
        ports: Ports,
        work_id: UUID,
        *,
        running_max: int = 0,
        on_progress: OnProgress = unwatched,
    ) -> bool:
        """Take the work and carry it out, or its next step; return whether it was taken.

        It is not taken if it is over, paused, deleted, or taken by another process. A model
        call that a lost process has completed is used again.

        :raises DomainError: if it is stopped; the row has the reason.
        :raises Exception: an error of the service, which has stopped it, too.
        """
        row = self.take(work_id)
        if row is None:
            return False
        taken = TakenWork(
            ports=ports, row=row, running_max=running_max, on_progress=on_progress
        )
        with suppress(WorkStopped, BatchAwaited), self.carried_out(work_id):
            self.step(taken)
        return True

    def take(self, work_id: UUID) -> _Row | None:
        """Take the work for this process; None if it is over, deleted, or taken.

        The process then enters `carried_out`.
        """
        if is_held_here(self.model, work_id):
            return None
        rows, now = self.rows.filter(pk=work_id), timezone.now()
        values: dict[str, Any] = {"seen_at": now, "state": WorkState.RUNNING}
        if not self.in_steps:
            values["taken_at"] = now
        return rows.first() if rows.filter(self.is_free()).update(**values) else None

    @contextmanager
    def carried_out(self, work_id: UUID) -> Iterator[None]:
        """Hold work that was taken while the block runs, and apply the rule of errors.

        Work that is still open at the end of the block is given back. Errors are raised again.
        """
        with held(self.model, work_id):
            try:
                yield
                self.give_back(work_id)
            except (WorkStopped, BatchAwaited):
                self.give_back(work_id)
                raise
            except Exception as error:
                if outage_of(error) is None:
                    then = f"; resume the {self.noun} to try again"
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
            is_running = When(state=WorkState.RUNNING, then=Value(WorkState.PENDING))
            values["state"] = Case(is_running, default=F("state"))
        self.rows.filter(pk=work_id).update(**values)

    def stop(self, work_id: UUID, code: str, problem: str) -> None:
        """Record that an error has stopped the work; no process is at it any more."""
        self.end(work_id, self.stopped_state, code, problem)

    def end(
        self, work_id: UUID, state: WorkState, code: str = "", problem: str = "", **values: Any
    ) -> None:
        """Record that no process is at the work any more, and why; a user's verb precedes.

        :param values: other values of its row.
        """
        self.rows.filter(pk=work_id).exclude(state__in=OPEN).update(seen_at=None)
        self.rows.filter(pk=work_id, state__in=OPEN).update(
            state=state,
            problem_code=code,
            problem=problem,
            finished_at=timezone.now(),
            seen_at=None,
            **values,
        )

    def record(self, work_id: UUID, **values: Any) -> None:
        """Record progress of open work.

        :raises WorkStopped: if it was paused, cancelled or deleted.
        """
        rows = self.rows.filter(pk=work_id, state__in=OPEN)
        if not rows.update(taken_at=timezone.now(), **values):
            raise WorkStopped

    def ensure_wanted(self, work_id: UUID) -> None:
        """Check before a model call that the work is neither paused, cancelled nor deleted.

        :raises WorkStopped: if it is.
        """
        if not self.rows.filter(pk=work_id, state=WorkState.RUNNING).exists():
            raise WorkStopped

    def lock_wanted(self, work_id: UUID) -> None:
        """Check the same, and let nobody change it until the end of the transaction.

        :raises WorkStopped: if it is paused, cancelled, deleted or done.
        """
        rows = self.rows.select_for_update(of=("self",))
        if not rows.filter(pk=work_id, state=WorkState.RUNNING).exists():
            raise WorkStopped

    def pause(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """Pause work for a user; its process stops before the next model call.

        Work that is paused already stays as it is.

        :raises WorkOver: if it is over.
        """
        self._ensure_not_over(work_id)
        self.pause_all([work_id], PAUSED_BY_USER, reason or f"paused by {by}")

    def pause_all(self, work_ids: Collection[UUID], code: str, problem: str) -> None:
        """Pause those of the work that wait or are under way; what is paid for is recorded."""
        self.rows.filter(pk__in=work_ids, state__in=OPEN).update(
            state=WorkState.PAUSED,
            problem_code=code,
            problem=problem,
            finished_at=timezone.now(),
        )

    def cancel(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """End work before its end; what it has recorded stays.

        :raises WorkOver: if it is over.
        """
        self._ensure_not_over(work_id)
        self.rows.filter(pk=work_id).exclude(state__in=OVER).update(
            state=WorkState.CANCELLED,
            problem_code=CANCELLED_BY_USER,
            problem=reason or f"cancelled by {by}",
            finished_at=timezone.now(),
        )

    def resume(self, work_id: UUID, *, by: str, **changes: Any) -> None:  # noqa: ARG002
        """Let work that is paused or has failed go on, with other values of its row.

        A process that has not left it yet continues: another one would ask, and pay for, what
        this one asks at the moment.

        :param changes: those that are None change nothing.
        :raises WorkNotPaused: if it is in another state.
        """
        with transaction.atomic():
            row = self.get_locked(work_id)
            self._ensure_resumable(row)
            if not is_seen(row):
                row.seen_at = None
            has_process = row.seen_at is not None and not self.in_steps
            values = {name: value for name, value in changes.items() if value is not None} | {
                "state": WorkState.RUNNING if has_process else WorkState.PENDING,
                "problem_code": "",
                "problem": "",
                "finished_at": None,
            }
            for name, value in values.items():
                setattr(row, name, value)
            row.save()

    def delete(self, work_id: UUID) -> None:
        """Delete the work; a process that is at it stops. Model calls stay: they are paid."""
        self.rows.filter(pk=work_id).delete()

    def waits_of(self, rows: Sequence[_Row]) -> dict[UUID, Wait | None]:
        """Return what each work waits for; None if it is over, or a process computes."""
        return {row.pk: self.wait_of(row) for row in rows}

    def wait_of(self, row: _Row) -> Wait | None:
        """Return what the work itself waits for; without a query, see `waits_of`."""
        since = row.taken_at or row.requested_at
        if row.state == WorkState.PAUSED:
            return Wait(f"a user who resumes the {self.noun}", row.finished_at or since)
        if row.state not in OPEN:
            return None
        if row.seen_at is not None and not is_seen(row):
            return Wait("another process: the one that was at it is lost", row.seen_at)
        if row.seen_at is None and row.state == WorkState.PENDING:
            return Wait("a worker", since)
        return None if self.awaits is None else Wait(self.awaits, since)

    def progress_of(self, rows: Sequence[_Row]) -> Mapping[UUID, WorkProgress]:
        """Return the progress of each work; one that is in one piece is done or not."""
        return {
            row.pk: WorkProgress(done=int(row.state == WorkState.DONE), total=1) for row in rows
        }

    def unfinished_problem(self, row: _Row) -> str:
        """Return why the work is not done, and what to do."""
        if row.state not in OPEN:
            return f"the {self.noun} is {row.state}: {row.problem}"
        return (
            f"another process is at the {self.noun}; wait for its end, or if that process is "
            f"lost, try again after {LAPSE_SECONDS:.0f} seconds"
        )

    def _ensure_not_over(self, work_id: UUID) -> None:
        """Check the state of work.

        :raises WorkOver: if it is over.
        """
        state = self.get(work_id).state
        if state in OVER:
            raise WorkOver(f"the {self.noun} is {state}")

    def _ensure_resumable(self, row: _Row) -> None:
        """Check the state of work.

        :raises WorkNotPaused: if it can not be resumed.
        """
        if row.state not in RESUMABLE:
            raise WorkNotPaused(f"the {self.noun} is {row.state}; only a paused one is resumed")


def is_seen(row: WorkRow) -> bool:
    """Return whether the process at the work is alive, as far as is known."""
    return row.seen_at is not None and row.seen_at >= lapse_limit()
