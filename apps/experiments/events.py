"""The events of an experiment: what was requested, and what was done and observed.

They stand in a table of their own (ADR 74). A type once recorded stays readable.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar


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
