"""An interview with its answer and the memories that it rests on."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from apps.inspection.pages import InspectionPage
from apps.interaction.commands import INTERVIEWS


class InterviewPage(InspectionPage):
    """An interview; it is no history, so that it is shown at each moment."""

    template = "inspection/interview.html"
    title = "Interview"
    tab = "controls"

    def get(self, request: HttpRequest, *, interview: UUID, **_names: Any) -> HttpResponse:
        """Show it."""
        return self.render(interview=INTERVIEWS.get(interview, simulation_id=self.context.id))
