"""The plots of a simulation, by name."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.django_support.function_registry import Registry
from apps.evaluation.plots.svg_figure import FigureDrawing, ensure_plots_available, render_svg
from apps.evaluation.plots.time_axis import PlotRequest
from apps.kernel.errors import DomainError, NotFound


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
    "apps.evaluation.plots.activity_plot",
    "apps.evaluation.plots.cost_plot",
    "apps.evaluation.plots.importance_plot",
    "apps.evaluation.plots.news_plot",
    "apps.evaluation.plots.relationship_plot",
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
