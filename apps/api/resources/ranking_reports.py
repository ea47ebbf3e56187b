"""The report of a ranking, in the formats that a client asks for."""

from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Strict
from apps.api.http.formats import (
    RUNS_NOTHING,
    CsvDocument,
    HtmlDocument,
    MarkdownDocument,
    RequestedFormat,
    SvgDocument,
)
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.rankings import RankingView
from apps.evaluation.plots.svg_figure import PlotsUnavailable
from apps.evaluation.rankings.report_pages import (
    conditions_table,
    pairs_table,
    ratings_svg,
    report_blocks,
    title_of,
)
from apps.evaluation.rankings.reports import RankingReport, report_of
from apps.evaluation.statistics.rank_tests import RankTest, StatisticsUnavailable
from apps.reports.blocks import as_html, as_markdown
from apps.reports.tables import csv_text

RankStatistic = serializer_of(RankTest, "RankStatistic")
RankingReportShown = serializer_of(
    RankingReport, "RankingReportShown", without=("row", "is_of_paper")
)


class ReportFormat(Strict):
    """The format of a report."""

    format = Choice(
        choices=("json", "csv", "svg", "html", "markdown"),
        required=False,
        help_text="json; a table as csv; the ratings as an svg figure; a page as html or "
        "markdown. The header Accept can ask for the same by media type.",
    )
    table = Choice(
        choices=("conditions", "pairs"),
        required=False,
        help_text="The table of a csv: a line for each condition with its ratings, by default, "
        "or for each pair of conditions with its tests (Dunn with Holm-Bonferroni, Nemenyi) "
        "and effect size.",
    )


class RankingReports(RankingView):
    """The report of a ranking."""

    query = ReportFormat
    renderer_classes = (JSONRenderer, CsvDocument, SvgDocument, HtmlDocument, MarkdownDocument)
    content_negotiation_class = RequestedFormat

    @operation(
        "getRankingReport",
        "/report",
        "evaluation",
        {
            (200, "application/json"): RankingReportShown,
            (200, str(CsvDocument.media_type)): str,
            (200, str(SvgDocument.media_type)): str,
            (200, str(HtmlDocument.media_type)): str,
            (200, str(MarkdownDocument.media_type)): str,
        },
        errors=(StatisticsUnavailable, PlotsUnavailable),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """Show the ratings of the conditions, their tests and effect sizes.

        TrueSkill, Kruskal-Wallis, and Dunn with Holm-Bonferroni are the paper's statistics.
        Friedman's and Nemenyi's tests are shown too, since the ranks of one ranking depend on
        each other.
        """
        form = str(self.request.accepted_renderer.format)
        table = self.parameters.get("table")
        if table is not None and form != CsvDocument.format:
            detail = "only a csv is one table; send format=csv too, or leave it out"
            raise InvalidRequest(
                [FieldError(parameter="table", code="not-of-this-format", detail=detail)]
            )
        report = report_of(self.work_row)
        if form == JSONRenderer.format:
            return Response(self.represent(RankingReportShown, report))
        return Response(
            _text(report, form, table), headers={CONTENT_SECURITY_POLICY: RUNS_NOTHING}
        )


class RatingFigure(RankingView):
    """The figure of the report of a ranking."""

    renderer_classes = (SvgDocument,)

    @operation(
        "getRankingFigure",
        "/ratings.svg",
        "evaluation",
        {(200, str(SvgDocument.media_type)): str},
        errors=(StatisticsUnavailable, PlotsUnavailable),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Draw the ratings of the conditions as SVG; the report as Markdown links to it."""
        image = ratings_svg(report_of(self.work_row))
        return Response(image, headers={CONTENT_SECURITY_POLICY: RUNS_NOTHING})


def _text(report: RankingReport, form: str, table: str | None) -> str | bytes:
    if form == CsvDocument.format:
        return csv_text(pairs_table(report) if table == "pairs" else conditions_table(report))
    if form == MarkdownDocument.format:
        return as_markdown(report_blocks(report, b""))  # the figure has an address of its own
    figure = ratings_svg(report)
    if form == SvgDocument.format:
        return figure
    return as_html(report_blocks(report, figure), title=title_of(report))
