"""The overview of a simulation, and its comparison with another one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps import history
from apps.agents import queries as agent_queries
from apps.api.http.simulation_context import (
    SimulationContext,
    list_visible_simulations,
    load_context,
)
from apps.api.resources.comparisons import ABOUT_CHARACTERS_MAX
from apps.comparisons.history_comparison import HistoryComparison, compare
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.inspection.pages import ComposedText, InspectionPage
from apps.lineage.branches import forks_of, parents_of
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.budget import budget_of
from apps.llm.calls.metrics import EMBEDDED
from apps.llm.calls.queries import costs_by_task_and_model
from apps.llm.usage import Usage, UsageLine
from apps.metrics.totals import ModelCallCount, model_call_totals_of, turns_of
from apps.simulation import queries

UTTERANCES_SHOWN = 8
_ANSWERED = {EMBEDDED, *(outcome.value for outcome in AnswerOutcome)}


@dataclass(frozen=True, slots=True)
class CallOutcomes:
    """How the calls of a simulation ended: `calls` by outcome, and fallbacks by LLM task."""

    calls: Mapping[str, int]
    fell_back: Mapping[str, int]
    failed: int
    retries: int


def outcomes_of(counts: Iterable[ModelCallCount]) -> CallOutcomes:
    """Return the outcomes of calls; other outcomes than those of answers are failures."""
    calls, fell_back, retries = Counter[str](), Counter[str](), 0
    for counted in counts:
        calls[counted.outcome] += counted.calls
        retries += counted.retries
        if counted.outcome == AnswerOutcome.FELL_BACK:
            fell_back[counted.task] += counted.calls
    failed = sum(number for outcome, number in calls.items() if outcome not in _ANSWERED)
    # A template looks up a name as a key first, and a counter has every key.
    return CallOutcomes(
        calls=dict(calls), fell_back=dict(fell_back), failed=failed, retries=retries
    )


def most_costly_first(lines: Iterable[UsageLine]) -> list[UsageLine]:
    """Return the lines in order of cost, then of tokens, the greatest first."""
    return sorted(lines, key=lambda line: (-line.cost, -line.tokens, line.key))


class OverviewPage(InspectionPage):
    """The overview of a simulation.

    Calls and cost are totals so far and no history: they are the same at each moment.
    """

    template = "inspection/overview.html"
    title = "Overview"
    tab = "simulation"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show it."""
        context = self.context
        row, tick_seconds = context.row, context.calendar.tick_seconds
        outcomes = outcomes_of(model_call_totals_of(context.id))
        by_task, by_model = costs_by_task_and_model(context.id)
        completed, failed = turns_of(context.id)
        utterances = history.list_utterances(context.id, as_of_tick=context.as_of_tick)
        return self.render(
            until=None if row.until_tick is None else context.time_at(row.until_tick),
            lag_seconds=queries.lag_seconds(row, tick_seconds, timezone.now()),
            in_turn=queries.agents_in_turn([context.id])[context.id],
            actions=agent_queries.actions_at(context.id, tick=context.as_of_tick),
            utterances=list(utterances.order_by("-tick", "agent")[:UTTERANCES_SHOWN]),
            outcomes=outcomes,
            total=sum(by_task, Usage()),
            by_task=most_costly_first(by_task),
            by_model=most_costly_first(by_model),
            turns={"completed": completed, "failed": failed},
            budget=budget_of(context.id),
            founded=context.founded,
            plots=[plot for plot in PLOTS.values() if not plot.needs_news],
            **self._relatives(),
        )

    def _relatives(self) -> dict[str, Any]:
        """Return the parent and the branches that the user may read, with the shared ticks."""
        parent = parents_of([self.context.id]).get(self.context.id)
        forks = forks_of(self.context.id)
        ids = [*forks, *([] if parent is None else [parent.simulation_id])]
        visible = list_visible_simulations(self.user).filter(pk__in=ids) if ids else ()
        rows = {row.pk: row for row in visible}
        return {
            "parent": parent,
            "parent_row": None if parent is None else rows.get(parent.simulation_id),
            "branches": [
                {"row": rows[branch], "tick": tick}
                for branch, tick in forks.items()
                if branch in rows
            ],
        }


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
        filters, values = self.filtered(ComparisonFilter)
        about = values.get("about", "")
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
