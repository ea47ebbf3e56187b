"""The runs, events, values, summaries and documents of an experiment."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Choice, Serializer, Strict
from apps.api.http.formats import (
    LOADS_NOTHING,
    CsvDocument,
    HtmlDocument,
    MarkdownDocument,
    ParquetDocument,
    RequestedFormat,
    SvgDocument,
)
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.views import Errors, operation
from apps.api.resources.experiments import (
    ConditionSummary,
    ExperimentEventShown,
    ExperimentFigure,
    ExperimentRun,
    ExperimentValue,
    ExperimentView,
)
from apps.evaluation.plots.svg_figure import PlotsUnavailable
from apps.evaluation.statistics.rank_tests import is_scipy_installed
from apps.experiments.design_checks import calendars_of_conditions
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import (
    PLOTS,
    FigureUnknown,
    figure_of,
    figures_of,
    report_of,
)
from apps.experiments.queries import RunLine, list_events, run_lines
from apps.experiments.results import ResultSummary, ResultValue, result_summaries, result_values
from apps.reports.blocks import as_html, as_markdown
from apps.reports.tables import ParquetUnavailable, csv_text, parquet_bytes, table_of

_FORMATS = "; the header Accept can ask for the same by media type."


class TableFormat(Strict):
    """The format of a table."""

    format = Choice(
        choices=("json", "csv", "parquet"),
        required=False,
        help_text=f"A page (json), or the whole table as csv or parquet{_FORMATS}",
    )


class ReportFormat(Strict):
    """The format of a report."""

    format = Choice(
        choices=("html", "markdown"),
        required=False,
        help_text=f"A page with its figures (html), or markdown, which links to them{_FORMATS}",
    )


class ResultTable(ListView, ExperimentView):
    """A table of the results so far, in pages or whole.

    `row` is the dataclass of its rows: the columns of a file have the same types in every
    experiment.
    """

    query = list_parameters("measure, levels", "number", more=TableFormat)
    renderer_classes = (JSONRenderer, CsvDocument, ParquetDocument)
    content_negotiation_class = RequestedFormat
    errors: ClassVar[Errors] = (ParquetUnavailable,)
    row: ClassVar[type]
    item: ClassVar[type[Serializer]]
    searched: ClassVar[tuple[str, ...]] = ("measure", "settings", "model", "intervention")

    def table(self, name: str, rows: Sequence[Any]) -> HttpResponseBase:
        """Return a page of the rows, or all in the requested format."""
        form = self.request.accepted_renderer.format
        if form == JSONRenderer.format:
            return self.page_of(rows, self.item, *self.searched, number=("number",))
        found = table_of(name, self.row, rows)
        return Response(csv_text(found) if form == "csv" else parquet_bytes(found))


def _table(item: type[Serializer]) -> dict[tuple[int, str], Any]:
    return {
        (200, "application/json"): page_of_items(item),
        (200, str(CsvDocument.media_type)): str,
        (200, str(ParquetDocument.media_type)): OpenApiTypes.BINARY,
    }


class ExperimentRuns(ResultTable):
    """The runs of an experiment."""

    query = list_parameters("key, state", "number", more=TableFormat)
    row, item, searched = RunLine, ExperimentRun, ("key", "state")

    @operation("listExperimentRuns", "/runs", "evaluation", _table(ExperimentRun))
    def get(self, request: Request, **_names: str) -> Any:
        """List the runs with their simulations, their estimates and their use."""
        return self.table("runs", run_lines(progress_of(self.work_row.pk)))


class ExperimentResults(ResultTable):
    """The values of an experiment."""

    row, item = ResultValue, ExperimentValue

    @operation("listExperimentResults", "/results", "evaluation", _table(ExperimentValue))
    def get(self, request: Request, **_names: str) -> Any:
        """List the values of all measures of all runs so far: the long table."""
        progress = progress_of(self.work_row.pk)
        calendars = calendars_of_conditions(wiring.ports(), progress.design)
        return self.table("results", result_values(progress, calendars))


class ExperimentSummaries(ResultTable):
    """The summaries of an experiment."""

    row, item = ResultSummary, ConditionSummary

    @operation("listExperimentSummaries", "/summary", "evaluation", _table(ConditionSummary))
    def get(self, request: Request, **_names: str) -> Any:
        """List means, bootstrap intervals and paired tests by measure and condition.

        The tests need the package scipy.
        """
        progress = progress_of(self.work_row.pk)
        calendars = calendars_of_conditions(wiring.ports(), progress.design)
        found = result_summaries(progress, calendars, with_tests=is_scipy_installed())
        return self.table("summary", found)


class ExperimentEvents(ListView, ExperimentView):
    """The events of an experiment."""

    query = list_parameters("type, by", "number")

    @operation(
        "listExperimentEvents", "/events", "evaluation", page_of_items(ExperimentEventShown)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List what was requested, done and observed, in order."""
        rows = self.matching(list_events(self.work_row.pk), "type", "by")
        return self.page(rows, ExperimentEventShown, number=("number",))


class ExperimentReport(ExperimentView):
    """The report of an experiment."""

    query = ReportFormat
    renderer_classes = (HtmlDocument, MarkdownDocument)
    content_negotiation_class = RequestedFormat

    @operation(
        "getExperimentReport",
        "/report",
        "evaluation",
        {(200, "text/html"): str, (200, "text/markdown"): str},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show the report so far, with its figures or with links to them."""
        progress = progress_of(self.work_row.pk)
        blocks = report_of(wiring.ports(), progress)
        if request.accepted_renderer.format == MarkdownDocument.format:
            return Response(as_markdown(blocks, folder=PLOTS))
        page = as_html(blocks, title=progress.design.title)
        return Response(page, headers={CONTENT_SECURITY_POLICY: LOADS_NOTHING})


class ReportFigures(ListView, ExperimentView):
    """The figures of an experiment."""

    query = list_parameters("measure, title", "number")

    @operation("listExperimentFigures", "/plots", "evaluation", page_of_items(ExperimentFigure))
    def get(self, request: Request, **_names: str) -> Any:
        """List the figures of all measures, with the reason why one is not drawn."""
        figures = figures_of(wiring.ports(), progress_of(self.work_row.pk))
        return self.page_of(figures, ExperimentFigure, "measure", "title", number=("number",))


class ReportFigure(ExperimentView):
    """A figure of the report."""

    renderer_classes = (SvgDocument,)

    @operation(
        "getExperimentFigure",
        "/plots/{figure}.svg",
        "evaluation",
        {(200, str(SvgDocument.media_type)): str},
        errors=(FigureUnknown, PlotsUnavailable),
    )
    def get(self, request: Request, figure: str, **_names: str) -> Response:
        """Draw a measure so far by condition as SVG; the report as Markdown links to it."""
        image = figure_of(wiring.ports(), progress_of(self.work_row.pk), figure)
        return Response(image, headers={CONTENT_SECURITY_POLICY: LOADS_NOTHING})
