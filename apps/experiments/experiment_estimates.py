"""Estimates of the calls, tokens and cost of an experiment, before it is requested (L5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from apps.evaluation.expected_calls import expected_of_interviews, expected_of_search
from apps.evaluation.news_searches.verification import verifying_model
from apps.experiments.design import ExperimentDesign, PlannedRun
from apps.experiments.design_checks import (
    calendars_of_conditions,
    model_of_level,
    simulation_spec,
    world_of,
)
from apps.history import Usage
from apps.interaction.conditions import CONDITIONS
from apps.simulation.engine.run_estimates import estimate_first_run, estimate_work
from apps.simulation.ports import Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentEstimate:
    """The expected use of each run by key, and of all.

    `ticks` are those that all runs take together, `shared_ticks` those of shared pasts that
    forks do not take again.
    """

    by_run: dict[str, Usage]
    ticks: int
    shared_ticks: int

    @property
    def total(self) -> Usage:
        """The expected use of all runs."""
        return sum(self.by_run.values(), Usage())

    def to_json(self) -> dict[str, Any]:
        """Return plain values, as the request's event has them."""
        return {
            "total": _json(self.total),
            "by_run": {key: _json(one) for key, one in self.by_run.items()},
            "ticks": self.ticks,
            "shared_ticks": self.shared_ticks,
        }


def estimate_experiment(
    ports: Ports, design: ExperimentDesign, tasks: Iterable[str]
) -> ExperimentEstimate:
    """Return what the experiment will use, by the recorded figures of an agent's day.

    A branch counts from its fork on. With a remote model a branch uses answers of its past
    again, as far as nothing has changed, so that it costs less.

    :param tasks: the names of all LLM tasks.
    :raises DomainError: if a simulation could not be created; the message has a hint.
    """
    names = list(tasks)
    by_run: dict[str, Usage] = {}
    # Runs that differ in their seed only have one estimate.
    by_levels: dict[tuple[str, str, str, int, bool], Usage] = {}
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
            of_run = _of_run(ports, design, run, lived, names)
            by_levels[key] = of_run + _of_measures(ports, design, run)
        by_run[run.key] = by_levels[key]
        ticks, shared = ticks + lived, shared + past
    return ExperimentEstimate(by_run=by_run, ticks=ticks, shared_ticks=shared)


def _of_run(
    ports: Ports, design: ExperimentDesign, run: PlannedRun, ticks: int, tasks: list[str]
) -> Usage:
    spec = simulation_spec(design, run, None)
    return estimate_first_run(ports, spec, ticks, tasks).estimate.total


def _of_measures(ports: Ports, design: ExperimentDesign, run: PlannedRun) -> Usage:
    """Return the use of the surveys and news searches at all moments, by their figures."""
    found = Usage()
    if not design.is_measured(run):
        return found
    present = len(world_of(ports, design, run.condition.world).agents)
    model = model_of_level(design, run.condition.settings, run.condition.model)
    moments = len(set(design.moments))
    for survey in design.surveys:
        expected = expected_of_interviews(
            [question.answer for question in survey.questionnaire.questions],
            [CONDITIONS[survey.condition]],
            asked=(len(survey.agents) or present) * moments,
        )
        found += estimate_work(model, expected).total
    for news in design.searched_news:
        verifying = verifying_model(model, news.verifier)
        found += estimate_work(verifying, expected_of_search(present * moments)).total
    return found


def _json(used: Usage) -> dict[str, Any]:
    return {"calls": used.calls, "tokens": used.tokens, "cost": str(used.cost)}
