"""The results of an experiment: one value a row, and their summary by condition."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from statistics import mean, stdev
from typing import Any

from apps.evaluation.statistics.bootstrap import bootstrap_interval
from apps.evaluation.statistics.rank_tests import paired_test
from apps.experiments.design import ExperimentalCondition, RowOfCondition, tick_of_moment
from apps.experiments.progress import ExperimentProgress
from apps.kernel.game_time import GameCalendar
from apps.kernel.requested_values import GameMoment

Calendars = Mapping[tuple[str, str], GameCalendar]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultValue(RowOfCondition):
    """A value of a measure of a run as of the end of a tick; None if it has none.

    `number` is the place in the table, from 1.
    """

    number: int
    experiment: str
    seed: int
    moment: datetime
    tick: int
    measure: str
    value: float | None
    """Null if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSummary(RowOfCondition):
    """A measure under one condition at a moment, over the seeds, against the baseline.

    `runs` are those with a value. `low` and `high` are the ends of the bootstrap interval of
    the mean. `difference` is the mean over the seeds that both conditions have of the value
    minus that of the baseline, with its own interval; `pairs` counts these seeds. The tests are
    those of `PairedTest`, not corrected for their number. The baseline itself has none of
    these; without the package scipy there are no tests. `reference` is a published value.
    """

    number: int
    moment: datetime
    tick: int
    measure: str
    runs: int
    mean: float | None
    """Over the seeds."""
    standard_deviation: float | None
    """Over the seeds; null of one."""
    low: float | None
    high: float | None
    is_baseline: bool
    pairs: int = 0
    difference: float | None = None
    difference_low: float | None = None
    """The lower end of its 95 % bootstrap interval."""
    difference_high: float | None = None
    """Its upper end."""
    t_p: float | None = None
    """Of the paired t-test, two-sided; null without a spread or without scipy."""
    wilcoxon_p: float | None = None
    """Of Wilcoxon's signed-rank test, two-sided."""
    reference: float | None = None


def result_values(progress: ExperimentProgress, calendars: Calendars) -> list[ResultValue]:
    """Return all values so far, by condition, seed, moment and measure."""
    design, found = progress.design, list[ResultValue]()
    names = design.measured_names
    for condition, seed in ((one, seed) for one in design.conditions for seed in design.seeds):
        key = "/".join((*condition.levels, str(seed)))
        calendar = calendars[condition.world, condition.settings]
        for tick, values in sorted(progress.runs[key].values.items()):
            found += [
                ResultValue(
                    number=number,
                    experiment=design.name,
                    **asdict(condition),
                    seed=seed,
                    moment=calendar.time_at(tick),
                    tick=tick,
                    measure=name,
                    value=values.get(name),  # None if measured before it was a measure
                )
                for number, name in enumerate(names, start=len(found) + 1)
            ]
    return found


def result_summaries(
    progress: ExperimentProgress, calendars: Calendars, *, with_tests: bool
) -> list[ResultSummary]:
    """Return the summary of all values so far, by moment, measure and condition.

    Rows of one moment of the design belong together, whatever its tick under a condition. The
    moments are in the order that they have under the baseline.

    :raises StatisticsUnavailable: with tests, if the package scipy is not installed.
    """
    design = progress.design
    values = _values_by_seed(progress, calendars)
    found: list[ResultSummary] = []
    baseline = design.baseline_condition
    for moment in design.ordered_moments(calendars[baseline.world, baseline.settings]):
        for name in design.measured_names:
            base = values.get((baseline, moment, name), {})
            for condition in design.conditions:
                calendar = calendars[condition.world, condition.settings]
                tick = tick_of_moment(moment, calendar)
                own = values.get((condition, moment, name), {})
                is_baseline = condition == baseline
                found.append(
                    ResultSummary(
                        number=len(found) + 1,
                        **asdict(condition),
                        moment=calendar.time_at(tick),
                        tick=tick,
                        measure=name,
                        is_baseline=is_baseline,
                        reference=design.reference_of(name, moment, calendar),
                        **_summary(
                            name, own, {} if is_baseline else base, with_tests=with_tests
                        ),
                    )
                )
    return found


def _values_by_seed(
    progress: ExperimentProgress, calendars: Calendars
) -> dict[tuple[ExperimentalCondition, GameMoment, str], dict[int, float]]:
    """Return the values by condition, moment and measure, and by seed."""
    found: dict[tuple[ExperimentalCondition, GameMoment, str], dict[int, float]] = {}
    for run in progress.design.measured_runs:
        condition = run.condition
        calendar = calendars[condition.world, condition.settings]
        for moment in progress.design.moments:
            tick = tick_of_moment(moment, calendar)
            for name, value in progress.runs[run.key].values.get(tick, {}).items():
                if value is not None:
                    found.setdefault((condition, moment, name), {})[run.seed] = value
    return found


def _summary(
    measure: str,
    values: Mapping[int, float],
    baseline: Mapping[int, float],
    *,
    with_tests: bool,
) -> dict[str, Any]:
    """Return the statistics of values by seed, against the baseline's; {} for itself."""
    given, seeds = list(values.values()), [seed for seed in values if seed in baseline]
    own, other = [values[seed] for seed in seeds], [baseline[seed] for seed in seeds]
    differences = [one - base for one, base in zip(own, other, strict=True)]
    low, high = _interval(measure, given)
    difference_low, difference_high = _interval(measure, differences)
    test = paired_test(own, other) if with_tests and differences else None
    return {
        "runs": len(given),
        "mean": mean(given) if given else None,
        "standard_deviation": stdev(given) if len(given) > 1 else None,
        "low": low,
        "high": high,
        "pairs": len(seeds),
        "difference": mean(differences) if differences else None,
        "difference_low": difference_low,
        "difference_high": difference_high,
        "t_p": test.t_p if test else None,
        "wilcoxon_p": test.wilcoxon_p if test else None,
    }


def _interval(measure: str, values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the ends of the interval, drawn with a seed by the name of the measure alone."""
    digest = sha256(measure.encode()).digest()
    found = bootstrap_interval(values, seed=int.from_bytes(digest[:8], "big"))
    return (None, None) if found is None else (found.low, found.high)
