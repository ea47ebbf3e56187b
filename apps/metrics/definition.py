"""The parts of a metric's definition."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class MetricKind(StrEnum):
    """The type of a metric in Prometheus."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Source(StrEnum):
    """The origin of a metric's value."""

    PROCESS = "process"
    """Recorded by each process; it starts at zero with the process."""
    DATABASE = "database"
    """Read from the database; every web process gives the same value."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric. `labels` maps the name of each label to its meaning.

    `buckets` are the upper bounds of a histogram.
    """

    kind: MetricKind
    source: Source
    name: str
    meaning: str
    labels: Mapping[str, str] = field(default_factory=dict)
    buckets: tuple[float, ...] = ()
