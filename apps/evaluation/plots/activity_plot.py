"""The plot of the activities of the agents over the day of a moment."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.evaluation.plots.svg_figure import FigureDrawing, add_key
from apps.evaluation.plots.time_axis import PlotRequest, set_time_axis
from apps.history import Action, ActionKind, Track
from apps.kernel.game_time import format_clock, format_day

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    "asleep": "#7d86a8",
    "walking": "#8fae6b",
    "talking": "#a33a12",
    "at an action": "#17636b",
    "waiting or idle": "#d8c9a6",
}
_DAY_HOURS = 24
_ROW_INCHES = 0.24
_BAR_HEIGHT = 0.72


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivitySpan:
    """What an agent does in the ticks [from_tick, to_tick); `activity` is a key of COLOURS."""

    agent: str
    activity: str
    from_tick: int
    to_tick: int


def activity_spans(request: PlotRequest) -> dict[str, list[ActivitySpan]]:
    """Return the spans of the day up to the moment by the name of the agent, in order."""
    begins, ends = request.day_starts, request.as_of_tick + 1
    tracks = history.tracks(request.simulation_id, from_tick=begins, to_tick=request.as_of_tick)
    found = {track.name: list(_spans(track, begins, ends)) for track in tracks.values()}
    return {name: found[name] for name in sorted(found) if found[name]}


def activity_of(action: Action) -> str:
    """Return the key of COLOURS for an action."""
    if action.asleep:
        return "asleep"
    if action.towards:
        return "walking"
    if action.kind is ActionKind.TALKING:
        return "talking"
    if action.kind in {ActionKind.PLANNED, ActionKind.USER_CONTROLLED}:
        return "at an action"
    return "waiting or idle"


@PLOTS.register(
    "activity",
    title="Activity",
    description="The activities of each agent over the day of the moment.",
)
def draw_activity(request: PlotRequest) -> FigureDrawing:
    """Return the drawing of the day."""
    lanes = activity_spans(request)
    start = request.hour_of(request.day_starts)
    midnight = request.midnight

    def draw(figure: "Figure") -> None:
        from matplotlib.patches import PathPatch  # noqa: PLC0415 (optional)
        from matplotlib.path import Path  # noqa: PLC0415 (optional)

        axes = figure.add_subplot()
        day_begins = start - start % _DAY_HOURS
        for activity, colour in COLOURS.items():
            # One path for each colour: a path for each span would be several times as large.
            corners = [
                (request.hour_of(tick) - day_begins, row + side)
                for row, spans in enumerate(lanes.values())
                for span in spans
                if span.activity == activity
                for tick, side in _corners(span)
            ]
            codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
            if corners:
                bars = Path(corners, codes * (len(corners) // len(codes)))
                axes.add_patch(PathPatch(bars, facecolor=colour, linewidth=0))
        set_time_axis(axes, midnight=midnight, first_hour=0, last_hour=_DAY_HOURS)
        axes.set_yticks(range(len(lanes)), list(lanes))
        axes.set_ylim(max(len(lanes), 1) - 0.4, -0.6)
        axes.set_title(f"Activities of the agents on {format_day(midnight)}")
        add_key(axes, COLOURS.items())

    return FigureDrawing(
        title=f"Activity of {len(lanes)} agents on {format_day(midnight)}",
        description="A row for each agent and a bar for each span of the day up to "
        f"{format_clock(request.moment)}, coloured by what the agent does: "
        f"{', '.join(COLOURS)}.",
        width=9,
        height=1.3 + _ROW_INCHES * max(len(lanes), 1),
        draw=draw,
    )


def _corners(span: ActivitySpan) -> tuple[tuple[int, float], ...]:
    """Return the corners of a bar, the first one again at the end, as (tick, side of a row)."""
    above, below = -_BAR_HEIGHT / 2, _BAR_HEIGHT / 2
    first, last = span.from_tick, span.to_tick
    return (first, above), (last, above), (last, below), (first, below), (first, above)


def _spans(track: Track, begins: int, ends: int) -> Iterator[ActivitySpan]:
    """Yield the spans of a track; neighbours of one activity are one span."""
    current: ActivitySpan | None = None
    starts = [max(action.from_tick, begins) for action in track.actions]
    for action, start, end in zip(track.actions, starts, [*starts[1:], ends], strict=True):
        if track.tile_at(start) is None or start >= end:
            continue
        activity = activity_of(action)
        continues = current and (current.activity, current.to_tick) == (activity, start)
        if current is not None and not continues:
            yield current
        current = ActivitySpan(
            agent=track.agent,
            activity=activity,
            from_tick=current.from_tick if current is not None and continues else start,
            to_tick=end,
        )
    if current is not None:
        yield current
