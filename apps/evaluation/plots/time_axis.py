"""The axis of game time of a plot, in hours since a midnight."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from apps.evaluation.plots.svg_figure import LINE
from apps.kernel.game_time import format_short_day

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEPS_HOURS = (1, 2, 3, 6, 12, 24, 48, 168)
_LABELS_MAX = 13


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
