"""The runs, events, values, summaries and documents of an experiment."""

from collections.abc import Sequence
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Serializer
from apps.api.http.formats import (
    LOADS_NOTHING,
    CsvDocument,
    HtmlDocument,
    MarkdownDocument,
    ParquetDocument,
    SvgDocument,
)
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.views import operation
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
from apps.experiments.results import (
    ResultSummary,
    ResultValue,
    result_summaries,
    result_values,
)
from apps.reports.blocks import as_html, as_markdown
from apps.reports.tables import ParquetUnavailable, csv_text, parquet_bytes, table_of


class ResultView(ExperimentView):
    """A view of the results so far."""

    def values(self) -> list[ResultValue]:
        """Return all values."""
        progress = progress_of(self.work_row.pk)
        calendars = calendars_of_conditions(wiring.ports(), progress.design)
        return result_values(progress, calendars)

    def summaries(self) -> list[ResultSummary]:
        """Return the summaries, with tests if the package scipy is installed."""
        progress = progress_of(self.work_row.pk)
        calendars = calendars_of_conditions(wiring.ports(), progress.design)
        return result_summaries(progress, calendars, with_tests=is_scipy_installed())


class ExperimentRuns(ListView, ExperimentView):
    """The runs of an experiment."""

    query = list_parameters("key, state", "number")

    @operation("listExperimentRuns", "/runs", "evaluation", page_of_items(ExperimentRun))
    def get(self, request: Request, **_names: str) -> Any:
        """List the runs with their simulations, their estimates and their use."""
        lines = run_lines(progress_of(self.work_row.pk))
        found = [one for one in lines if self.contains_search(one.key, one.state)]
        return self.page(found, ExperimentRun, number=("number",))


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


class ResultList(ListView, ResultView):
    """A list of values or of summaries, which have measures and levels."""

    query = list_parameters("measure, levels", "number")

    def page_of(
        self, rows: Sequence[ResultValue | ResultSummary], item: type[Serializer]
    ) -> HttpResponseBase:
        """Return the requested page of those that contain `search`."""
        found = [
            one
            for one in rows
            if self.contains_search(one.measure, one.settings, one.model, one.intervention)
        ]
        return self.page(found, item, number=("number",))


class ExperimentResults(ResultList):
    """The values of an experiment."""

    @operation(
        "listExperimentResults", "/results", "evaluation", page_of_items(ExperimentValue)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the values of all measures of all runs so far: the long table."""
        return self.page_of(self.values(), ExperimentValue)


class ExperimentSummaries(ResultList):
    """The summaries of an experiment."""

    @operation(
        "listExperimentSummaries", "/summary", "evaluation", page_of_items(ConditionSummary)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List means, bootstrap intervals and paired tests by measure and condition."""
        return self.page_of(self.summaries(), ConditionSummary)


class ReportPage(ExperimentView):
    """The report as HTML."""

    renderer_classes = (HtmlDocument,)

    @operation("getExperimentReport", "/report.html", "evaluation", {(200, "text/html"): str})
    def get(self, request: Request, **_names: str) -> Response:
        """Show the report so far as one page with its figures."""
        progress = progress_of(self.work_row.pk)
        page = as_html(report_of(wiring.ports(), progress), title=progress.design.title)
        return Response(page, headers={CONTENT_SECURITY_POLICY: LOADS_NOTHING})


class ReportText(ExperimentView):
    """The report as Markdown."""

    renderer_classes = (MarkdownDocument,)

    @operation(
        "getExperimentReportText", "/report.md", "evaluation", {(200, "text/markdown"): str}
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show the report so far as Markdown, which links to its figures."""
        blocks = report_of(wiring.ports(), progress_of(self.work_row.pk))
        return Response(as_markdown(blocks, folder=PLOTS))


class ReportFigures(ListView, ExperimentView):
    """The figures of an experiment."""

    query = list_parameters("measure, title", "number")

    @operation("listExperimentFigures", "/plots", "evaluation", page_of_items(ExperimentFigure))
    def get(self, request: Request, **_names: str) -> Any:
        """List the figures of all measures, with the reason why one is not drawn."""
        figures = figures_of(wiring.ports(), progress_of(self.work_row.pk))
        found = [one for one in figures if self.contains_search(one.measure, one.title)]
        return self.page(found, ExperimentFigure, number=("number",))


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


_CSV = {(200, str(CsvDocument.media_type)): str}
_PARQUET = {(200, str(ParquetDocument.media_type)): OpenApiTypes.BINARY}


class RunsView(ResultView):
    """A view of the runs so far."""

    def runs(self) -> list[RunLine]:
        """Return all runs."""
        return run_lines(progress_of(self.work_row.pk))


class ResultsTable(ResultView):
    """The long table as CSV."""

    renderer_classes = (CsvDocument,)

    @operation("getExperimentResultsTable", "/results.csv", "evaluation", _CSV)
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the values of all measures of all runs so far as CSV."""
        return Response(csv_text(table_of("results", ResultValue, self.values())))


class SummaryTable(ResultView):
    """The summaries as CSV."""

    renderer_classes = (CsvDocument,)

    @operation("getExperimentSummaryTable", "/summary.csv", "evaluation", _CSV)
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download means, intervals and tests as CSV."""
        return Response(csv_text(table_of("summary", ResultSummary, self.summaries())))


class RunsTable(RunsView):
    """The runs as CSV."""

    renderer_classes = (CsvDocument,)

    @operation("getExperimentRunsTable", "/runs.csv", "evaluation", _CSV)
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the runs with their simulations, their estimates and their use as CSV."""
        return Response(csv_text(table_of("runs", RunLine, self.runs())))


class ResultsParquet(ResultView):
    """The long table as Parquet."""

    renderer_classes = (ParquetDocument,)

    @operation(
        "getExperimentResultsParquet",
        "/results.parquet",
        "evaluation",
        _PARQUET,
        errors=(ParquetUnavailable,),
    )
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the values of all measures of all runs so far as Parquet.

        The columns have the same types in every experiment.
        """
        return Response(parquet_bytes(table_of("results", ResultValue, self.values())))


class SummaryParquet(ResultView):
    """The summaries as Parquet."""

    renderer_classes = (ParquetDocument,)

    @operation(
        "getExperimentSummaryParquet",
        "/summary.parquet",
        "evaluation",
        _PARQUET,
        errors=(ParquetUnavailable,),
    )
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download means, intervals and tests as Parquet."""
        return Response(parquet_bytes(table_of("summary", ResultSummary, self.summaries())))


class RunsParquet(RunsView):
    """The runs as Parquet."""

    renderer_classes = (ParquetDocument,)

    @operation(
        "getExperimentRunsParquet",
        "/runs.parquet",
        "evaluation",
        _PARQUET,
        errors=(ParquetUnavailable,),
    )
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the runs, their simulations, their estimates and their use as Parquet."""
        return Response(parquet_bytes(table_of("runs", RunLine, self.runs())))
