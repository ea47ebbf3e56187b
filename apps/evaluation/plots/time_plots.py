"""The plots over time: activities, importance of memories with reflections, spread of news."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps import history
from apps.agents.events import ActionKind
from apps.evaluation.plots.plot_catalogue import PLOTS, PlotRequest, set_rows, set_time_axis
from apps.evaluation.plots.svg_figure import INK, LINE, QUIET, SERIES, FigureDrawing, add_key
from apps.evaluation.social.grapevine import Diffusion, Grapevine, Knower, diffusion
from apps.history import Action, Track
from apps.kernel.game_time import format_clock, format_day
from apps.memory.events import MemoryKind
from apps.reflection.events import ReflectionKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
        set_rows(axes, list(lanes))
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


IMPORTANCE_MAX = 10
_REFLECTION_ROW_INCHES = 0.22
_AREA_MIN, _AREA_OF_ONE, _AREA_MAX = 5.0, 9.0, 420.0
_MEMORY_KINDS = {
    MemoryKind.OBSERVATION: SERIES[0],
    MemoryKind.DIALOGUE: SERIES[1],
    MemoryKind.REFLECTION: SERIES[2],
    MemoryKind.PLAN: SERIES[4],
}
_REFLECTIONS = {
    ReflectionKind.INSIGHTS: ("reflection", "o", SERIES[2]),
    ReflectionKind.CONSOLIDATION: ("consolidation of the day", "D", SERIES[3]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceHistory:
    """Rated memories by (hour, importance, kind), and the reflections of each agent.

    Hours count from the first midnight. `reflections` has (tick, kind, number of insights) by
    the name of the agent.
    """

    memories: Mapping[tuple[int, int, MemoryKind], int]
    reflections: Mapping[str, list[tuple[int, ReflectionKind, int]]]


def importance_history(request: PlotRequest) -> ImportanceHistory:
    """Return the rated memories and the reflections as of the moment."""
    tick = request.as_of_tick
    rows = history.list_all_memories(request.simulation_id, as_of_tick=tick).only(
        "formed_tick", "kind"
    )
    names = history.names_of_agents(request.simulation_id, as_of_tick=tick)
    reflections: dict[str, list[tuple[int, ReflectionKind, int]]]
    reflections = {name: [] for name in sorted(names.values())}
    reflected = history.list_reflections(request.simulation_id, as_of_tick=tick)
    for row in reflected.order_by("tick", "kind"):
        drawn = row.tick, ReflectionKind(row.kind), len(row.insights)
        reflections[names[row.agent]].append(drawn)
    return ImportanceHistory(
        memories=Counter(
            (int(request.hour_of(row.formed_tick)), row.importance, MemoryKind(row.kind))
            for row in rows
            if row.rated
        ),
        reflections=reflections,
    )


@PLOTS.register(
    "importance",
    title="Importance and reflections",
    description="The memories of each hour by importance, and the reflections of each agent, "
    "up to the moment.",
)
def draw_importance(request: PlotRequest) -> FigureDrawing:
    """Return the drawing of memories by hour and importance, above one row for each agent."""
    counted = importance_history(request)
    agents = list(counted.reflections)
    first = request.hour_of(0)
    last = max(request.hour_of(request.as_of_tick), first + 1)
    margin = max(0.6, (last - first) * 0.025)  # room for half a circle
    rows_height = 0.5 + _REFLECTION_ROW_INCHES * max(len(agents), 1)

    def draw(figure: "Figure") -> None:
        upper, lower = figure.subplots(2, 1, height_ratios=[3.0, rows_height], sharex=True)
        _draw_memories(upper, counted)
        _draw_reflections(lower, request, counted)
        for axes in (upper, lower):
            set_time_axis(
                axes,
                midnight=request.first_midnight,
                first_hour=first - margin,
                last_hour=last + margin,
            )

    return FigureDrawing(
        title=f"Importance of memories and reflections up to {request.moment_in_words}",
        description=f"Above, {sum(counted.memories.values())} memories by the hour in which "
        "they were formed and by their importance from 1 to 10; a larger circle is more "
        "memories. "
        f"Below, {sum(map(len, counted.reflections.values()))} reflections of "
        f"{len(agents)} agents, with the number of insights of each.",
        width=9,
        height=4.2 + rows_height,
        draw=draw,
    )


def _draw_memories(axes: "Axes", counted: ImportanceHistory) -> None:
    most = max(counted.memories.values(), default=1)
    one = min(_AREA_OF_ONE, _AREA_MAX / most)
    for shift, (kind, colour) in enumerate(_MEMORY_KINDS.items()):
        found = sorted(
            (hour, importance, count)
            for (hour, importance, of_kind), count in counted.memories.items()
            if of_kind is kind
        )
        axes.scatter(
            [hour + 0.2 + 0.2 * shift for hour, *_ in found],
            [importance for _, importance, _ in found],
            s=[_AREA_MIN + one * count for *_, count in found],
            color=colour, alpha=0.6, linewidths=0, label=kind.value,
        )  # fmt: skip
    axes.set_ylim(0.3, IMPORTANCE_MAX + 0.7)
    axes.set_yticks(range(1, IMPORTANCE_MAX + 1))
    axes.set_ylabel("importance")
    axes.set_title(f"Memories of each hour by importance (largest circle: {most})", pad=24)
    if counted.memories:
        key = axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_MEMORY_KINDS), borderpad=0.2,
            handletextpad=0.2,
        )  # fmt: skip
        for mark in key.legend_handles:
            mark.set_sizes([36])  # type: ignore[union-attr]


def _draw_reflections(axes: "Axes", request: PlotRequest, counted: ImportanceHistory) -> None:
    for kind, (label, marker, colour) in _REFLECTIONS.items():
        marks = [
            (request.hour_of(tick), row, insights)
            for row, reflected in enumerate(counted.reflections.values())
            for tick, of_kind, insights in reflected
            if of_kind is kind
        ]
        axes.scatter(
            [hour for hour, *_ in marks], [row for _, row, _ in marks],
            s=26, marker=marker, color=colour, linewidths=0, label=label,
        )  # fmt: skip
        for hour, row, insights in marks:
            axes.annotate(
                str(insights), (hour, row), (5, 0), textcoords="offset points",
                color=QUIET, fontsize=7, va="center",
            )  # fmt: skip
    set_rows(axes, list(counted.reflections))
    axes.set_title("Reflections, with their numbers of insights", pad=24)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_REFLECTIONS), borderpad=0.2)


_KNOWER_ROW_INCHES = 0.26
_KINDS = {
    "knew it at the beginning, or from a user": ("s", SERIES[0]),
    "was told": ("o", SERIES[1]),
    "without a chain of events": ("X", QUIET),
}


@PLOTS.register(
    "news",
    title="Spread of news",
    description="The times at which the agents learned a piece of news up to the moment, and "
    "its sources.",
    needs_news=True,
)
def draw_news(request: PlotRequest) -> FigureDrawing:
    """Return the drawing: the time at which each agent learned the news, and its source.

    `request.news` must be given.
    """
    assert request.news is not None, "the plot is of a piece of news"
    key, tick = request.simulation_id, request.as_of_tick
    names = history.names_of_agents(key, as_of_tick=tick)
    agents = [row.agent for row in history.list_agents(key, as_of_tick=tick)]
    log = Grapevine(request.read_log(key, tick))
    found = diffusion(log, request.news, agents, as_of_tick=tick)
    knowers = sorted(found.knowers, key=lambda knower: (knower.tick, knower.agent))
    rows = [knower.agent for knower in knowers] + [*found.unaware]
    first, last = request.hour_of(0), max(request.hour_of(tick), request.hour_of(0) + 1)

    def draw(figure: "Figure") -> None:
        axes = figure.add_subplot()
        _draw_spread(axes, request, knowers, rows)
        set_time_axis(
            axes, midnight=request.first_midnight, first_hour=first - 0.4, last_hour=last + 0.4
        )
        set_rows(axes, [names[agent] for agent in rows])
        for label, agent in zip(axes.get_yticklabels(), rows, strict=True):
            label.set_color(QUIET if agent in found.unaware else INK)
        axes.set_title(_title(request, found))
        figure.legend(loc="outside lower left", ncols=len(_KINDS))

    return FigureDrawing(
        title=f"{_title(request, found)}, up to {request.moment_in_words}",
        description="A row for each agent, in the order in which they learned the news, with a "
        "mark at that time and a line from the agent that told it. "
        f"{found.unexplained} agents know it without a chain of events. "
        f"Not known to: {', '.join(names[agent] for agent in found.unaware) or 'nobody'}.",
        width=9,
        height=1.4 + _KNOWER_ROW_INCHES * max(len(rows), 1),
        draw=draw,
    )


def _title(request: PlotRequest, found: Diffusion) -> str:
    assert request.news is not None
    return (
        f"Spread of the news “{request.news.name}”: {found.knowing} of {found.agents} "
        "agents know it"
    )


def _kind_of(knower: Knower) -> str:
    known, told, unexplained = _KINDS
    if knower.is_origin:
        return known
    return unexplained if knower.problem else told


def _draw_spread(
    axes: "Axes", request: PlotRequest, knowers: list[Knower], rows: list[str]
) -> None:
    row_of = {agent: row for row, agent in enumerate(rows)}
    end = request.hour_of(request.as_of_tick)
    for knower in knowers:
        hour = request.hour_of(knower.tick)
        axes.hlines(row_of[knower.agent], hour, end, color=LINE, linewidth=5)
        told = knower.chain[-1].source if knower.chain else None
        if told in row_of:
            axes.annotate(
                "",
                (hour, row_of[knower.agent]),
                (hour, row_of[told]),
                arrowprops={
                    "arrowstyle": "-|>", "color": SERIES[1], "linewidth": 1.1, "shrinkB": 4,
                    "shrinkA": 0,
                },
            )  # fmt: skip
            axes.scatter([hour], [row_of[told]], s=9, color=SERIES[1], zorder=3)
    for kind, (marker, colour) in _KINDS.items():
        of_kind = [knower for knower in knowers if _kind_of(knower) == kind]
        axes.scatter(
            [request.hour_of(knower.tick) for knower in of_kind],
            [row_of[knower.agent] for knower in of_kind],
            s=42, marker=marker, color=colour, linewidths=0, zorder=4, label=kind,
        )  # fmt: skip
