"""Work with a limit of tokens, such as surveys and rankings: it pauses until it is resumed.

A process that is at the work pauses it at an error or at the limit. Others can pause it, too:
then its process stops before the next model call.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.db import connection, models, transaction
from django.utils import timezone

from apps.django_support.interruptions import discard_interrupted_connection
from apps.django_support.outages import outage_of
from apps.django_support.waiting_work import RequestedWorkRow, WaitingWork
from apps.kernel.errors import DomainError, SmallvilleError
from apps.llm.queries import tokens_of

PENDING, RUNNING, PAUSED, FINISHED = "pending", "running", "paused", "finished"
"""Values of `state` that all limited work has."""


class LimitedWorkRow(RequestedWorkRow):
    """The request of work that uses a model; a table names its own states.

    `tokens` are those of its model calls so far, `tokens_max` their limit, None for none.
    """

    state = models.CharField(max_length=8)
    tokens = models.BigIntegerField(default=0)
    tokens_max = models.BigIntegerField(null=True)

    class Meta:
        """The fields of several tables, not a table."""

        abstract = True


class WorkStopped(SmallvilleError):
    """The work was paused or deleted meanwhile; no further model call is to begin."""

    code: ClassVar[str] = "work-stopped"


OnProgress = Callable[[int, int], None]
"""A callback with the number of parts that are done, and the number of all parts."""


def unwatched(_done: int, _all: int) -> None:
    """Ignore the progress: that of a worker is read from the rows of the work."""


_Row = TypeVar("_Row", bound=LimitedWorkRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedWork(WaitingWork[_Row]):
    """One kind of limited work.

    `noun` names it in messages, `limit_reached` is the problem code at the limit, and
    `not_paused` the error of a request to resume work that is not paused.
    """

    noun: str
    limit_reached: str
    not_paused: type[DomainError]
    free_states: Collection[str] = (PENDING,)
    open_states: Collection[str] = (RUNNING,)
    when_taken: dict[str, Any] = field(default_factory=lambda: {"state": RUNNING})

    @contextmanager
    def ended_by_errors(self, work_id: UUID) -> Iterator[None]:
        """Record the end or the pause of the work if an error ends it in this process.

        An error of the service pauses the work, with its reason. The end of the process, such
        as by Ctrl-C, and an outage of the database let it wait for another process. All errors
        are raised again but WorkStopped: the pause has recorded its reason.
        """
        try:
            yield
        except WorkStopped:
            self._leave(work_id)
        except SmallvilleError as error:
            self.end(work_id, PAUSED, error.code, error.message)
            raise
        except Exception as error:
            if outage_of(error) is not None:
                connection.close()
                self.give_back(work_id)
                raise
            problem = f"an error of the service: {error!r}; resume the {self.noun} to try again"
            self.end(work_id, PAUSED, SmallvilleError.code, problem)
            raise
        except BaseException:
            discard_interrupted_connection()
            self.give_back(work_id)
            raise

    def give_back(self, work_id: UUID) -> None:
        """Let the work that this process has taken wait for another one."""
        rows = self.model._default_manager.filter(pk=work_id, state=RUNNING)
        rows.update(state=PENDING, taken_at=None)

    def unfinished_problem(self, row: _Row) -> str:
        """Return why the work is not finished, and what to do."""
        if row.state == PAUSED:
            return f"the {self.noun} is paused: {row.problem}"
        free_at = (row.taken_at or timezone.now()) + self.lapse_of(row.pk)
        return (
            f"another process is at the {self.noun}; wait for its end, or if that process is "
            f"lost, try again after {free_at:%H:%M} UTC"
        )

    def ensure_wanted(self, work_id: UUID) -> None:
        """Check before a model call that the work is under way, neither paused nor deleted.

        :raises WorkStopped: if the work was paused or deleted.
        """
        if not self.model._default_manager.filter(pk=work_id, state=RUNNING).exists():
            raise WorkStopped

    def may_go_on(self, work_id: UUID) -> bool:
        """Return whether the work is still wanted and below its limit; pause it at the limit.

        A process that gets False leaves the work.
        """
        row = self.model._default_manager.filter(pk=work_id, state=RUNNING).first()
        if row is None:
            self._leave(work_id)
            return False
        if row.tokens_max is None or row.tokens < row.tokens_max:
            return True
        problem = (
            f"the limit of {row.tokens_max:,} tokens is reached: {row.tokens:,}; resume the "
            f"{self.noun} with a higher one"
        )
        self.end(work_id, PAUSED, self.limit_reached, problem)
        return False

    def record_use(self, work_id: UUID, simulation_id: UUID, calls: Sequence[str]) -> bool:
        """Add the tokens of model calls, and show that a process is at the work.

        Return False if the work was deleted.
        """
        with transaction.atomic():
            row = self.model._default_manager.select_for_update().filter(pk=work_id).first()
            if row is None:
                return False
            row.tokens += tokens_of(simulation_id, calls)
            row.taken_at = timezone.now()
            row.save(update_fields=["tokens", "taken_at"])
        return True

    def end(self, work_id: UUID, state: str, code: str = "", problem: str = "") -> None:
        """Record that no process is at the work any more, and why."""
        self.model._default_manager.filter(pk=work_id).update(
            state=state, problem_code=code, problem=problem, finished_at=timezone.now()
        )

    def pause(self, work_ids: Collection[UUID], code: str, problem: str) -> None:
        """Pause those of the work that wait or are under way.

        The process of work under way stops before its next model call. What it has paid for is
        recorded, and `finished_at` stays None until it has left the work.
        """
        with transaction.atomic():
            rows = self.model._default_manager.select_for_update().filter(
                pk__in=work_ids, state__in=(PENDING, RUNNING)
            )
            for row in rows:
                row.finished_at = timezone.now() if row.state == PENDING else None
                row.state, row.problem_code, row.problem = PAUSED, code, problem
                row.save(update_fields=["state", "problem_code", "problem", "finished_at"])

    def _leave(self, work_id: UUID) -> None:
        """Record that this process has stopped because the work is not wanted.

        Work that was resumed meanwhile waits for another process.
        """
        with transaction.atomic():
            row = self.model._default_manager.select_for_update().filter(pk=work_id).first()
            if row is None:
                return
            if row.state == RUNNING:
                self.give_back(work_id)
            elif row.state == PAUSED:
                row.finished_at = timezone.now()
                row.save(update_fields=["finished_at"])

    def _is_left(self, row: _Row) -> bool:
        """Return whether no process is at paused work, as far as is known."""
        if row.finished_at is not None or row.taken_at is None:
            return True
        return row.taken_at < timezone.now() - self.lapse_of(row.pk)

    def resume(self, work_id: UUID, *, tokens_max: int | None = None) -> _Row:
        """Let paused work go on, with another limit of tokens if one is given.

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
            row.state = PENDING if self._is_left(row) else RUNNING
            row.problem_code = row.problem = ""
            row.finished_at = None
            if tokens_max is not None:
                row.tokens_max = tokens_max
            row.save()
        return row
