"""Work with a limit of tokens, such as surveys and rankings: it pauses at the limit."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, F, QuerySet
from django.utils import timezone

from apps.llm.batched_calls import BatchedCalls, awaited_batches
from apps.llm.calls.gateway import BatchAwaited
from apps.llm.calls.queries import tokens_of
from apps.llm.models import BatchRow
from apps.work.kinds import TakenWork, Wait, WorkKind, WorkProgress, WorkStopped
from apps.work.rows import OPEN, LimitedWorkRow, WorkState

Batches = BatchedCalls
"""What the parts of work are given to send their calls by."""
LIMIT_REACHED = "token-limit-reached"
_Row = TypeVar("_Row", bound=LimitedWorkRow)
_Part = TypeVar("_Part")
_Progress = TypeVar("_Progress", bound=WorkProgress)


def progress_by_work(
    progress: type[_Progress],
    parts: QuerySet[Any],
    *,
    of: str,
    work_ids: Iterable[UUID],
    **counts: Count,
) -> dict[UUID, _Progress]:
    """Return the progress of each work by its id, counted over its parts by one query.

    :param of: the field of a part that has the id of its work.
    :param counts: the fields of the progress.
    """
    ids = list(work_ids)
    rows = parts.filter(**{f"{of}__in": ids}).order_by().values(of).annotate(**counts)
    return dict.fromkeys(ids, progress()) | {row.pop(of): progress(**row) for row in rows}


@dataclass(frozen=True, kw_only=True)
class LimitedWorkKind(WorkKind[_Row]):
    """One kind of limited work."""

    awaits: str | None = "the answer of a model"

    def ids(self) -> list[UUID]:
        """Return the ids of the work that waits for a worker, and not for a batch."""
        waiting = BatchRow.objects.filter(is_over=False, look_at__gt=timezone.now())
        works = set(waiting.values_list("work_id", flat=True))
        return [work_id for work_id in super().ids() if work_id not in works]

    def waits_of(self, rows: Sequence[_Row]) -> dict[UUID, Wait | None]:
        """Return what each work waits for, which may be a batch of a server."""
        batches = awaited_batches([row.pk for row in rows if row.state in OPEN])
        return super().waits_of(rows) | {
            work_id: Wait(f"a batch of the model server {one.server}", one.created_at)
            for work_id, one in batches.items()
        }

    def under_way(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return those of the rows that a process carries out, or a server answers."""
        waiting = BatchRow.objects.filter(is_over=False).values("work_id")
        return super().under_way(rows) | rows.filter(state__in=OPEN, pk__in=waiting)

    def batches(self, row: _Row) -> Batches:
        """Return the batches of work that was taken.

        :raises BatchAwaited: if one is not over.
        """
        batches = Batches(self.name, row.pk, partial(self.ensure_below_limit, row.pk))
        batches.ensure_over()
        return batches

    def answer_parts(
        self,
        taken: TakenWork[_Row],
        waiting: Sequence[_Part],
        answer: Callable[[_Part, Batches], None],
        *,
        total: int,
    ) -> None:
        """Answer the parts of the work that wait, one after the other, and tell the progress.

        A part whose calls wait for a batch is answered again when the batch is over.

        :raises BatchAwaited: if there is one.
        :raises WorkStopped: before a part if the work is not wanted, or has reached its limit.
        """
        batches = self.batches(taken.row)
        for done, part in enumerate(waiting, start=total - len(waiting) + 1):
            row = self.ensure_below_limit(taken.row.pk)
            row.tokens += batches.tokens
            if self.limit_reached(row):
                break  # what waits to be sent fills the limit
            with suppress(BatchAwaited):
                answer(part, batches)
                taken.on_progress(done, total)
        batches.send()

    def ensure_below_limit(self, work_id: UUID) -> _Row:
        """Return the work before a part of it if it is wanted, and pause it at its limit.

        :raises WorkStopped: if it is not wanted, or has reached its limit.
        """
        row = self.rows.filter(pk=work_id, state=WorkState.RUNNING).first()
        if row is None:
            raise WorkStopped
        if reached := self.limit_reached(row):
            code, problem = reached
            then = f"; resume the {self.noun} with a higher one"
            self.end(work_id, WorkState.PAUSED, code, f"{problem}{then}")
            raise WorkStopped
        return row

    def limit_reached(self, row: _Row) -> tuple[str, str] | None:
        """Return the code and the words of a limit that the work has reached, else None."""
        if row.tokens_max is None or row.tokens < row.tokens_max:
            return None
        return LIMIT_REACHED, (
            f"the limit of {row.tokens_max:,} tokens is reached: {row.tokens:,}"
        )

    def record_use(self, work_id: UUID, simulation_id: UUID, calls: Sequence[str]) -> None:
        """Add the tokens of model calls of the simulation; see `add_use`."""
        self.add_use(work_id, tokens=tokens_of(simulation_id, calls))

    def add_use(self, work_id: UUID, **used: int | Decimal) -> None:
        """Add what was used, also to work that was paused or cancelled meanwhile.

        :param used: numbers that are added to the fields of these names.
        :raises WorkStopped: if the work was deleted.
        """
        values: dict[str, Any] = {name: F(name) + number for name, number in used.items()}
        if not self.rows.filter(pk=work_id).update(**values, taken_at=timezone.now()):
            raise WorkStopped
