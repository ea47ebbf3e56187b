"""Work with a limit of tokens, such as surveys and rankings: it pauses at the limit.

Others can pause it, too: then its process stops before the next model call.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from apps import history
from apps.django_support.background_work import (
    PAUSED,
    PENDING,
    RUNNING,
    BackgroundWork,
    RequestedWorkRow,
    WorkStopped,
)
from apps.django_support.heartbeat import LAPSE_SECONDS


class LimitedWorkRow(RequestedWorkRow):
    """The request of work that uses a model.

    `tokens` are those of its model calls so far, `tokens_max` their limit, None for none.
    """

    tokens = models.BigIntegerField(default=0)
    tokens_max = models.BigIntegerField(null=True)

    class Meta:
        """The fields of several tables, not a table."""

        abstract = True


OnProgress = Callable[[int, int], None]
"""A callback with the number of parts that are done, and the number of all parts."""


def unwatched(_done: int, _all: int) -> None:
    """Ignore the progress: that of a worker is read from the rows of the work."""


_Row = TypeVar("_Row", bound=LimitedWorkRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedWork(BackgroundWork[_Row]):
    """One kind of limited work; `limit_reached` is the problem code at the limit."""

    limit_reached: str
    awaits: str | None = "the answer of a model"

    def unfinished_problem(self, row: _Row) -> str:
        """Return why the work is not finished, and what to do."""
        if row.state == PAUSED:
            return f"the {self.noun} is paused: {row.problem}"
        return (
            f"another process is at the {self.noun}; wait for its end, or if that process is "
            f"lost, try again after {LAPSE_SECONDS:.0f} seconds"
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
            self.leave(work_id)
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
        """Add the tokens of model calls; return False if the work was deleted."""
        with transaction.atomic():
            row = self.model._default_manager.select_for_update().filter(pk=work_id).first()
            if row is None:
                return False
            row.tokens += history.tokens_of(simulation_id, calls)
            row.taken_at = timezone.now()
            row.save(update_fields=["tokens", "taken_at"])
        return True

    def pause(self, work_ids: Collection[UUID], code: str, problem: str) -> None:
        """Pause those of the work that wait or are under way.

        The process of work under way stops before its next model call. What it has paid for is
        recorded, and `finished_at` stays None until it has left the work.
        """
        with transaction.atomic():
            rows = self.model._default_manager.select_for_update().filter(
                pk__in=work_ids, state__in=self.open_states
            )
            for row in rows:
                row.finished_at = timezone.now() if row.state == PENDING else None
                row.state, row.problem_code, row.problem = PAUSED, code, problem
                row.save(update_fields=["state", "problem_code", "problem", "finished_at"])

    def resume_with_limit(self, work_id: UUID, tokens_max: int | None) -> _Row:
        """Resume paused work, with another limit of tokens if one is given.

        :raises DomainError: `not_paused`, if it is not paused.
        """
        return self.resume(
            work_id, **({} if tokens_max is None else {"tokens_max": tokens_max})
        )
