"""The plot of the spread of a piece of news among the agents."""

from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.evaluation.plots.svg_figure import INK, LINE, QUIET, SERIES, FigureDrawing
from apps.evaluation.plots.time_axis import PlotRequest, set_time_axis
from apps.evaluation.social.grapevine import Diffusion, Grapevine, Knower, diffusion

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_INCHES = 0.26
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
    agents = history.slugs_in_simulation(key, as_of_tick=tick)
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
        axes.set_yticks(range(len(rows)), [names[agent] for agent in rows])
        for label, agent in zip(axes.get_yticklabels(), rows, strict=True):
            label.set_color(QUIET if agent in found.unaware else INK)
        axes.set_ylim(max(len(rows), 1) - 0.4, -0.6)
        axes.set_title(_title(request, found))
        figure.legend(loc="outside lower left", ncols=len(_KINDS))

    return FigureDrawing(
        title=f"{_title(request, found)}, up to {request.moment_in_words}",
        description="A row for each agent, in the order in which they learned the news, with a "
        "mark at that time and a line from the agent that told it. "
        f"{found.unexplained} agents know it without a chain of events. "
        f"Not known to: {', '.join(names[agent] for agent in found.unaware) or 'nobody'}.",
        width=9,
        height=1.4 + _ROW_INCHES * max(len(rows), 1),
        draw=draw,
    )


def _title(request: PlotRequest, found: Diffusion) -> str:
    assert request.news is not None
    return (
        f"Spread of the news “{request.news.name}”: {len(found.knowers)} of {found.agents} "
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
