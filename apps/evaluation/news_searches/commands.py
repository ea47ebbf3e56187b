"""News searches: the request of one, and how a process carries it out (E4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.news_searches.queries import search_progress
from apps.evaluation.news_searches.verification import (
    ensure_known_verifier,
    verify_agent,
)
from apps.kernel.errors import DomainError
from apps.kernel.words import content_stems
from apps.llm.cleaning import in_one_line
from apps.simulation.locks import lock_simulation_row, take_numbers
from apps.work.kinds import TakenWork, WorkProgress
from apps.work.limited_work import Batches, LimitedWorkKind
from apps.work.rows import WorkState

NEWS_CHARACTERS_MAX = 500


class UnusableNews(DomainError):
    """The news is blank or too long, has no words with a meaning, or there are no agents."""


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
    with the same calls, one waits while the other is under way.

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


def _verify_waiting(taken: TakenWork[NewsSearchRow]) -> None:
    """Let the verifier read the memories of each agent that waits, until all are read."""
    row = taken.row
    findings = NewsFindingRow.objects.filter(search=row)
    waiting = list(findings.filter(knows=None).order_by("agent"))

    def verify(finding: NewsFindingRow, batches: Batches) -> None:
        verify_agent(taken.ports, row, finding, batches)
        with transaction.atomic():
            NEWS_SEARCHES.record_use(row.pk, row.simulation_id, finding.model_calls)
            finding.save()

    NEWS_SEARCHES.answer_parts(taken, waiting, verify, total=findings.count())
    NEWS_SEARCHES.end(row.pk, WorkState.DONE)


class _NewsSearchKind(LimitedWorkKind[NewsSearchRow]):
    """News searches, of which two with the same calls are carried out one after the other."""

    def take(self, work_id: UUID) -> NewsSearchRow | None:
        """Take the search; None also while another process carries out the same calls.

        A call that is under way is in no log yet, so that two searches with the same calls
        would pay them twice if they were carried out at the same time.
        """
        with transaction.atomic():
            row = self.rows.filter(pk=work_id).first()
            if row is None:
                return None
            lock_simulation_row(row.simulation_id)  # serializes the taking
            same = _in_the_same_memories(row).exclude(pk=row.pk)
            return None if self.under_way(same).exists() else super().take(work_id)

    def progress_of(self, rows: Sequence[NewsSearchRow]) -> Mapping[UUID, WorkProgress]:
        """Return the agents of each search and those that are verified."""
        return search_progress([row.pk for row in rows])


NEWS_SEARCHES = _NewsSearchKind(
    name="news-search", model=NewsSearchRow, parts="agents", step=_verify_waiting
)


def _in_the_same_memories(row: NewsSearchRow) -> QuerySet[NewsSearchRow]:
    return NewsSearchRow.objects.filter(
        simulation_id=row.simulation_id,
        news=row.news,
        as_of_tick=row.as_of_tick,
        verifier=row.verifier,
    )
