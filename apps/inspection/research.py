"""The pages of surveys, rankings, news searches, interviews and experiments."""

from typing import Any
from uuid import UUID

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import mark_safe

from apps import wiring
from apps.evaluation.models import NewsFindingRow
from apps.evaluation.news_searches import queries as news_searches
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.rankings.commands import RANKINGS
from apps.evaluation.rankings.report_pages import report_blocks
from apps.evaluation.rankings.reports import report_of as report_of_ranking
from apps.evaluation.surveys import queries as surveys
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.commands import EXPERIMENTS
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import report_of
from apps.experiments.queries import run_lines
from apps.inspection.pages import InspectionPage, SitePage
from apps.interaction.commands import INTERVIEWS
from apps.reports.blocks import FigureOfReport, html_of
from apps.work.kinds import WorkKind

LISTED_MAX = 50
ANSWERS_PER_PAGE = 100


class ResearchPage(InspectionPage):
    """What users have measured with questions to the agents; it is no history."""

    template = "inspection/research.html"
    title = "Research"
    tab = "research"
    has_moment = False

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List the latest."""
        return self.render(
            surveys=_latest(SURVEYS, simulation_id=self.context.id),
            rankings=_latest(RANKINGS, survey__simulation=self.context.id),
            searches=_latest(NEWS_SEARCHES, simulation_id=self.context.id),
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
            progress=SURVEYS.progress_of([row])[row.pk],
            interviews=page,
            next_query=next_query,
            rankings=RANKINGS.rows.filter(survey=row).order_by("-requested_at"),
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
        blocks = report_blocks(report_of_ranking(row), b"")
        texts = [block for block in blocks if not isinstance(block, FigureOfReport)]
        return self.render(
            ranking=row,
            progress=RANKINGS.progress_of([row])[row.pk],
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
        rows = news_searches.findings_of(row).order_by(knowing_first, "agent")
        return self.render(
            search=row,
            progress=NEWS_SEARCHES.progress_of([row])[row.pk],
            findings=[
                {"row": one, "verdict": _verdict(one) if one.knows is not None else None}
                for one in rows
            ],
        )


def _verdict(row: NewsFindingRow) -> str:
    evidence = news_searches.evidence_of(row)
    return evidence.verdict(has_memory=bool(row.held)).value


def _latest(kind: WorkKind[Any], **of: Any) -> list[dict[str, object]]:
    """Return the latest work as `row`, each with its `progress`; `of` are values of a row."""
    found = list(kind.rows.filter(**of).order_by("-requested_at")[:LISTED_MAX])
    progress = kind.progress_of(found)
    return [{"row": row, "progress": progress[row.pk]} for row in found]


class ExperimentPage(SitePage):
    """An experiment of the user: its progress, its runs, and its report so far."""

    template = "inspection/experiment.html"
    title = "Experiment"

    def get(self, request: HttpRequest, *, experiment: UUID, **_names: Any) -> HttpResponse:
        """Show it."""
        row = EXPERIMENTS.get(experiment, owner_id=self.user.pk)
        progress = progress_of(row.pk)
        report = html_of(report_of(wiring.ports(), progress))
        return self.render(
            experiment=row,
            design=progress.design,
            runs=run_lines(progress),
            report=mark_safe(report),  # noqa: S308  # it escapes all texts
        )


class InterviewPage(InspectionPage):
    """An interview; it is no history, so that it is shown at each moment."""

    template = "inspection/interview.html"
    title = "Interview"
    tab = "controls"

    def get(self, request: HttpRequest, *, interview: UUID, **_names: Any) -> HttpResponse:
        """Show it."""
        return self.render(interview=INTERVIEWS.get(interview, simulation_id=self.context.id))
