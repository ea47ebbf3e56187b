"""The overview of a simulation, and its comparison with another one."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps import history
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


@dataclass(slots=True, kw_only=True)
class TaskCost:
    """What the calls of one LLM task, or of all, have used so far."""

    task: str
    calls: int = 0
    repaired: int = 0
    fell_back: int = 0
    failed: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    cached_prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Decimal = Decimal(0)

    @property
    def tokens(self) -> int:
        """The tokens of input and output."""
        return self.prompt_tokens + self.completion_tokens

    def share_of_calls(self, count: int) -> float:
        """Return the share of the calls, 0 without calls."""
        return count / self.calls if self.calls else 0.0

    @property
    def fallback_share(self) -> float:
        """The share of calls that the fallback of the task answered."""
        return self.share_of_calls(self.fell_back)

    @property
    def failure_share(self) -> float:
        """The share of calls that ended without an answer."""
        return self.share_of_calls(self.failed)

    def add(self, counted: ModelCallCount) -> None:
        """Add calls with one outcome."""
        self.calls += counted.calls
        self.repaired += counted.calls * (counted.outcome == AnswerOutcome.REPAIRED)
        self.fell_back += counted.calls * (counted.outcome == AnswerOutcome.FELL_BACK)
        self.failed += counted.calls * (counted.outcome not in _ANSWERED)
        self.retries += counted.retries
        self.prompt_tokens += counted.prompt_tokens
        self.cached_prompt_tokens += counted.cached_prompt_tokens
        self.completion_tokens += counted.completion_tokens
        self.cost += counted.cost


def costs_by_task(counts: Iterable[ModelCallCount]) -> tuple[TaskCost, list[TaskCost]]:
    """Return the sum of all tasks, and the tasks in order of their tokens, most first."""
    total = TaskCost(task="all")
    by_task: dict[str, TaskCost] = {}
    for counted in counts:
        total.add(counted)
        by_task.setdefault(counted.task, TaskCost(task=counted.task)).add(counted)
    return total, sorted(by_task.values(), key=lambda cost: (-cost.tokens, cost.task))


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
            actions=history.actions_at(context.id, tick=context.as_of_tick),
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
