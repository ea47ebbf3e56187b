"""Archives and recordings: simulations as one file, downloaded."""

from typing import ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request

from apps import wiring
from apps.api.http.downloads import file_download
from apps.api.http.fields import MomentParameter, Strict
from apps.api.http.parsers import ARCHIVE_TYPE
from apps.api.http.request_errors import DOWNLOAD_ERRORS
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors, header, operation
from apps.archives.exporting import write_archive
from apps.archives.exports import EXPORTERS, ExporterUnknown, write_zip
from apps.archives.recordings.recorded_history import (
    HOURS_MAX,
    SpanUnusable,
    record_history,
    span_of,
)
from apps.archives.recordings.recording_page import write_recording
from apps.reports.tables import ParquetUnavailable
from apps.simulation.queries import WorldChanged

ARCHIVE = "archive"


class ExportParameters(Strict):
    """The form of an export."""

    form = serializers.CharField(
        required=False,
        default=ARCHIVE,
        help_text="`archive`, which can be imported, or the name of an exporter of "
        "`GET /exporters` for a ZIP file of files for another program: `parquet`, "
        "`inspect-scout`, `concordia-log`, `sotopia`, or one of a plug-in.",
    )


class Export(SimulationView):
    """The archive of a simulation."""

    query = ExportParameters
    errors: ClassVar[Errors] = DOWNLOAD_ERRORS
    response_headers: ClassVar = (
        header("Content-Disposition", "The name of the file.", response=[200]),
    )

    @operation(
        "exportSimulation",
        "/export",
        "simulations",
        {(200, ARCHIVE_TYPE): OpenApiTypes.BINARY},
        errors=(ExporterUnknown, ParquetUnavailable),
    )
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Download the history up to the committed tick as one file.

        The file has the log, the model calls with their prompts, the vectors and the world. It
        can be imported here and into other installations; its format is documented in
        `docs/reference/archives.md`.
        """
        row = self.context.row
        if self.parameters["form"] == ARCHIVE:
            parts = write_archive(wiring.ports(), row)
        else:
            exporter = EXPORTERS.item(self.parameters["form"])
            exporter.ensure_available()
            parts = write_zip(row, exporter)
        return file_download(
            self, parts, filename=f"simulation-{row.pk}.zip", content_type=ARCHIVE_TYPE
        )


_TYPE = "text/html"


class RecordingParameters(Strict):
    """The span of a recording."""

    from_ = MomentParameter(
        help_text=f"The beginning, at most {HOURS_MAX} hours before the end: a game time "
        "without a zone (2023-02-13T08:00:00), or a tick."
    )
    to = MomentParameter(
        required=False, help_text="The end, a committed moment; by default, now."
    )


class RecordingFile(SimulationView):
    """The recording of a part of a simulation."""

    query = RecordingParameters
    response_headers: ClassVar = (
        header("Content-Disposition", "The name of the file.", response=[200]),
    )

    @operation(
        "recordSimulation",
        "/recording",
        "simulations",
        {(200, _TYPE): str},
        errors=(SpanUnusable, WorldChanged),
    )
    def get(self, request: Request, **_names: str) -> HttpResponse:
        """Download a part of the simulation as a page that plays it without a server.

        The file has the map, the movements and actions, what was said, plans, and reasons in
        short. It makes no request.
        """
        row, constants = self.context.row, self.context.constants()
        span = span_of(
            row,
            constants.calendar,
            from_tick=self.parameters["from"],
            to_tick=self.parameters.get("to", row.committed_tick),
        )
        history = record_history(wiring.event_store(), row, constants, span)
        name = content_disposition_header(
            as_attachment=True, filename=f"recording-{row.pk}-{span.from_tick}.html"
        )
        return HttpResponse(
            write_recording(settings.FRONTEND_FOLDER, history),
            content_type=f"{_TYPE}; charset=utf-8",
            headers={"Content-Disposition": str(name)},
        )
