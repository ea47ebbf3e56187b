"""The plots of a simulation by name, what they are asked for, and their axes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from apps.django_support.function_registry import Registry
from apps.evaluation.plots.svg_figure import (
    INK,
    LINE,
    FigureDrawing,
    ensure_plots_available,
    render_svg,
)
from apps.evaluation.social.news import News
from apps.history import Recorded
from apps.kernel.errors import DomainError, NotFound
from apps.kernel.game_time import GameCalendar, format_clock, format_day, format_short_day

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRequest:
    """A simulation as of the end of a tick.

    `read_log` returns the log up to a tick. `news` is None where a plot needs none.
    """

    simulation_id: UUID
    calendar: GameCalendar
    as_of_tick: int
    read_log: Callable[[UUID, int], Iterable[Recorded]]
    news: News | None = None

    @property
    def moment(self) -> datetime:
        """The game time that the plot shows."""
        return self.calendar.time_at(self.as_of_tick)

    @property
    def moment_in_words(self) -> str:
        """The game time that the plot shows: "Monday, February 13, 8:00 pm"."""
        return f"{format_day(self.moment)}, {format_clock(self.moment)}"

    @property
    def first_midnight(self) -> datetime:
        """The midnight before tick 0, or at it."""
        return self.calendar.start.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def midnight(self) -> datetime:
        """The midnight before the moment, or at it."""
        return self.moment.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def day_starts(self) -> int:
        """The first tick of the day of the moment."""
        return max(0, self.calendar.tick_at(self.midnight))

    def hour_of(self, tick: int) -> float:
        """Return the hours from the first midnight to the tick."""
        return (self.calendar.time_at(tick) - self.first_midnight) / timedelta(hours=1)


_STEPS_HOURS = (1, 2, 3, 6, 12, 24, 48, 168)
_LABELS_MAX = 13


def set_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Let the vertical axis have a row for each name, the first one above."""
    axes.set_yticks(range(len(names)), names, color=INK)
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)


def set_time_axis(
    axes: "Axes", *, midnight: datetime, first_hour: float, last_hour: float
) -> None:
    """Let the axis show the hours, with times of the day and the date of each midnight."""
    hours = max(last_hour - first_hour, 1.0)
    step = next(
        (step for step in _STEPS_HOURS if hours / step <= _LABELS_MAX), _STEPS_HOURS[-1]
    )
    first = int(-(-first_hour // step)) * step
    marks = list(range(first, int(first_hour + hours) + 1, step))
    axes.set_xlim(first_hour, first_hour + hours)
    axes.set_xticks(marks, [_label(midnight, mark, is_first=mark == first) for mark in marks])
    axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="both", length=0)


def _label(midnight: datetime, hour: int, *, is_first: bool) -> str:
    time = midnight + timedelta(hours=hour)
    clock = f"{time.hour}:00"
    return f"{clock}\n{format_short_day(time)}" if is_first or not time.hour else clock


class PlotUnknown(NotFound):
    """There is no plot of that name."""


class NewsMissing(DomainError):
    """This plot is of a piece of news; give the words of its topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot; `needs_news` where it is of a piece of news."""

    name: str
    """Of the address `…/plots/{name}.svg`."""
    title: str
    description: str
    function: Callable[[PlotRequest], FigureDrawing]
    needs_news: bool = False


PLOTS = Registry(
    "plot",
    Plot,
    "apps.evaluation.plots.summary_plots",
    "apps.evaluation.plots.time_plots",
    unknown=PlotUnknown,
)


def draw_plot(plot: Plot, request: PlotRequest) -> bytes:
    """Return the plot as an SVG document.

    :raises NewsMissing: if the plot is of a piece of news, and the request has none.
    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    ensure_plots_available()
    if plot.needs_news and request.news is None:
        raise NewsMissing
    return render_svg(plot.function(request))
