"""Queries of news searches: their progress and their findings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.kernel.errors import DomainError
from apps.work.kinds import WorkProgress
from apps.work.rows import WorkState


class NewsSearchNotFinished(DomainError):
    """Only a finished news search has a diffusion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress(WorkProgress):
    """The agents of a search, those verified, and of these the ones without a valid answer."""

    invalid: int = 0
    """Of the verified, those of which a model gave no valid answer."""


def findings_of(row: NewsSearchRow) -> QuerySet[NewsFindingRow]:
    """Return the findings of the search by slug."""
    return NewsFindingRow.objects.filter(search=row).order_by("agent")


def search_progress(search_ids: Iterable[UUID]) -> dict[UUID, SearchProgress]:
    """Return the progress of each search, by one query."""
    ids = list(search_ids)
    rows: Iterable[Any] = (
        NewsFindingRow.objects.filter(search_id__in=ids)
        .values("search_id")
        .annotate(
            total=Count("pk"),
            done=Count("pk", filter=Q(knows__isnull=False)),
            invalid=Count("pk", filter=~Q(parse_error="") & Q(held=[])),
        )
        .order_by()
    )
    return dict.fromkeys(ids, SearchProgress()) | {
        row.pop("search_id"): SearchProgress(**row) for row in rows
    }


def ensure_finished(row: NewsSearchRow) -> None:
    """Check that all agents of the search are verified.

    :raises NewsSearchNotFinished: if not; the message has its progress.
    """
    if row.state == WorkState.DONE:
        return
    progress = search_progress([row.pk])[row.pk]
    hint = "resume it" if row.state == WorkState.PAUSED else "wait for its end"
    raise NewsSearchNotFinished(
        f"the search is {row.state}, {progress.done} of {progress.total} agents are "
        f"verified; {hint}"
    )
