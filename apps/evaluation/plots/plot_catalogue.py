"""The plots of a simulation, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from apps.evaluation.plots.activity_plot import draw_activity
from apps.evaluation.plots.cost_plot import draw_costs
from apps.evaluation.plots.importance_plot import draw_importance
from apps.evaluation.plots.news_plot import draw_news
from apps.evaluation.plots.plot_request import PlotRequest
from apps.evaluation.plots.relationship_plot import draw_relationships
from apps.evaluation.plots.svg_figure import FigureDrawing, ensure_plots_available, render_svg
from apps.kernel.errors import DomainError, NotFound
from apps.kernel.names import names_there_are


class PlotUnknown(NotFound):
    """There is no plot of that name."""

    code: ClassVar[str] = "plot-unknown"


class NewsMissing(DomainError):
    """This plot is of a piece of news; give the words of its topic."""

    code: ClassVar[str] = "news-missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot; `needs_news` where it is of a piece of news."""

    name: str
    """Of the address `…/plots/{name}.svg`."""
    title: str
    description: str
    draw: Callable[[PlotRequest], FigureDrawing]
    needs_news: bool = False


PLOTS: Mapping[str, Plot] = MappingProxyType(
    {
        plot.name: plot
        for plot in (
            Plot(
                name="activity",
                title="Activity",
                description="The activities of each agent over the day of the moment.",
                draw=draw_activity,
            ),
            Plot(
                name="costs",
                title="Cost by task",
                description="The tokens and the calls of each LLM task up to the moment.",
                draw=draw_costs,
            ),
            Plot(
                name="importance",
                title="Importance and reflections",
                description="The memories of each hour by importance, and the reflections of "
                "each agent, up to the moment.",
                draw=draw_importance,
            ),
            Plot(
                name="news",
                title="Spread of news",
                description="The times at which the agents learned a piece of news up to the "
                "moment, and its sources.",
                draw=draw_news,
                needs_news=True,
            ),
            Plot(
                name="relationships",
                title="Relationships",
                description="The conversations between the agents up to the moment, and "
                "their ties.",
                draw=draw_relationships,
            ),
        )
    }
)


def get_plot(name: str) -> Plot:
    """Return the plot of the name.

    :raises PlotUnknown: if there is none.
    """
    if name not in PLOTS:
        raise PlotUnknown(f"there is no plot {name[:60]!r}; {names_there_are(PLOTS, name)}")
    return PLOTS[name]


def draw_plot(plot: Plot, request: PlotRequest) -> bytes:
    """Return the plot as an SVG document.

    :raises NewsMissing: if the plot is of a piece of news, and the request has none.
    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    ensure_plots_available()
    if plot.needs_news and request.news is None:
        raise NewsMissing
    return render_svg(plot.draw(request))
