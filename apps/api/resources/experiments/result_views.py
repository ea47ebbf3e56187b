"""The runs, events, values, summaries and documents of an experiment."""

from typing import Any, ClassVar

from django.http.response import HttpResponseBase
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.operation import operation
from apps.api.resources.experiments.serializers import (
    ConditionSummary,
    ExperimentEventShown,
    ExperimentRun,
    ExperimentValue,
)
from apps.api.resources.experiments.views import ExperimentView
from apps.django_support.text_search import contains
from apps.evaluation.statistics.availability import is_scipy_installed
from apps.experiments.event_table import progress_of
from apps.experiments.queries import calendars_of, list_events, run_lines
from apps.experiments.report_blocks import as_html, as_markdown
from apps.experiments.result_files import csv_lines
from apps.experiments.result_folder import PLOTS, report_of
from apps.experiments.results import (
    ResultSummary,
    ResultValue,
    result_summaries,
    result_values,
)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The document has its style and its figures inline, and loads nothing."""


class _CsvDocument(BaseRenderer):
    """A table as CSV."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, *_arguments: Any, **_options: Any) -> Any:
        """Return the text."""
        return data


class _MarkdownDocument(_CsvDocument):
    """A text as Markdown."""

    media_type = "text/markdown"
    format = "md"


class _HtmlDocument(_CsvDocument):
    """A page as HTML."""

    media_type = "text/html"
    format = "html"


class ResultView(ExperimentView):
    """A view of the results so far."""

    def values(self) -> list[ResultValue]:
        """Return all values."""
        progress = progress_of(self.row.pk)
        return result_values(progress, calendars_of(wiring.ports(), progress))

    def summaries(self) -> list[ResultSummary]:
        """Return the summaries, with tests if the package scipy is installed."""
        progress = progress_of(self.row.pk)
        calendars = calendars_of(wiring.ports(), progress)
        return result_summaries(progress, calendars, with_tests=is_scipy_installed())


class ExperimentRuns(ListView, ExperimentView):
    """The runs of an experiment."""

    query = list_parameters("key, state", "number")

    @operation("listExperimentRuns", "evaluation", page_of_items(ExperimentRun))
    def get(self, request: Request, **_names: str) -> Any:
        """List the runs with their simulations, their estimates and their use."""
        lines = run_lines(progress_of(self.row.pk))
        found = [one for one in lines if self.contains_search(one.key, one.state)]
        return self.page(found, ExperimentRun, number=("number",))


class ExperimentEvents(ListView, ExperimentView):
    """The events of an experiment."""

    query = list_parameters("type, by", "number")

    @operation("listExperimentEvents", "evaluation", page_of_items(ExperimentEventShown))
    def get(self, request: Request, **_names: str) -> Any:
        """List what was requested, done and observed, in order."""
        rows = list_events(self.row.pk)
        if "search" in self.parameters:
            rows = rows.filter(contains(self.parameters["search"], "type", "by"))
        return self.page(rows, ExperimentEventShown, number=("number",))


class ExperimentResults(ListView, ResultView):
    """The values of an experiment."""

    query = list_parameters("measure, levels", "number")

    @operation("listExperimentResults", "evaluation", page_of_items(ExperimentValue))
    def get(self, request: Request, **_names: str) -> Any:
        """List the values of all measures of all runs so far: the long table."""
        found = [
            one
            for one in self.values()
            if self.contains_search(one.measure, one.settings, one.model, one.intervention)
        ]
        return self.page(found, ExperimentValue, number=("number",))


class ExperimentSummaries(ListView, ResultView):
    """The summaries of an experiment."""

    query = list_parameters("measure, levels", "number")

    @operation("listExperimentSummaries", "evaluation", page_of_items(ConditionSummary))
    def get(self, request: Request, **_names: str) -> Any:
        """List means, bootstrap intervals and paired tests by measure and condition."""
        found = [
            one
            for one in self.summaries()
            if self.contains_search(one.measure, one.settings, one.model, one.intervention)
        ]
        return self.page(found, ConditionSummary, number=("number",))


class ResultsTable(ResultView):
    """The long table as CSV."""

    renderer_classes = (_CsvDocument,)

    @operation("getExperimentResultsTable", "evaluation", {(200, "text/csv"): str})
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the values of all measures of all runs so far as CSV."""
        return Response("".join(csv_lines(self.values(), ResultValue)))


class SummaryTable(ResultView):
    """The summaries as CSV."""

    renderer_classes = (_CsvDocument,)

    @operation("getExperimentSummaryTable", "evaluation", {(200, "text/csv"): str})
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download means, intervals and tests as CSV."""
        return Response("".join(csv_lines(self.summaries(), ResultSummary)))


class ReportPage(ExperimentView):
    """The report as HTML."""

    renderer_classes = (_HtmlDocument,)
    headers_of_report: ClassVar = {CONTENT_SECURITY_POLICY: _POLICY}

    @operation("getExperimentReport", "evaluation", {(200, "text/html"): str})
    def get(self, request: Request, **_names: str) -> Response:
        """Show the report so far as one page with its figures."""
        progress = progress_of(self.row.pk)
        page = as_html(report_of(wiring.ports(), progress), title=progress.design.title)
        return Response(page, headers=self.headers_of_report)


class ReportText(ExperimentView):
    """The report as Markdown."""

    renderer_classes = (_MarkdownDocument,)

    @operation("getExperimentReportText", "evaluation", {(200, "text/markdown"): str})
    def get(self, request: Request, **_names: str) -> Response:
        """Show the report so far as Markdown; `experiment report` writes its figures."""
        blocks = report_of(wiring.ports(), progress_of(self.row.pk))
        return Response(as_markdown(blocks, folder=PLOTS))
