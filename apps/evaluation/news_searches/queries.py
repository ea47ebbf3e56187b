"""Queries of news searches: the searches of a simulation, their progress and findings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.kernel.errors import DomainError, NotFound


class NewsSearchUnknown(NotFound):
    """The simulation has no news search of that id."""

    code: ClassVar[str] = "news-search-unknown"


class NewsSearchNotFinished(DomainError):
    """Only a finished news search has a diffusion."""

    code: ClassVar[str] = "news-search-not-finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """The agents of a search, those verified, and of these the ones without a valid answer."""

    agents: int = 0
    verified: int = 0
    invalid: int = 0
    """Of the verified, those of which a model gave no valid answer."""


def list_news_searches(simulation_id: UUID) -> QuerySet[NewsSearchRow]:
    """Return the news searches of the simulation, without an order."""
    return NewsSearchRow.objects.filter(simulation_id=simulation_id)


def get_news_search(simulation_id: UUID, search_id: UUID) -> NewsSearchRow:
    """Return the news search.

    :raises NewsSearchUnknown: if the simulation has none of the id.
    """
    row = list_news_searches(simulation_id).filter(pk=search_id).first()
    if row is None:
        raise NewsSearchUnknown(f"there is no news search {search_id} in this simulation")
    return row


def findings_of(row: NewsSearchRow) -> QuerySet[NewsFindingRow]:
    """Return the findings of the search by slug."""
    return NewsFindingRow.objects.filter(search=row).order_by("agent")


def search_progress(search_ids: Iterable[UUID]) -> dict[UUID, SearchProgress]:
    """Return the progress of each search, by one query."""
    rows = (
        NewsFindingRow.objects.filter(search_id__in=list(search_ids))
        .values("search_id")
        .annotate(
            agents=Count("pk"),
            verified=Count("pk", filter=Q(knows__isnull=False)),
            invalid=Count("pk", filter=~Q(parse_error="") & Q(held=[])),
        )
        .order_by()
    )
    return {
        row["search_id"]: SearchProgress(
            agents=row["agents"], verified=row["verified"], invalid=row["invalid"]
        )
        for row in rows
    }


def ensure_finished(row: NewsSearchRow) -> None:
    """Check that all agents of the search are verified.

    :raises NewsSearchNotFinished: if not; the message has its progress.
    """
    if row.state == NewsSearchRow.State.FINISHED:
        return
    progress = search_progress([row.pk]).get(row.pk, SearchProgress())
    hint = "resume it" if row.state == NewsSearchRow.State.PAUSED else "wait for its end"
    raise NewsSearchNotFinished(
        f"the search is {row.state}, {progress.verified} of {progress.agents} agents are "
        f"verified; {hint}"
    )
