"""Queries of news searches: their progress and their findings."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.social.grapevine import Diffusion, Grapevine, Knower, diffusion
from apps.evaluation.social.news import News
from apps.history import Recorded
from apps.kernel.errors import Conflict
from apps.memory.events import MemoryFormed
from apps.work.kinds import WorkProgress
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


class KnowledgeVerdict(StrEnum):
    """Whether an agent knows the news.

    HALLUCINATED is a yes of the verifier without a memory that holds the news, and UNVERIFIED
    an agent of which the model gave no valid answer. Neither counts as knowing.
    """

    KNOWS = "knows"
    UNAWARE = "unaware"
    HALLUCINATED = "hallucinated"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFinding:
    """The finding of an agent; `knower` has the chain of events of one that knows the news."""

    row: NewsFindingRow
    verdict: KnowledgeVerdict
    knower: Knower | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedDiffusion:
    """The diffusion of the news of a search, and what it rests on, by slug."""

    search: NewsSearchRow
    spread: Diffusion
    findings: tuple[AgentFinding, ...]

    def count(self, verdict: KnowledgeVerdict) -> int:
        """Return the number of agents with the verdict."""
        return sum(one.verdict is verdict for one in self.findings)


def verified_diffusion(row: NewsSearchRow, log: Grapevine) -> VerifiedDiffusion:
    """Return the diffusion of a finished search.

    :param log: the log up to the moment of the search at least.
    :raises NewsSearchNotFinished: if agents are not verified yet.
    """
    ensure_finished(row)
    rows = list(findings_of(row))
    news = verified_news(row, rows)
    spread = diffusion(log, news, [one.agent for one in rows], as_of_tick=row.as_of_tick)
    knowers = {knower.agent: knower for knower in spread.knowers}
    return VerifiedDiffusion(
        search=row,
        spread=spread,
        findings=tuple(
            AgentFinding(row=one, verdict=verdict_of(one), knower=knowers.get(one.agent))
            for one in rows
        ),
    )


def verified_news(row: NewsSearchRow, rows: Collection[NewsFindingRow]) -> News:
    """Return the news of a finished search by the memories that its findings name.

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
        name=row.news,
        is_held_by=is_held_by,
        searched=frozenset(one.agent for one in rows),
        unverified=frozenset(one.agent for one in rows if one.parse_error),
    )


def _numbers_of_others(row: NewsFindingRow) -> set[int]:
    """Return the numbers of the memories that were read and do not hold the news.

    An agent with an invalid answer has none: it is unknown which of them hold the news.
    """
    if row.parse_error:
        return set()
    held = {int(memory["number"]) for memory in row.held}
    return {int(memory["number"]) for memory in row.considered} - held


def verdict_of(row: NewsFindingRow) -> KnowledgeVerdict:
    """Return the verdict on an agent that is verified."""
    if row.held:
        return KnowledgeVerdict.KNOWS
    if row.parse_error:
        return KnowledgeVerdict.UNVERIFIED
    return KnowledgeVerdict.HALLUCINATED if row.knows else KnowledgeVerdict.UNAWARE
