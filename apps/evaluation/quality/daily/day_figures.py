"""The figures of a run by day that hold as of any moment.

Left out are those that later ticks change, such as importance, which is rated when it is read,
and promises, which may be kept on the next day. `benchmarks.believability` has all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from apps.evaluation.quality.daily.days import Days, Series
from apps.evaluation.quality.daily.identity_figures import (
    greeting_figures,
    likeness_figures,
    outlines_of,
    pursuit_figures,
    tie_figures,
)
from apps.evaluation.quality.daily.memory_figures import lived_memories, stream_figures
from apps.evaluation.quality.daily.network_figures import network_figures
from apps.evaluation.quality.daily.run_record import (
    RunRecord,
    conversations_of,
    read_run,
    ties_of,
)
from apps.evaluation.quality.daily.talk_figures import (
    leaving_figures,
    number_figures,
    repetition_figures,
)
from apps.evaluation.quality.daily.thought_figures import insight_figures, often_figures
from apps.kernel.language import ENGLISH
from apps.simulation import queries
from apps.world.folders import WorldFolders
from apps.world.loading import world_named


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFigures:
    """The dates of the days that are over, and the figures with a value for each of them."""

    dates: tuple[str, ...]
    series: Series

    @property
    def figures(self) -> list[dict[str, object]]:
        """The figures as a list, each with its name and values."""
        return [{"name": name, "values": values} for name, values in self.series.items()]


def days_over(simulation_id: UUID, *, as_of_tick: int) -> Days:
    """Return the days that are over as of the end of the tick."""
    calendar = queries.calendar_of(simulation_id)
    first = Days(calendar, 0).ends
    passed = max(0, as_of_tick - first) // calendar.ticks_of(minutes=24 * 60)
    return Days(calendar, passed)


def dates_of(days: Days) -> tuple[str, ...]:
    """Return the dates on which the days begin."""
    return tuple(
        f"{days.calendar.start + timedelta(days=day):%Y-%m-%d}" for day in range(days.count)
    )


def day_figures(simulation_id: UUID, worlds: WorldFolders, *, as_of_tick: int) -> DayFigures:
    """Return the figures of the days that are over as of the end of the tick."""
    days = days_over(simulation_id, as_of_tick=as_of_tick)
    created = queries.get_creation(simulation_id)
    is_english = world_named(created.world, worlds).language == ENGLISH
    run = read_run(simulation_id, worlds, days.count, as_of_tick=as_of_tick)
    counts = [*_OF_ALL_LANGUAGES, *(_OF_ENGLISH if is_english else ())]
    series = {name: values for count in counts for name, values in count(run).items()}
    return DayFigures(dates=dates_of(days), series=series)


def _repetitions(run: RunRecord) -> Series:
    return repetition_figures(
        run, [t for t in conversations_of(run.utterances) if t.is_answered]
    )


def _leaving(run: RunRecord) -> Series:
    return leaving_figures(run, [t for t in conversations_of(run.utterances) if t.is_answered])


_OF_ALL_LANGUAGES: Sequence[Callable[[RunRecord], Series]] = (
    lambda run: number_figures(run, conversations_of(run.utterances)),
    _repetitions,
    lambda run: tie_figures(run, ties_of(run.agents)),
    lambda run: likeness_figures(outlines_of(run), run.days),
    lambda run: stream_figures(run.days, lived_memories(run), len(run.agents)),
    insight_figures,
    network_figures,
)
# They read English words.
_OF_ENGLISH: Sequence[Callable[[RunRecord], Series]] = (
    _leaving,
    lambda run: greeting_figures(run, ties_of(run.agents)),
    pursuit_figures,
    often_figures,
)
