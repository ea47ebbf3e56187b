"""The plot of the importance of memories, and of reflections, over time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.evaluation.plots.svg_figure import INK, QUIET, SERIES, FigureDrawing
from apps.evaluation.plots.time_axis import PlotRequest, set_time_axis
from apps.history import MemoryKind, ReflectionKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IMPORTANCE_MAX = 10
_ROW_INCHES = 0.22
_AREA_MIN, _AREA_OF_ONE, _AREA_MAX = 5.0, 9.0, 420.0
_KINDS = {
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
    reflections = {
        name: [
            (row.tick, ReflectionKind(row.kind), len(row.insights))
            for row in history.list_reflections(
                request.simulation_id, agent, as_of_tick=tick
            ).order_by("tick", "kind")
        ]
        for agent, name in sorted(names.items(), key=lambda item: item[1])
    }
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
    rows_height = 0.5 + _ROW_INCHES * max(len(agents), 1)

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
    for shift, (kind, colour) in enumerate(_KINDS.items()):
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
            loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_KINDS), borderpad=0.2,
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
    agents = list(counted.reflections)
    axes.set_yticks(range(len(agents)), agents, color=INK)
    axes.set_ylim(max(len(agents), 1) - 0.4, -0.6)
    axes.set_title("Reflections, with their numbers of insights", pad=24)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_REFLECTIONS), borderpad=0.2)
