"""The design of an experiment: factors with their levels, conditions, runs, moments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

from apps.evaluation.models import NewsSearchRow
from apps.evaluation.questionnaires.typed_questions import Questionnaire
from apps.kernel.game_time import GameCalendar
from apps.llm.calls.budget import Budget
from apps.simulation.commands.branch_interventions import BranchIntervention

FACTORS = ("world", "settings", "model", "intervention")
SHARED_PAST = "-"
"""The level of a run that is only forked, in an experiment without an untouched condition."""
RUNS_AT_ONCE = 4
NO_LIMIT = Budget()
GameMoment = datetime | int
"""A game time, or a tick."""
References = tuple[float | None, ...] | float
"""Published values: one or none for each moment, or the one of the last moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterventionLevel:
    """What users do after the moment `at`; without a moment nothing."""

    at: GameMoment | None = None
    commands: tuple[BranchIntervention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsMeasure:
    """A piece of news; with `place`, the attendance of a gathering instead.

    It is found by its words, or by meaning if `sentence` tells it: then `verifier` reads the
    memories that are nearest to it. `hosts` are the slugs of the agents that give the
    gathering; None stands for those with which the news began.
    """

    name: str
    topic: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    sentence: str = ""
    verifier: str = NewsSearchRow.MODEL
    place: str = ""
    begins: GameMoment | None = None
    ends: GameMoment | None = None
    hosts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyMeasure:
    """A questionnaire that agents answer at each moment under one condition of interviews.

    `agents` are slugs; () stands for all that are there.
    """

    questionnaire: Questionnaire
    condition: str
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class ExperimentalCondition:
    """The level of each factor."""

    world: str
    settings: str
    model: str
    intervention: str

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels in the order of FACTORS."""
        return (self.world, self.settings, self.model, self.intervention)


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run of one condition with one seed."""

    condition: ExperimentalCondition
    seed: int

    @property
    def key(self) -> str:
        """The identity of the run in its experiment."""
        return "/".join((*self.condition.levels, str(self.seed)))


@dataclass(frozen=True, kw_only=True)
class ExperimentDesign:
    """An experiment as a user has requested it; every factor has at least one level.

    `plain_measures` are names, `news` and `surveys` measures with arguments. `budget` limits
    all runs together, `runs_at_once` how many of them run at the same time. `references` are
    published values of measures to show beside the own ones: one for each moment in the order
    of `moments`, or a single one for the last moment in time.
    """

    name: str
    title: str
    worlds: tuple[str, ...]
    agents: int | tuple[str, ...] | None
    seeds: tuple[int, ...]
    settings: Mapping[str, Mapping[str, Any]]
    models: Mapping[str, str | Mapping[str, Any] | None]
    interventions: Mapping[str, InterventionLevel]
    moments: tuple[GameMoment, ...]
    plain_measures: tuple[str, ...]
    news: tuple[NewsMeasure, ...] = ()
    surveys: tuple[SurveyMeasure, ...] = ()
    baseline: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[str, References] = field(default_factory=dict)
    budget: Budget = NO_LIMIT
    runs_at_once: int = RUNS_AT_ONCE

    @cached_property
    def searched_news(self) -> tuple[NewsMeasure, ...]:
        """The pieces of news that are found by meaning."""
        return tuple(one for one in self.news if one.sentence)

    @cached_property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of each factor, in their order."""
        return {
            "world": self.worlds,
            "settings": tuple(self.settings),
            "model": tuple(self.models),
            "intervention": tuple(self.interventions),
        }

    @cached_property
    def conditions(self) -> tuple[ExperimentalCondition, ...]:
        """All combinations of levels, in the order of the levels."""
        return tuple(
            ExperimentalCondition(*levels) for levels in product(*self.levels.values())
        )

    @cached_property
    def baseline_condition(self) -> ExperimentalCondition:
        """The condition that all others are compared with: the named, else the first levels."""
        return ExperimentalCondition(
            *(self.baseline.get(factor, levels[0]) for factor, levels in self.levels.items())
        )

    @cached_property
    def untouched(self) -> str | None:
        """The level without an intervention, None if there is none."""
        untouched = (name for name, one in self.interventions.items() if one.at is None)
        return next(untouched, None)

    @cached_property
    def measured_runs(self) -> tuple[PlannedRun, ...]:
        """The runs of all conditions; those of one seed stand together, for pairs."""
        return tuple(
            PlannedRun(condition, seed) for seed in self.seeds for condition in self.conditions
        )

    @property
    def shared_pasts(self) -> int:
        """The number of runs that are only forked."""
        return len(self.runs) - len(self.measured_runs)

    @cached_property
    def runs(self) -> dict[str, PlannedRun]:
        """All runs by key, each behind the one that it is forked from."""
        found: dict[str, PlannedRun] = {}
        for run in self.measured_runs:
            for one in (self.base_of(run), run):
                found.setdefault(one.key, one)
        return found

    def base_of(self, run: PlannedRun) -> PlannedRun:
        """Return the run whose past the run shares; itself if it shares none."""
        level = self.untouched or SHARED_PAST
        one = run.condition
        return PlannedRun(
            ExperimentalCondition(one.world, one.settings, one.model, level), run.seed
        )

    def is_measured(self, run: PlannedRun) -> bool:
        """Return whether the run is one of a condition, and not only forked."""
        return run.condition.intervention != SHARED_PAST

    def label_of(self, condition: ExperimentalCondition) -> str:
        """Return the levels of the factors that vary, for people."""
        varying = [
            level
            for level, levels in zip(condition.levels, self.levels.values(), strict=True)
            if len(levels) > 1
        ]
        return ", ".join(varying) or self.name

    def fork_tick(self, run: PlannedRun, calendar: GameCalendar) -> int:
        """Return the last tick of the past that the run shares with its base."""
        at = self.interventions[run.condition.intervention].at
        assert at is not None
        return tick_of_moment(at, calendar)

    def until_tick(self, run: PlannedRun, calendar: GameCalendar) -> int:
        """Return the last tick of the run: of its last moment, or of the last fork from it."""
        if self.is_measured(run):
            return max(self.moment_ticks(calendar))
        forks = (one.at for one in self.interventions.values() if one.at is not None)
        return max(1, *(tick_of_moment(at, calendar) for at in forks))

    def moment_ticks(self, calendar: GameCalendar) -> tuple[int, ...]:
        """Return the ticks of the moments, ascending."""
        return tuple(sorted({tick_of_moment(one, calendar) for one in self.moments}))

    def ordered_moments(self, calendar: GameCalendar) -> tuple[GameMoment, ...]:
        """Return the moments in the order of their ticks."""
        return tuple(sorted(self.moments, key=lambda one: tick_of_moment(one, calendar)))

    def reference_of(
        self, measure: str, moment: GameMoment, calendar: GameCalendar
    ) -> float | None:
        """Return the published value of a measure at a moment, None if there is none."""
        given = self.references.get(measure)
        if isinstance(given, tuple):
            return given[self.moments.index(moment)]
        return given if moment == self.ordered_moments(calendar)[-1] else None


def tick_of_moment(moment: GameMoment, calendar: GameCalendar) -> int:
    """Return the tick of a moment; it may be negative."""
    return moment if isinstance(moment, int) else calendar.tick_at(moment)


def budget_json(budget: Budget) -> dict[str, Any]:
    """Return the budget as plain values."""
    money = None if budget.money is None else str(budget.money)
    return {"tokens": budget.tokens, "money": money}


def budget_from_json(values: Mapping[str, Any]) -> Budget:
    """Return the budget of `budget_json`."""
    money = values.get("money")
    return Budget(
        tokens=values.get("tokens"), money=None if money is None else Decimal(str(money))
    )
