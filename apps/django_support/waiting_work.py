"""Work that requests record and workers take, such as interviews and replays."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

from django.db import models
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

_Row = TypeVar("_Row", bound=Model)


class RequestedWorkRow(models.Model):
    """The request of a user that workers carry out in steps, and its times by the real clock.

    `by` is the name of the user. `taken_at` is when a process has last recorded progress, and
    `problem` says why the work has failed or is paused. A row has a `state` besides.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    problem_code = models.CharField(max_length=60, blank=True, default="")
    problem = models.TextField(blank=True, default="")
    requested_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        """The fields of several tables, not a table."""

        abstract = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWork(Generic[_Row]):
    """The rows of one kind of work, with `state` and `taken_at`.

    In `free_states` no process is at the work. In `open_states` one may be: `taken_at` is when
    it has last recorded that, None for no process. After `lapse` it counts as lost, and another
    one takes the row. `when_taken` has the values that a row gets when it is taken.

    Work that `is_local` waits for no other machine, so that its process is lost after
    `local_lapse`; None if all work has the same lapse.
    """

    model: type[_Row]
    open_states: Collection[str]
    lapse: timedelta
    free_states: Collection[str] = ()
    when_taken: dict[str, Any] = field(default_factory=dict)
    is_local: Q | None = None
    local_lapse: timedelta = timedelta()

    def ids(self, *, ordered_by: str, **conditions: Any) -> list[UUID]:
        """Return the ids of the work that no process is at, in the order of a field."""
        rows = self.model._default_manager.filter(self._is_waiting(), **conditions)
        return list(rows.order_by(ordered_by).values_list("pk", flat=True))

    def take(self, work_id: UUID) -> _Row | None:
        """Take the work for this process; None if it is over, deleted, or taken."""
        rows = self.model._default_manager.filter(pk=work_id)
        taken = rows.filter(self._is_waiting()).update(
            taken_at=timezone.now(), **self.when_taken
        )
        return rows.first() if taken else None

    def under_way(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return those of the rows that a process carries out, as far as is known."""
        return rows.filter(state__in=self.open_states).exclude(self._is_waiting())

    def lapse_of(self, work_id: UUID) -> timedelta:
        """Return the time without progress after which a process counts as lost."""
        if self.is_local is None:
            return self.lapse
        rows = self.model._default_manager.filter(self.is_local, pk=work_id)
        return self.local_lapse if rows.exists() else self.lapse

    def _is_waiting(self) -> Q:
        now = timezone.now()
        is_free = Q(taken_at=None) | Q(taken_at__lt=now - self.lapse)
        if self.is_local is not None:
            is_free |= self.is_local & Q(taken_at__lt=now - self.local_lapse)
        return Q(state__in=self.free_states) | Q(state__in=self.open_states) & is_free
