"""The progress of an experiment, folded from its events."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import singledispatch
from typing import Any, ClassVar
from uuid import UUID

from apps.experiments.design import NO_LIMIT, ExperimentDesign, PlannedRun, read_design
from apps.kernel.request_models import read_values
from apps.llm.calls.budget import Budget
from apps.work.rows import OVER, WorkState


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentEvent:
    """What has happened in an experiment, as plain values."""

    type: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRequested(ExperimentEvent):
    """A user has requested the experiment: its design, and the estimate shown before."""

    type: ClassVar[str] = "experiment.requested.v1"
    design: Mapping[str, Any]
    estimate: Mapping[str, Any]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(ExperimentEvent):
    """A simulation was created for a run, or forked from that of another, and asked to run."""

    type: ClassVar[str] = "experiment.run-started.v1"
    run: str
    simulation: str
    until_tick: int
    parent: str = ""
    fork_tick: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeld(ExperimentEvent):
    """A run has come to rest before its end: a user, the budget or the model paused it."""

    type: ClassVar[str] = "experiment.run-held.v1"
    run: str
    tick: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContinued(ExperimentEvent):
    """A run that was held goes on."""

    type: ClassVar[str] = "experiment.run-continued.v1"
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyStarted(ExperimentEvent):
    """A survey of a run was requested, as of the end of a tick."""

    type: ClassVar[str] = "experiment.survey-started.v1"
    run: str
    tick: int
    questionnaire: str
    survey: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsSearchStarted(ExperimentEvent):
    """A search for the news of a measure was requested, as of the end of a tick."""

    type: ClassVar[str] = "experiment.news-search-started.v1"
    run: str
    tick: int
    measure: str
    search: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMeasured(ExperimentEvent):
    """The measures of a run as of the end of a tick; None for what has no value."""

    type: ClassVar[str] = "experiment.run-measured.v1"
    run: str
    tick: int
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished(ExperimentEvent):
    """A run has come to its end and is measured, with what it has used.

    `calls` and `tokens` are those of the run after a fork; `cost` is a decimal number.
    """

    type: ClassVar[str] = "experiment.run-finished.v1"
    run: str
    tick: int
    calls: int
    tokens: int
    cost: str
    log_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailed(ExperimentEvent):
    """A run cannot be started, continued or measured; the others go on."""

    type: ClassVar[str] = "experiment.run-failed.v1"
    run: str
    code: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPaused(ExperimentEvent):
    """A user or the service has paused the experiment."""

    type: ClassVar[str] = "experiment.paused.v1"
    code: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResumed(ExperimentEvent):
    """A user has resumed the experiment, with another budget if one is given."""

    type: ClassVar[str] = "experiment.resumed.v1"
    budget: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentCancelled(ExperimentEvent):
    """A user has ended the experiment before its end; what is measured stays."""

    type: ClassVar[str] = "experiment.cancelled.v1"
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentFinished(ExperimentEvent):
    """All runs are finished or have failed."""

    type: ClassVar[str] = "experiment.finished.v1"


EVENT_TYPES: Mapping[str, type[ExperimentEvent]] = {
    kind.type: kind
    for kind in (
        ExperimentRequested,
        RunStarted,
        RunHeld,
        RunContinued,
        SurveyStarted,
        NewsSearchStarted,
        RunMeasured,
        RunFinished,
        RunFailed,
        ExperimentPaused,
        ExperimentResumed,
        ExperimentCancelled,
        ExperimentFinished,
    )
}


def event_from_json(kind: str, data: Mapping[str, Any]) -> ExperimentEvent:
    """Return the event of a type with its fields.

    :raises KeyError: for an unknown type.
    """
    return EVENT_TYPES[kind](**data)


@dataclass(slots=True)
class RunProgress:
    """The progress of a run; `values` are by tick.

    A run is PAUSED until the experiment is resumed; `continues` is set when it is to go on.
    `surveys` are by tick and questionnaire, `news_searches` by tick and name of the measure.
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
    surveys: dict[tuple[int, str], UUID] = field(default_factory=dict)
    news_searches: dict[tuple[int, str], UUID] = field(default_factory=dict)
    finished: RunFinished | None = None

    @property
    def key(self) -> str:
        """The identity of the run in its experiment."""
        return self.planned.key


@dataclass(slots=True)
class ExperimentProgress:
    """An experiment as its events tell it; `version` is the number of the last one."""

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
    design = read_design(event.design)
    return ExperimentProgress(
        design=design,
        runs={key: RunProgress(planned) for key, planned in design.runs.items()},
        requested=event,
        budget=design.budget,
    )


@singledispatch
def _apply(event: ExperimentEvent, _progress: ExperimentProgress) -> None:
    raise TypeError(f"no rule for {event}")


@_apply.register
def _(event: RunStarted, progress: ExperimentProgress) -> None:
    run = progress.runs[event.run]
    run.state, run.simulation = WorkState.RUNNING, UUID(event.simulation)
    run.parent = UUID(event.parent) if event.parent else None
    run.fork_tick, run.until_tick = event.fork_tick, event.until_tick


@_apply.register
def _(event: RunHeld, progress: ExperimentProgress) -> None:
    run = progress.runs[event.run]
    run.state, run.problem, run.continues = WorkState.PAUSED, event.reason, False


@_apply.register
def _(event: RunContinued, progress: ExperimentProgress) -> None:
    run = progress.runs[event.run]
    run.state, run.problem, run.continues = WorkState.RUNNING, "", False


@_apply.register
def _(event: SurveyStarted, progress: ExperimentProgress) -> None:
    surveys = progress.runs[event.run].surveys
    surveys[event.tick, event.questionnaire] = UUID(event.survey)


@_apply.register
def _(event: NewsSearchStarted, progress: ExperimentProgress) -> None:
    searches = progress.runs[event.run].news_searches
    searches[event.tick, event.measure] = UUID(event.search)


@_apply.register
def _(event: RunMeasured, progress: ExperimentProgress) -> None:
    progress.runs[event.run].values[event.tick] = dict(event.values)


@_apply.register
def _(event: RunFinished, progress: ExperimentProgress) -> None:
    run = progress.runs[event.run]
    run.state, run.finished = WorkState.DONE, event


@_apply.register
def _(event: RunFailed, progress: ExperimentProgress) -> None:
    run = progress.runs[event.run]
    run.state, run.problem = WorkState.FAILED, event.problem


@_apply.register
def _(event: ExperimentPaused, progress: ExperimentProgress) -> None:
    progress.state = WorkState.PAUSED
    progress.problem_code, progress.problem = event.code, event.problem
    for run in progress.runs.values():
        if run.state is WorkState.RUNNING:
            run.state, run.problem = WorkState.PAUSED, event.problem
        run.continues = False


@_apply.register
def _(event: ExperimentResumed, progress: ExperimentProgress) -> None:
    progress.state = WorkState.RUNNING
    progress.problem_code = progress.problem = ""
    if event.budget is not None:
        progress.budget = read_values(Budget, event.budget)
    for run in progress.runs.values():
        run.continues = run.state is WorkState.PAUSED


@_apply.register
def _(_event: ExperimentCancelled, progress: ExperimentProgress) -> None:
    progress.state = WorkState.CANCELLED


@_apply.register
def _(_event: ExperimentFinished, progress: ExperimentProgress) -> None:
    progress.state = WorkState.DONE
