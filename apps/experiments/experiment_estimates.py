"""Estimates of the calls, tokens and cost of an experiment, before it is requested (L5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.search_estimates import estimate_news_search
from apps.evaluation.surveys.survey_estimates import FIGURES, calls_of_survey
from apps.experiments.design import ExperimentDesign, PlannedRun
from apps.experiments.design_checks import (
    calendars_of_conditions,
    model_of_level,
    simulation_spec,
    world_of,
)
from apps.interaction.conditions import CONDITIONS
from apps.llm.catalogue import price_of
from apps.llm.prices import FREE
from apps.simulation.engine.run_estimates import estimate_first_run
from apps.simulation.ports import Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsAndCost:
    """Model calls, the tokens of prompts and answers together, and their cost."""

    calls: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)

    def __add__(self, other: "CallsAndCost") -> "CallsAndCost":
        return CallsAndCost(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            cost=self.cost + other.cost,
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"calls": self.calls, "tokens": self.tokens, "cost": str(self.cost)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentEstimate:
    """The expected use of each run by key, and of all.

    `ticks` are those that all runs take together, `shared_ticks` those of shared pasts that
    forks do not take again.
    """

    by_run: dict[str, CallsAndCost]
    ticks: int
    shared_ticks: int

    @property
    def total(self) -> CallsAndCost:
        """The expected use of all runs."""
        return sum(self.by_run.values(), CallsAndCost())

    def to_json(self) -> dict[str, Any]:
        """Return plain values, as the request's event has them."""
        return {
            "total": self.total.to_json(),
            "by_run": {key: one.to_json() for key, one in self.by_run.items()},
            "ticks": self.ticks,
            "shared_ticks": self.shared_ticks,
        }


def estimate_experiment(
    ports: Ports, design: ExperimentDesign, chains: Iterable[str]
) -> ExperimentEstimate:
    """Return what the experiment will use, by the recorded figures of an agent's day.

    A branch counts from its fork on. With a remote model a branch uses answers of its past
    again, as far as nothing has changed, so that it costs less.

    :param chains: the names of all LLM tasks.
    :raises DomainError: if a simulation could not be created; the message has a hint.
    """
    names = list(chains)
    by_run: dict[str, CallsAndCost] = {}
    # Runs that differ in their seed only have one estimate.
    by_levels: dict[tuple[str, str, str, int, bool], CallsAndCost] = {}
    calendars = calendars_of_conditions(ports, design)
    ticks = shared = 0
    for run in design.runs.values():
        one = run.condition
        calendar = calendars[one.world, one.settings]
        forked = design.base_of(run).key != run.key
        past = design.fork_tick(run, calendar) if forked else 0
        lived = design.until_tick(run, calendar) - past
        key = (one.world, one.settings, one.model, lived, design.is_measured(run))
        if key not in by_levels:
            of_measures = _of_surveys(ports, design, run) + _of_searches(ports, design, run)
            by_levels[key] = _of_run(ports, design, run, lived, names) + of_measures
        by_run[run.key] = by_levels[key]
        ticks, shared = ticks + lived, shared + past
    return ExperimentEstimate(by_run=by_run, ticks=ticks, shared_ticks=shared)


def _of_run(
    ports: Ports, design: ExperimentDesign, run: PlannedRun, ticks: int, chains: list[str]
) -> CallsAndCost:
    spec = simulation_spec(design, run, None)
    lines = estimate_first_run(ports, spec, ticks, chains).estimate.lines
    return CallsAndCost(
        calls=sum(line.calls for line in lines),
        tokens=sum(line.tokens for line in lines),
        cost=sum((line.cost for line in lines), Decimal(0)),
    )


def _of_surveys(ports: Ports, design: ExperimentDesign, run: PlannedRun) -> CallsAndCost:
    """Return the use of the interviews at all moments, by the figures of surveys."""
    found = CallsAndCost()
    if not design.is_measured(run):
        return found
    present = len(world_of(ports, design, run.condition.world).people)
    spec = model_of_level(design, run.condition.settings, run.condition.model)
    price = price_of(spec.chat_model, spec.server) or FREE
    for survey in design.surveys:
        asked = (len(survey.agents) or present) * len(set(design.moments))
        conditions = [CONDITIONS[survey.condition]]
        counted = calls_of_survey(survey.questionnaire, conditions, asked=asked)
        for chain, calls in counted.items():
            prompt, completion = FIGURES[chain]
            found += CallsAndCost(
                calls=calls,
                tokens=calls * (prompt + completion),
                cost=price.cost(
                    prompt_tokens=calls * prompt,
                    cached_prompt_tokens=0,
                    completion_tokens=calls * completion,
                ),
            )
    return found


def _of_searches(ports: Ports, design: ExperimentDesign, run: PlannedRun) -> CallsAndCost:
    """Return the use of the news searches at all moments; a rule uses nothing that is paid."""
    found = CallsAndCost()
    if not design.is_measured(run):
        return found
    present = len(world_of(ports, design, run.condition.world).people)
    spec = model_of_level(design, run.condition.settings, run.condition.model)
    moments = len(set(design.moments))
    for news in design.searched_news:
        is_rule = news.verifier != NewsSearchRow.MODEL
        price = None if is_rule else price_of(spec.chat_model, spec.server)
        one = estimate_news_search(present * moments, price)
        tokens = one.prompt_tokens + one.completion_tokens
        found += CallsAndCost(calls=one.calls, tokens=tokens, cost=one.cost)
    return found
