"""Commands of news searches: request one, carry it out in a worker, resume it (E4)."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.django_support.background_work import WorkStopped
from apps.evaluation.limited_work import LimitedWork
from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.news_searches.verification import (
    Verified,
    ensure_known_verifier,
    verify_agent,
)
from apps.kernel.errors import DomainError
from apps.kernel.followed_items import followed
from apps.llm.cleaning import in_one_line
from apps.llm.hashing_embedding import content_stems
from apps.simulation.locks import lock_simulation_row
from apps.simulation.numbers import take_numbers
from apps.simulation.ports import Ports

NEWS_CHARACTERS_MAX = 500
LIMIT_OF_SEARCH_REACHED = "news-search-limit-reached"


class UnusableNews(DomainError):
    """The news is blank or too long, has no words with a meaning, or there are no agents."""

    code: ClassVar[str] = "unusable-news"


class NewsSearchNotPaused(DomainError):
    """Only a news search that is paused can be resumed."""

    code: ClassVar[str] = "news-search-not-paused"


NEWS_SEARCHES = LimitedWork(
    model=NewsSearchRow,
    noun="news search",
    limit_reached=LIMIT_OF_SEARCH_REACHED,
    not_paused=NewsSearchNotPaused,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsSearchRequest:
    """A sentence to search in the memories of agents, given by slug, as of a tick."""

    news: str
    agents: Sequence[str]
    as_of_tick: int
    verifier: str = NewsSearchRow.MODEL
    tokens_max: int | None = None


def ensure_usable_news(news: str) -> None:
    """Check that the text can be a piece of news.

    :raises UnusableNews: if it is too long, or has no words with a meaning.
    """
    if len(news) > NEWS_CHARACTERS_MAX:
        raise UnusableNews(
            f"the news has {len(news):,} characters; tell it in {NEWS_CHARACTERS_MAX}"
        )
    if not content_stems(in_one_line(news)):
        raise UnusableNews("the news tells nothing; give a sentence that says who does what")


def request_news_search(
    simulation_id: UUID, request: NewsSearchRequest, *, by: str, reason: str = ""
) -> NewsSearchRow:
    """Record the search, with an open finding for each agent.

    A search for the same news in the same memories uses the calls of the earlier one, so that
    they are not paid again (L6). The calls of a deleted search are paid again. Of two searches
    with the same calls, one waits while the other one is under way.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises UnusableNews: if the news is blank or too long, or there are no agents.
    :raises VerifierUnknown: if there is no such verifier.
    """
    ensure_usable_news(request.news)
    ensure_known_verifier(request.verifier)
    if not request.agents:
        raise UnusableNews("there are no agents at this moment; name another one")
    with transaction.atomic():
        simulation = lock_simulation_row(simulation_id)
        row = NewsSearchRow.objects.create(
            simulation_id=simulation_id,
            news=request.news,
            as_of_tick=request.as_of_tick,
            verifier=request.verifier,
            tokens_max=request.tokens_max,
            by=by,
            reason=reason,
        )
        same = NewsFindingRow.objects.filter(search__in=_in_the_same_memories(row))
        numbers: dict[str, int] = dict(same.values_list("agent", "number"))
        new = [agent for agent in dict.fromkeys(request.agents) if agent not in numbers]
        taken = take_numbers(simulation, "news-findings", len(new))
        numbers |= dict(zip(new, taken, strict=True))
        NewsFindingRow.objects.bulk_create(
            NewsFindingRow(search=row, agent=agent, number=numbers[agent])
            for agent in dict.fromkeys(request.agents)
        )
    return row


def carry_out_news_search(ports: Ports, search_id: UUID) -> bool:
    """Let the verifier read the memories of each agent that waits, until all are read.

    Returns False without doing anything if the search has ended or was deleted, or if another
    process carries out this search or one with the same calls. A call that another search or
    a lost process has completed is used (L6).

    :raises DomainError: if it is paused; the row has the reason.
    :raises Exception: an error of the service, which has paused it, too.
    """
    row = _take(search_id)
    if row is None:
        return False
    with suppress(WorkStopped), NEWS_SEARCHES.carried_out(search_id):
        _verify_waiting(ports, row)
    return True


def unfinished_problem(row: NewsSearchRow) -> str:
    """Return why the search is not finished, and what to do.

    Another process may carry out this search, or one with the same calls.
    """
    if row.state == NewsSearchRow.State.PENDING:
        row = _under_way_with_same_calls(row).first() or row
    return NEWS_SEARCHES.unfinished_problem(row)


def waiting_news_searches() -> list[UUID]:
    """Return the searches that no worker carries out, the earliest first."""
    return NEWS_SEARCHES.ids()


def pause_news_searches(search_ids: Collection[UUID], code: str, problem: str) -> None:
    """Pause searches that wait or are under way, for a reason; no further model call begins."""
    NEWS_SEARCHES.pause(search_ids, code, problem)


def resume_news_search(row: NewsSearchRow, *, tokens_max: int | None = None) -> NewsSearchRow:
    """Let a paused search go on, with another limit of tokens if one is given.

    :raises NewsSearchNotPaused: if it is not paused.
    """
    return NEWS_SEARCHES.resume_with_limit(row.pk, tokens_max)


def _take(search_id: UUID) -> NewsSearchRow | None:
    """Take the search for this process; None if it cannot be carried out now.

    A call that is under way is in no log yet, so that two searches with the same calls would
    pay them twice if they were carried out at the same time.
    """
    with transaction.atomic():
        row = NewsSearchRow.objects.filter(pk=search_id).first()
        if row is None:
            return None
        lock_simulation_row(row.simulation_id)  # serializes the taking
        if _under_way_with_same_calls(row).exists():
            return None
        return NEWS_SEARCHES.take(search_id)


def _under_way_with_same_calls(row: NewsSearchRow) -> QuerySet[NewsSearchRow]:
    """Return the other searches with the same calls that a process carries out."""
    return NEWS_SEARCHES.under_way(_in_the_same_memories(row).exclude(pk=row.pk))


def _in_the_same_memories(row: NewsSearchRow) -> QuerySet[NewsSearchRow]:
    return NewsSearchRow.objects.filter(
        simulation_id=row.simulation_id,
        news=row.news,
        as_of_tick=row.as_of_tick,
        verifier=row.verifier,
    )


def _verify_waiting(ports: Ports, row: NewsSearchRow) -> None:
    """Verify the agents that wait, until the search ends, is paused or is deleted."""
    waiting = NewsFindingRow.objects.filter(search=row, knows=None)
    findings = list(waiting.order_by("agent"))
    for finding in followed(findings, "agent", len(findings)):
        if not NEWS_SEARCHES.may_go_on(row.pk):
            return
        verified = verify_agent(
            ports, row, finding, partial(NEWS_SEARCHES.ensure_wanted, row.pk)
        )
        if not _record(row, finding, verified):
            return
    NEWS_SEARCHES.end(row.pk, NewsSearchRow.State.FINISHED)


def _record(row: NewsSearchRow, finding: NewsFindingRow, verified: Verified) -> bool:
    """Record what was found and its tokens; return False if the search is gone."""
    finding.knows = verified.knows
    finding.considered, finding.held = verified.considered, verified.held
    finding.parse_error = verified.parse_error
    finding.model_calls = list(verified.model_calls)
    finding.verified_at = timezone.now()
    with transaction.atomic():
        if not NEWS_SEARCHES.record_use(row.pk, row.simulation_id, verified.model_calls):
            return False
        finding.save()
    return True
