"""The overview of a simulation, and its comparison with another one."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar, TypeAlias

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
from apps.metrics.totals import ModelCallCount, model_call_totals_of, turns_of
from apps.simulation import queries

UTTERANCES_SHOWN = 8
_ANSWERED = {EMBEDDED, *(outcome.value for outcome in AnswerOutcome)}
_SUMMED = (
    "calls", "retries", "prompt_tokens", "cached_prompt_tokens", "completion_tokens", "cost"
)  # fmt: skip
TaskCost: TypeAlias = defaultdict[str, Any]
"""What the calls of an LLM task, or of all, have used: the sums and the calls by outcome."""


def costs_by_task(counts: Iterable[ModelCallCount]) -> tuple[TaskCost, list[TaskCost]]:
    """Return the sums of all tasks, and of each task in order of tokens, most first."""
    total: TaskCost = defaultdict(int)
    by_task: dict[str, TaskCost] = defaultdict(lambda: defaultdict(int))
    for counted in counts:
        for cost in (total, by_task[counted.task]):
            for name in _SUMMED:
                cost[name] += getattr(counted, name)
            cost["tokens"] += counted.prompt_tokens + counted.completion_tokens
            cost[counted.outcome if counted.outcome in _ANSWERED else "failed"] += counted.calls
    ordered = sorted(by_task.items(), key=lambda one: (-one[1]["tokens"], one[0]))
    for task, cost in ordered:
        cost["task"] = task
    return total, [cost for _, cost in ordered]


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
        counts = model_call_totals_of(context.id)
        total, by_task = costs_by_task(counts)
        completed, failed = turns_of(context.id)
        utterances = history.list_utterances(context.id, as_of_tick=context.as_of_tick)
        return self.render(
            until=None if row.until_tick is None else context.time_at(row.until_tick),
            lag_seconds=queries.lag_seconds(row, tick_seconds, timezone.now()),
            in_turn=queries.agents_in_turn([context.id])[context.id],
            actions=agent_queries.actions_at(context.id, tick=context.as_of_tick),
            utterances=list(utterances.order_by("-tick", "agent")[:UTTERANCES_SHOWN]),
            models=sorted({(counted.server, counted.model) for counted in counts}),
            total=total,
            by_task=by_task,
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
