"""What the definition of a metric consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class MetricKind(StrEnum):
    """The type of a metric, as Prometheus calls it."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Source(StrEnum):
    """Where the value of a metric comes from."""

    PROCESS = "process"
    """Recorded by each process; it starts at zero with the process."""
    DATABASE = "database"
    """Read from the database; every web process gives the same value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One metric. `labels` maps the name of each label to its meaning.

    `buckets` are the upper bounds of a histogram. `replaced_by` names the metric to use in
    place of a deprecated one.
    """

    name: str
    kind: MetricKind
    meaning: str
    source: Source
    labels: Mapping[str, str] = field(default_factory=dict)
    buckets: tuple[float, ...] = ()
    replaced_by: str = ""
    help: str = field(init=False)

    def __post_init__(self) -> None:
        """Derive the help text of the exposition."""
        note = f" Deprecated: use {self.replaced_by}." if self.replaced_by else ""
        object.__setattr__(self, "help", f"{self.meaning}{note}")
