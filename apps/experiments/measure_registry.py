"""The measures that an experiment chooses by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from apps.django_support.function_registry import Registry
from apps.experiments.run_at_tick import RunAtTick
from apps.kernel.errors import DomainError

Value = float | None


class MeasureUnknown(DomainError):
    """There is no measure of that name."""

    code: ClassVar[str] = "measure-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A value of a run as of the end of a tick; None where there is nothing to measure."""

    name: str
    description: str
    unit: str
    function: Callable[[RunAtTick], Value]


MEASURES = Registry(
    "measure", Measure, "apps.experiments.plain_measures", unknown=MeasureUnknown
)
