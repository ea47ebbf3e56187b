"""Recordings: a part of a simulation as one HTML file that plays without a server."""

from typing import ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request

from apps import wiring
from apps.api.http.fields import MomentParameter, Strict
from apps.api.http.operation import header, operation
from apps.api.http.simulation_views import SimulationView
from apps.archives.recordings.recorded_history import (
    HOURS_MAX,
    SpanUnusable,
    record_history,
    span_of,
)
from apps.archives.recordings.recording_page import write_recording
from apps.simulation.queries import WorldChanged

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
