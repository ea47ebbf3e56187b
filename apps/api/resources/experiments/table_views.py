"""The tables of an experiment as files: values, summaries and runs, as CSV and as Parquet."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.documents import CsvDocument, ParquetDocument
from apps.api.http.operation import operation
from apps.api.resources.experiments.result_views import ResultView
from apps.experiments.event_table import progress_of
from apps.experiments.queries import RunLine, run_lines
from apps.experiments.results import ResultSummary, ResultValue
from apps.reports.tables import ParquetUnavailable, csv_text, parquet_bytes, table_of

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
