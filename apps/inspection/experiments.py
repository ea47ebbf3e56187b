"""An experiment with its runs and its report."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import mark_safe

from apps import wiring
from apps.experiments.commands import EXPERIMENTS
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import report_of
from apps.experiments.queries import run_lines
from apps.inspection.pages import SitePage
from apps.reports.blocks import html_of


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
