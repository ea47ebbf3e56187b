"""The progress of an experiment, folded from its events."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar
from uuid import UUID

from apps.experiments.design import NO_LIMIT, ExperimentDesign, PlannedRun, read_design
from apps.kernel.request_models import read_values
from apps.llm.calls.budget import Budget
from apps.work.kinds import CANCELLED_BY_USER
from apps.work.rows import OVER, WorkState


@dataclass(frozen=True, kw_only=True)
class ExperimentEvent:
    """What has happened in an experiment, as plain values.

    The events stand in a table of their own (ADR 74). A type once recorded stays readable.
    """

    type: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class RunEvent(ExperimentEvent):
    """What has happened in one run, given by its key."""

    run: str


@dataclass(frozen=True, kw_only=True)
class ExperimentRequested(ExperimentEvent):
    """A user has requested the experiment: its design, and the estimate shown before.

    The design is JSON as text, since the database keeps no order of the members of an object,
    and the first levels are those of the baseline.
    """

    type: ClassVar[str] = "experiment.requested.v1"
    design: str
    estimate: Mapping[str, Any]
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RunStarted(RunEvent):
    """A simulation was created for a run, or forked from that of another, and asked to run."""

    type: ClassVar[str] = "experiment.run-started.v1"
    simulation: str
    until_tick: int
    parent: str = ""
    fork_tick: int = 0


@dataclass(frozen=True, kw_only=True)
class RunHeld(RunEvent):
    """A run was paused before its end by a user, the budget or the model."""

    type: ClassVar[str] = "experiment.run-held.v1"
    tick: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class RunContinued(RunEvent):
    """A run that was held is continued."""

    type: ClassVar[str] = "experiment.run-continued.v1"


@dataclass(frozen=True, kw_only=True)
class MeasurementStarted(RunEvent):
    """The survey or the news search of a measure was requested, as of the end of a tick."""

    type: ClassVar[str] = "experiment.measurement-started.v1"
    tick: int
    measure: str
    work: str


@dataclass(frozen=True, kw_only=True)
class RunMeasured(RunEvent):
    """The measures of a run as of the end of a tick; None for what has no value."""

    type: ClassVar[str] = "experiment.run-measured.v1"
    tick: int
    values: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class RunFinished(RunEvent):
    """A run has come to its end and is measured, with what it has used.

    `calls` and `tokens` are those of the run after a fork; `cost` is a decimal number.
    """

    type: ClassVar[str] = "experiment.run-finished.v1"
    tick: int
    calls: int
    tokens: int
    cost: str
    log_sha256: str


@dataclass(frozen=True, kw_only=True)
class RunFailed(RunEvent):
    """A run cannot be started, continued or measured; the other runs are not affected."""

    type: ClassVar[str] = "experiment.run-failed.v1"
    code: str
    problem: str


@dataclass(frozen=True, kw_only=True)
class ExperimentPaused(ExperimentEvent):
    """A user or the service has paused the experiment."""

    type: ClassVar[str] = "experiment.paused.v1"
    code: str
    problem: str


@dataclass(frozen=True, kw_only=True)
class ExperimentResumed(ExperimentEvent):
    """A user has resumed the experiment, with another budget if one is given."""

    type: ClassVar[str] = "experiment.resumed.v1"
    budget: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class ExperimentCancelled(ExperimentEvent):
    """A user has ended the experiment before its end; what is measured stays."""

    type: ClassVar[str] = "experiment.cancelled.v1"
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ExperimentFinished(ExperimentEvent):
    """All runs are finished or have failed."""

    type: ClassVar[str] = "experiment.finished.v1"


EVENT_TYPES: Mapping[str, type[ExperimentEvent]] = {
    kind.type: kind
    for kind in (*ExperimentEvent.__subclasses__(), *RunEvent.__subclasses__())
    if kind is not RunEvent
}


def event_from_json(kind: str, data: Mapping[str, Any]) -> ExperimentEvent:
    """Return the event of a type with its fields.

    :raises KeyError: for an unknown type.
    """
    return EVENT_TYPES[kind](**data)


@dataclass(slots=True)
class RunProgress:
    """The progress of a run; `values` are by tick.

    A run is PAUSED until the experiment is resumed; `continues` is set when it is to continue.
    `work` are its surveys and news searches, by tick and name of the measure.
    """

    planned: PlannedRun
    state: WorkState = WorkState.PENDING
    simulation: UUID | None = None
    parent: UUID | None = None
    fork_tick: int = 0
    until_tick: int = 0
    continues: bool = False
    problem: str = ""
    values: dict[int, dict[str, float | None]] = field(default_factory=dict)
    work: dict[tuple[int, str], UUID] = field(default_factory=dict)
    finished: RunFinished | None = None

    @property
    def key(self) -> str:
        """The identity of the run in its experiment."""
        return self.planned.key

    def pause(self, problem: str) -> None:
        """Pause the run with its experiment."""
        if self.state is WorkState.RUNNING:
            self.state, self.problem = WorkState.PAUSED, problem
        self.continues = False


@dataclass(slots=True)
class ExperimentProgress:
    """The state of an experiment by its events; `version` is the number of the last one."""

    design: ExperimentDesign
    runs: dict[str, RunProgress]
    requested: ExperimentRequested
    version: int = 1
    state: WorkState = WorkState.RUNNING
    problem_code: str = ""
    problem: str = ""
    budget: Budget = NO_LIMIT

    @property
    def started(self) -> list[RunProgress]:
        """The runs that have a simulation, in their order."""
        return [run for run in self.runs.values() if run.simulation is not None]

    @property
    def running_simulations(self) -> set[UUID]:
        """The simulations of the runs that are under way."""
        runs = (run for run in self.started if run.state is WorkState.RUNNING)
        return {run.simulation for run in runs if run.simulation is not None}

    @property
    def finished_runs(self) -> int:
        """The number of measured runs that are over; shared pasts do not count."""
        return sum(self.runs[run.key].state in OVER for run in self.design.measured_runs)

    @property
    def is_over(self) -> bool:
        """Whether all runs are over, those of shared pasts too."""
        return all(run.state in OVER for run in self.runs.values())

    def resume(self, budget: Mapping[str, Any] | None) -> None:
        """Continue the runs that are paused, with another budget if one is given."""
        self.state = WorkState.RUNNING
        self.problem_code = self.problem = ""
        if budget is not None:
            self.budget = read_values(Budget, budget)
        for run in self.runs.values():
            run.continues = run.state is WorkState.PAUSED


def fold(events: Iterable[ExperimentEvent]) -> ExperimentProgress:
    """Return what the events of an experiment amount to; the first one is the request.

    :raises TypeError: if the first event is not the request.
    """
    progress: ExperimentProgress | None = None
    for event in events:
        progress = progress_with(event, progress)
    if progress is None:
        raise TypeError("an experiment begins with its request")
    return progress


def progress_with(
    event: ExperimentEvent, progress: ExperimentProgress | None
) -> ExperimentProgress:
    """Return the progress with the next event; it is None before the first, and changed.

    :raises TypeError: if the first event is not the request.
    """
    if progress is not None:
        _apply(event, progress)
        progress.version += 1
        return progress
    if not isinstance(event, ExperimentRequested):
        raise TypeError(f"an experiment begins with its request, not with {event}")
    design = read_design(json.loads(event.design))
    return ExperimentProgress(
        design=design,
        runs={key: RunProgress(planned) for key, planned in design.runs.items()},
        requested=event,
        budget=design.budget,
    )


def _apply(event: ExperimentEvent, progress: ExperimentProgress) -> None:
    match event:
        case ExperimentPaused():
            progress.state = WorkState.PAUSED
            progress.problem_code, progress.problem = event.code, event.problem
            for run in progress.runs.values():
                run.pause(event.problem)
        case ExperimentResumed():
            progress.resume(event.budget)
        case ExperimentCancelled():
            progress.state = WorkState.CANCELLED
            progress.problem_code, progress.problem = CANCELLED_BY_USER, event.reason
        case ExperimentFinished():
            progress.state = WorkState.DONE
        case RunEvent():
            _apply_to_run(event, progress.runs[event.run])


def _apply_to_run(event: RunEvent, run: RunProgress) -> None:
    match event:
        case RunStarted():
            run.state, run.simulation = WorkState.RUNNING, UUID(event.simulation)
            run.parent = UUID(event.parent) if event.parent else None
            run.fork_tick, run.until_tick = event.fork_tick, event.until_tick
        case RunHeld():
            run.state, run.problem, run.continues = WorkState.PAUSED, event.reason, False
        case RunContinued():
            run.state, run.problem, run.continues = WorkState.RUNNING, "", False
        case MeasurementStarted():
            run.work[event.tick, event.measure] = UUID(event.work)
        case RunMeasured():
            run.values[event.tick] = dict(event.values)
        case RunFinished():
            run.state, run.finished = WorkState.DONE, event
        case RunFailed():
            run.state, run.problem = WorkState.FAILED, event.problem
