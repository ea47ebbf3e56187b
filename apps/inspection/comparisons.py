"""Two histories side by side: where they diverge, who differs and why, and what is left."""

from dataclasses import fields
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse

from apps import history
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.resources.comparisons import ABOUT_CHARACTERS_MAX
from apps.comparisons.history_comparison import HistoryComparison, compare
from apps.inspection.filters import ComposedText
from apps.inspection.pages import InspectionPage


class ComparisonFilter(forms.Form):
    """The words of which the page shows who remembers them."""

    about = ComposedText(
        required=False, label="Who knows about", max_length=ABOUT_CHARACTERS_MAX
    )


class ComparisonPage(InspectionPage):
    """The comparison of the simulation with another one, up to the moment.

    Histories can be compared as far as both have come: the moment is at most the committed
    tick of the other simulation.
    """

    template = "inspection/comparison.html"
    title = "Comparison"
    tab: ClassVar[str] = ""
    other: SimulationContext

    def load(self, **names: Any) -> None:
        """Load the other simulation.

        :raises SimulationUnknown: if there is none, or the user has no role in it.
        """
        self.other = load_context(self.user, str(names["other"]))

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show it."""
        filters = ComparisonFilter(request.GET)
        about = filters.cleaned_data["about"] if filters.is_valid() else ""
        until_tick = min(self.context.as_of_tick, self.other.row.committed_tick)
        found = compare(self.context.id, self.other.id, until_tick=until_tick, about=about)
        return self.render(
            filters=filters, other=self.other.row, found=found, measures=_measures(found)
        )

    @property
    def names(self) -> dict[str, str]:
        """The full names of the agents of both simulations, by slug."""
        if not hasattr(self, "_names_of_both"):
            others = history.names_of_agents(self.other.id, as_of_tick=self.other.as_of_tick)
            self._names_of_both = others | super().names
        return self._names_of_both


def _measures(found: HistoryComparison) -> list[dict[str, Any]]:
    """Return the measures of both histories as lines, with whether they differ."""
    one, other = found.measures_of_one, found.measures_of_other
    pairs = [
        (field.name, getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)
    ]
    return [
        {"name": name, "one": value, "other": other_value, "differs": value != other_value}
        for name, value, other_value in pairs
    ]
