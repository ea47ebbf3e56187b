"""Shares and means that are counted for each day."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.evaluation.quality.days import Days, Value


@dataclass(slots=True)
class DailyShare:
    """The share of what is counted that has a property, by day."""

    days: Days
    _hits: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    _all: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, tick: int, *, hit: bool) -> None:
        """Count one more of the tick's day."""
        day = self.days.of(tick)
        if day is not None:
            self._hits[day] += hit
            self._all[day] += 1

    def percent(self) -> list[Value]:
        """Return the share of each day in percent, None where nothing is counted."""
        return [share(self._hits[day], self._all[day]) for day in range(self.days.count)]

    def hits(self) -> list[Value]:
        """Return how many have the property on each day."""
        return [self._hits[day] for day in range(self.days.count)]

    def counted(self) -> list[Value]:
        """Return how many are counted on each day."""
        return [self._all[day] for day in range(self.days.count)]


def share(part: float, whole: float) -> Value:
    """Return the part in percent of the whole, None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def mean(values: Sequence[float], digits: int = 2) -> Value:
    """Return the mean, None of nothing."""
    return round(statistics.mean(values), digits) if values else None
