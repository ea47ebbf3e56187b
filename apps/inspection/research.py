"""The surveys, rankings and news searches of a simulation, and one of each."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import F, Model
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import mark_safe

from apps.evaluation.models import RankingRow
from apps.evaluation.news_searches import queries as news_searches
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.rankings import queries as rankings
from apps.evaluation.rankings.commands import RANKINGS
from apps.evaluation.rankings.report_pages import report_blocks
from apps.evaluation.rankings.reports import report_of
from apps.evaluation.surveys import queries as surveys
from apps.evaluation.surveys.commands import SURVEYS
from apps.inspection.pages import InspectionPage
from apps.reports.blocks import FigureOfReport, html_of

LISTED_MAX = 50
ANSWERS_PER_PAGE = 100
_Row = TypeVar("_Row", bound=Model)


class ResearchPage(InspectionPage):
    """What users have measured with questions to the agents; it is no history."""

    template = "inspection/research.html"
    title = "Research"
    tab = "research"
    has_moment = False

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List the latest."""
        found = surveys.list_surveys(self.context.id).order_by("-requested_at")[:LISTED_MAX]
        searches = news_searches.list_news_searches(self.context.id)
        ranked = RankingRow.objects.filter(survey__simulation=self.context.id)
        return self.render(
            surveys=_with_progress(found, surveys.progress_of),
            rankings=_with_progress(
                ranked.select_related("survey").order_by("-requested_at")[:LISTED_MAX],
                rankings.ranking_progress,
            ),
            searches=_with_progress(
                searches.order_by("-requested_at")[:LISTED_MAX], news_searches.search_progress
            ),
        )


class SurveyPage(InspectionPage):
    """A survey with its answers, by question."""

    template = "inspection/survey.html"
    title = "Survey"
    tab = "research"
    has_moment = False

    def get(self, request: HttpRequest, *, survey: UUID, **_names: Any) -> HttpResponse:
        """Show it."""
        row = SURVEYS.get(survey, simulation_id=self.context.id)
        after = request.GET.get("after", "")
        interviews = surveys.interviews_of(row).order_by("number")
        if after.isdecimal():
            interviews = interviews.filter(number__gt=int(after))
        page, next_query = self.page_of(
            interviews, ANSWERS_PER_PAGE, after=lambda one: one.number
        )
        return self.render(
            survey=row,
            progress=surveys.progress_of([row.pk])[row.pk],
            interviews=page,
            next_query=next_query,
            rankings=rankings.list_rankings(row).order_by("-requested_at"),
        )


class RankingPage(InspectionPage):
    """A ranking with its statistics so far."""

    template = "inspection/ranking.html"
    title = "Ranking"
    tab = "research"
    has_moment = False

    def get(
        self, request: HttpRequest, *, survey: UUID, ranking: UUID, **_names: Any
    ) -> HttpResponse:
        """Show it.

        :raises StatisticsUnavailable: if the packages of the statistics are not installed.
        """
        asked = SURVEYS.get(survey, simulation_id=self.context.id)
        row = RANKINGS.get(ranking, survey=asked)
        blocks = report_blocks(report_of(row), b"")
        texts = [block for block in blocks if not isinstance(block, FigureOfReport)]
        return self.render(
            ranking=row,
            progress=rankings.ranking_progress([row.pk])[row.pk],
            report=mark_safe(html_of(texts)),  # noqa: S308  # it escapes all texts
        )


class NewsSearchPage(InspectionPage):
    """A news search: which agents know the news, and by which memory."""

    template = "inspection/news_search.html"
    title = "News search"
    tab = "research"
    has_moment = False

    def get(self, request: HttpRequest, *, search: UUID, **_names: Any) -> HttpResponse:
        """Show it."""
        row = NEWS_SEARCHES.get(search, simulation_id=self.context.id)
        knowing_first = F("knows").desc(nulls_last=True)
        return self.render(
            search=row,
            progress=news_searches.search_progress([row.pk])[row.pk],
            findings=news_searches.findings_of(row).order_by(knowing_first, "agent"),
        )


def _with_progress(
    rows: Iterable[_Row], progress_of: Callable[[list[UUID]], Mapping[UUID, object]]
) -> list[dict[str, object]]:
    """Return rows as `row`, each with its `progress`, by one query for all."""
    found = list(rows)
    progress = progress_of([row.pk for row in found])
    return [{"row": row, "progress": progress.get(row.pk)} for row in found]
