"""Queries of news searches: their progress and their findings."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.social.news import News, NewsEvidence
from apps.history import Recorded
from apps.kernel.errors import Conflict
from apps.memory.events import MemoryFormed
from apps.work.kinds import WorkProgress
from apps.work.limited_work import progress_by_work
from apps.work.rows import WorkState


class NewsSearchNotFinished(Conflict):
    """Only a finished news search has a diffusion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress(WorkProgress):
    """The agents of a search, those verified, and of these the ones without a valid answer."""

    invalid: int = 0
    """Of the verified, those of which a model gave no valid answer."""


def findings_of(row: NewsSearchRow) -> QuerySet[NewsFindingRow]:
    """Return the findings of the search by slug."""
    return NewsFindingRow.objects.filter(search=row).order_by("agent")


def evidence_of(row: NewsFindingRow) -> NewsEvidence:
    """Return what the verifier has read and answered of an agent."""
    return NewsEvidence(
        is_believed=bool(row.knows),
        held=row.held,
        considered=row.considered,
        model_calls=row.model_calls,
        parse_error=row.parse_error,
    )


def search_progress(search_ids: Iterable[UUID]) -> dict[UUID, SearchProgress]:
    """Return the progress of each search, by one query."""
    return progress_by_work(
        SearchProgress,
        NewsFindingRow.objects.all(),
        of="search_id",
        work_ids=search_ids,
        total=Count("pk"),
        done=Count("pk", filter=Q(knows__isnull=False)),
        invalid=Count("pk", filter=~Q(parse_error="") & Q(held=[])),
    )


def _ensure_finished(row: NewsSearchRow) -> None:
    if row.state == WorkState.DONE:
        return
    progress = search_progress([row.pk])[row.pk]
    hint = "resume it" if row.state == WorkState.PAUSED else "wait for its end"
    raise NewsSearchNotFinished(
        f"the search is {row.state}, {progress.done} of {progress.total} agents are "
        f"verified; {hint}"
    )


def verified_news(row: NewsSearchRow) -> News:
    """Return the news of a finished search by the memories that its findings name.

    :raises NewsSearchNotFinished: if agents are not verified yet; the message has the progress.
    """
    _ensure_finished(row)
    return news_of_findings(row.news, findings_of(row))


def news_of_findings(name: str, rows: Collection[NewsFindingRow]) -> News:
    """Return the news that is held by the memories which the findings name.

    A memory in the words of one that holds the news holds it, too, unless it was read and does
    not: some have the same words, and tell another thing.
    """
    held = {(one.agent, str(memory["description"])) for one in rows for memory in one.held}
    others = {(one.agent, number) for one in rows for number in _numbers_of_others(one)}

    def is_held_by(memory: Recorded) -> bool:
        event = memory.event
        assert isinstance(event, MemoryFormed)
        if (memory.stream, event.number) in others:
            return False
        return (memory.stream, event.description) in held

    return News(
        name=name,
        is_held_by=is_held_by,
        searched={one.agent: evidence_of(one) for one in rows},
    )


def _numbers_of_others(row: NewsFindingRow) -> set[int]:
    """Return the numbers of the memories that were read and do not hold the news.

    An agent with an invalid answer has none: it is unknown which of them hold the news.
    """
    if row.parse_error:
        return set()
    held = {int(memory["number"]) for memory in row.held}
    return {int(memory["number"]) for memory in row.considered} - held
