"""What the parts of a step of an experiment have in common."""

from dataclasses import dataclass

from django.utils import timezone

from apps.experiments.design import PlannedRun
from apps.experiments.design_checks import calendars_of_conditions
from apps.experiments.event_table import append, progress_of
from apps.experiments.events import (
    ExperimentEvent,
)
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import ExperimentProgress, RunProgress
from apps.history import SimulationRow
from apps.kernel.game_time import GameCalendar
from apps.simulation.ports import Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions:
    """How a step starts runs.

    `holder` is the process that will schedule them, "" for the schedulers of the service.
    `at_once` is how many run at the same time, without those that another process schedules;
    None for the number of the design. `running_max` is how many simulations of an owner may
    run, 0 for no limit.
    """

    at_once: int | None = None
    holder: str = ""
    running_max: int = 0


class StepState:
    """The experiment of a step: its events so far, and how to record others.

    `has_acted` says whether the step has recorded an event.
    """

    def __init__(self, ports: Ports, row: ExperimentRow, options: StepOptions) -> None:
        """Read the events of the experiment."""
        self._ports, self._row, self._options = ports, row, options
        self.progress: ExperimentProgress = progress_of(row.pk)
        self._calendars = calendars_of_conditions(ports, self.progress.design)
        self.has_acted = False

    def _moments(self, planned: PlannedRun) -> tuple[int, ...]:
        return self.progress.design.moment_ticks(self._calendar(planned))

    def _calendar(self, planned: PlannedRun) -> GameCalendar:
        return self._calendars[planned.condition.world, planned.condition.settings]

    def _now(self, run: RunProgress) -> RunProgress:
        """Return the run as of the latest event."""
        return self.progress.runs[run.key]

    def _record(self, event: ExperimentEvent) -> None:
        self.progress = append(self._row.pk, event, self.progress)
        self.has_acted = True
        ExperimentRow.objects.filter(pk=self._row.pk).update(taken_at=timezone.now())


def simulation_of(run: RunProgress) -> SimulationRow | None:
    """Return the simulation of a run, None if there is none or it was deleted."""
    if run.simulation is None:
        return None
    return SimulationRow.objects.filter(pk=run.simulation).first()
