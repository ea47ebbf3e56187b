"""Plots of a simulation as SVG."""

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.formats import LOADS_NOTHING, SvgDocument
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.evaluation.plots.plot_catalogue import (
    PLOTS,
    NewsMissing,
    Plot,
    PlotRequest,
    PlotUnknown,
    draw_plot,
)
from apps.evaluation.plots.svg_figure import PlotsUnavailable
from apps.evaluation.social.news import News, news_of

# All words fit into an address, also where each character takes twelve bytes of it.
WORDS_MAX, WORD_CHARACTERS_MAX = 5, 40

PlotSummary = serializer_of(Plot, "PlotSummary", without=("function",))


class Plots(ListView, SimulationView):
    """The plots of a simulation."""

    query = list_parameters("name, title, description", "name")

    @operation("listPlots", "/plots", "evaluation", page_of_items(PlotSummary))
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """List the plots that there are of every simulation, by name."""
        searched = ("name", "title", "description")
        return self.page_of(PLOTS.values(), PlotSummary, *searched, name=("name",))


def _words(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=WORD_CHARACTERS_MAX),
        required=False,
        default=list,
        max_length=WORDS_MAX,
        help_text=help_text,
    )


class PlotParameters(AsOf):
    """The moment of a plot, and the words of a piece of news, as in `…/diffusion`."""

    topic = _words("Of news: words by which one speaks of it, in any case: `party`.")
    about = _words("Of news: words that tell it from others of its kind: `Isabella`.")
    asks = _words("Of news: phrases that only ask about it.")


class PlotImage(SimulationView):
    """A plot of a simulation."""

    query = PlotParameters
    renderer_classes = (SvgDocument,)
    # A later version of the library may draw the same history otherwise.
    changes_later = True

    @operation(
        "getPlot",
        "/plots/{plot}.svg",
        "evaluation",
        {(200, str(SvgDocument.media_type)): str},
        errors=(NewsMissing, PlotUnknown, PlotsUnavailable),
    )
    def get(self, request: Request, plot: str, **_names: str) -> Response:
        """Draw a plot as SVG, as of the committed tick or of `at`.

        It has a background of its own, a title and a description, and its text is text. The
        plot of the spread of news needs `topic`.
        """
        requested = PlotRequest(
            simulation_id=self.context.id,
            calendar=self.context.calendar,
            as_of_tick=self.context.as_of_tick,
            read_log=lambda key, tick: wiring.event_store().read(key, until_tick=tick),
            news=self._news(),
        )
        image = draw_plot(PLOTS.item(plot), requested)
        return Response(image, headers={CONTENT_SECURITY_POLICY: LOADS_NOTHING})

    def _news(self) -> News | None:
        """Return the requested piece of news; None without a topic."""
        topic = self.parameters["topic"]
        about, asks = self.parameters["about"], self.parameters["asks"]
        return news_of(topic, about, asks, ", ".join(topic)) if topic else None
