"""The design of an experiment: factors with their levels, conditions, runs, moments."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from apps.experiments.argued_measures import (
    ChosenMeasure,
    Gathering,
    MeasureLabel,
    NewsMeasure,
    SurveyMeasure,
    measure_labels,
    selected_measures,
)
from apps.kernel.errors import DomainError
from apps.kernel.game_time import GameCalendar
from apps.kernel.names import names_there_are
from apps.kernel.request_models import (
    Listed,
    RequestModel,
    different,
    fault,
    read_values,
    said_as,
    shown,
)
from apps.kernel.requested_values import (
    ChosenAgents,
    GameMoment,
    LevelName,
    Moment,
    Name,
    Seed,
)
from apps.llm.calls.budget import Budget
from apps.llm.model_spec import ChosenModel
from apps.simulation.commands.branch_interventions import BranchIntervention

Factor = Literal["world", "settings", "model", "intervention"]
SHARED_PAST = "-"
"""The level of a run that is only forked, in an experiment without an untouched condition."""
RUNS_AT_ONCE, RUNS_MAX = 4, 1_000
VALUES_MAX = 500_000
"""What the tables and the report of an experiment hold at once."""
LEVELS_MAX, MOMENTS_MAX, MEASURES_MAX, COMMANDS_MAX = 50, 200, 200, 100
TITLE_CHARACTERS_MAX = 200
REFERENCE_MAX = 10**15
NO_LIMIT = Budget()
Level = TypeVar("Level")
Levels = Annotated[Mapping[LevelName, Level], Field(min_length=1, max_length=LEVELS_MAX)]


class UnusableExperiment(DomainError):
    """The experiment has a fault; the message names its place."""


class InterventionLevel(RequestModel):
    """What users do after the moment `at`; without a moment nothing."""

    null_is_left_out: ClassVar[bool] = True
    at: Moment | None = None
    """A game time or a tick."""
    commands: Annotated[Listed[BranchIntervention], Field(max_length=COMMANDS_MAX)] = ()
    """What users do, in this order."""

    @model_validator(mode="after")
    def _is_whole(self) -> "InterventionLevel":
        if (self.at is None) != (not self.commands):
            missing = "at" if self.at is None else "commands"
            raise fault(f"needs the member {missing!r}")
        return self


class SeedRange(RequestModel):
    """A range of seeds with both ends."""

    first: Annotated[Seed, Field(alias="from")]
    """The first one."""
    last: Annotated[Seed, Field(alias="to")]
    """The last one."""


_ListOfSeeds = Annotated[Listed[Seed], Field(min_length=1, max_length=RUNS_MAX)]


def _seeds(given: Any) -> Any:
    """Return the seeds of a range `{from: 1, to: 10}` as a list."""
    if not isinstance(given, Mapping):
        return given
    ends = SeedRange.model_validate(given)
    if not 0 <= ends.last - ends.first < RUNS_MAX:
        raise fault(f"must be a range of 1 to {RUNS_MAX} seeds")
    return tuple(range(ends.first, ends.last + 1))


def _named_models(given: Any) -> Any:
    """Return the models of a list by name."""
    if not isinstance(given, list):
        return given
    return {str(one).replace(":", "-").replace("/", "-"): one for one in given}


def _empty_if_null(given: Any) -> Any:
    return {} if given is None else given


Reference = Annotated[float, Field(ge=-REFERENCE_MAX, le=REFERENCE_MAX)]
References = Annotated[
    Reference | Listed[Reference | None],
    said_as("must be a number, or a list of one number or null for each of the moments"),
]
"""Published values: one or none for each moment, or the one of the last moment."""


@dataclass(frozen=True, slots=True, order=True)
class ExperimentalCondition:
    """The level of each factor."""

    world: str
    settings: str
    model: str
    intervention: str

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels in the order of the factors."""
        return (self.world, self.settings, self.model, self.intervention)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOfCondition:
    """A row of a table that belongs to a condition, with its levels."""

    world: str
    settings: str
    model: str
    intervention: str
    """"-" for a run that is only forked."""

    @property
    def condition(self) -> ExperimentalCondition:
        """The condition."""
        return ExperimentalCondition(self.world, self.settings, self.model, self.intervention)


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run of one condition with one seed."""

    condition: ExperimentalCondition
    seed: int

    @property
    def key(self) -> str:
        """The identity of the run in its experiment."""
        return "/".join((*self.condition.levels, str(self.seed)))


class ExperimentDesign(RequestModel):
    """An experiment: every combination of levels is a condition, run with every seed."""

    null_is_left_out: ClassVar[bool] = True
    name: LevelName
    """Letters, digits, hyphens, dots."""
    title: Annotated[str, Field(max_length=TITLE_CHARACTERS_MAX)] = Field(
        default_factory=lambda values: values.get("name", "")
    )
    """For readers; by default the name."""
    worlds: Annotated[
        Listed[Name], Field(min_length=1, max_length=LEVELS_MAX), AfterValidator(different)
    ] = ("smallville",)
    """Worlds that GET /worlds lists; by default "smallville"."""
    agents: ChosenAgents | None = None
    """The number of agents, the first of the world; or a list of their names or slugs; null
    for all."""
    seeds: Annotated[
        _ListOfSeeds,
        AfterValidator(different),
        BeforeValidator(_seeds, json_schema_input_type=_ListOfSeeds | SeedRange),
    ]
    """A list of seeds, or a range with both ends."""
    settings: Levels[Annotated[Mapping[str, Any], BeforeValidator(_empty_if_null)]] = Field(
        default_factory=lambda: {"standard": {}}
    )
    """Settings by the name of the level."""
    models: Annotated[Levels[ChosenModel | None], BeforeValidator(_named_models)] = Field(
        default_factory=lambda: {"default": None}
    )
    """Models by the name of the level."""
    interventions: Levels[Annotated[InterventionLevel, BeforeValidator(_empty_if_null)]] = (
        Field(default_factory=lambda: {"none": InterventionLevel()})
    )
    """What users do after a moment, by the name of the level; one may be empty: nothing."""
    moments: Annotated[
        Listed[Moment], Field(min_length=1, max_length=MOMENTS_MAX), AfterValidator(different)
    ]
    """Game times or ticks as of which all runs are measured."""
    measures: Annotated[
        Listed[ChosenMeasure],
        Field(min_length=1, max_length=MEASURES_MAX),
        AfterValidator(different),
    ]
    """Names that GET /measures lists, or their beginnings up to a dot; or objects with one
    member of `diffusion`, `attendance` and `survey`."""
    baseline: Mapping[Factor, str] = Field(default_factory=dict)
    """Levels of the condition that all others are compared with, by factor; the first level of
    a factor that is not named."""
    references: Annotated[Mapping[str, References], Field(max_length=MEASURES_MAX)] = Field(
        default_factory=dict
    )
    """Published values to show beside the own ones, by measure: a number for the last moment,
    or a list with one for each moment in the order of `moments`."""
    budget: Budget = NO_LIMIT
    """Of all runs together."""
    runs_at_once: Annotated[int, Field(ge=1, le=RUNS_MAX)] = RUNS_AT_ONCE
    """How many runs at the same time; by default 4."""

    @model_validator(mode="after")
    def _fits_together(self) -> "ExperimentDesign":
        self._check_levels()
        # Counted before they are made: a body of 6 kB can combine to millions.
        conditions = prod(map(len, self.levels.values()))
        if (runs := conditions * len(self.seeds)) > RUNS_MAX:
            raise fault(
                f"this has {conditions:,} conditions and {len(self.seeds):,} seeds, {runs:,} "
                f"runs; an experiment has {RUNS_MAX:,} at most"
            )
        known = self.measured_names
        if (values := runs * len(self.moments) * len(known)) > VALUES_MAX:
            raise fault(
                f"{runs:,} runs have {values:,} values at all moments; an experiment has "
                f"{VALUES_MAX:,} at most"
            )
        if unknown := [one for one in self.references if one not in known]:
            raise fault(
                f"references name {shown(unknown[0])}; of measures "
                f"{names_there_are(known, unknown[0])}"
            )
        for name, given in self.references.items():
            if isinstance(given, tuple) and len(given) != len(self.moments):
                raise fault(
                    f"references.{name} must be a number, or a list of one number or null for "
                    f"each of the {len(self.moments)} moments"
                )
        names = [one.name for one in self.news]
        names += [one.questionnaire.name for one in self.surveys]
        if twice := [name for name in names if names.count(name) > 1]:
            raise fault(f"two measures have the name {shown(twice[0])}; rename one")
        return self

    def _check_levels(self) -> None:
        untouched = [name for name, one in self.interventions.items() if one.at is None]
        if len(untouched) > 1:
            first, second = untouched[:2]
            raise fault(f"interventions.{first} and interventions.{second} both do nothing")
        for factor, level in self.baseline.items():
            if level not in self.levels[factor]:
                raise fault(
                    f"the baseline names the {factor} {shown(level)}; "
                    f"{names_there_are(self.levels[factor], level)}"
                )

    def to_json(self) -> dict[str, Any]:
        """Return the design as plain values that `read_design` takes."""
        values = super().to_json()
        objects = [one.to_json() for one in self.measures if not isinstance(one, str)]
        known = ExperimentDesign.model_fields
        return {
            **{name: one for name, one in values.items() if name in known},
            "measures": [*self.plain_measures, *objects],
        }

    @cached_property
    def plain_measures(self) -> tuple[str, ...]:
        """The names of the measures without arguments."""
        return selected_measures(one for one in self.measures if isinstance(one, str))

    @cached_property
    def news(self) -> tuple[NewsMeasure, ...]:
        """The pieces of news and the gatherings."""
        argued = [one for one in self.measures if not isinstance(one, str)]
        news = (one.diffusion or one.attendance for one in argued)
        return tuple(one for one in news if one is not None)

    @cached_property
    def gatherings(self) -> tuple[Gathering, ...]:
        """The gatherings whose attendance is measured."""
        return tuple(one for one in self.news if isinstance(one, Gathering))

    @cached_property
    def surveys(self) -> tuple[SurveyMeasure, ...]:
        """The questionnaires."""
        argued = (one.survey for one in self.measures if not isinstance(one, str))
        return tuple(one for one in argued if one is not None)

    @cached_property
    def measure_labels(self) -> dict[str, MeasureLabel]:
        """The title and the unit of all values of a run at a moment, in their order."""
        return measure_labels(self.plain_measures, self.news, self.surveys)

    @property
    def measured_names(self) -> tuple[str, ...]:
        """The names of all values that a run has at a moment, in their order."""
        return tuple(self.measure_labels)

    @cached_property
    def searched_news(self) -> tuple[NewsMeasure, ...]:
        """The pieces of news that are found by meaning."""
        return tuple(one for one in self.news if one.news)

    @cached_property
    def levels(self) -> dict[Factor, tuple[str, ...]]:
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
            *(self.baseline.get(factor, one[0]) for factor, one in self.levels.items())
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


def read_design(values: Any) -> ExperimentDesign:
    """Return the design of plain values, as YAML or JSON has them.

    A questionnaire that is named is one of the service. A stored design has the questionnaires
    themselves. What depends on a world is checked by `check_design`.

    :raises UnusableExperiment: if a value is missing, unknown or of another type.
    :raises MeasureUnknown: if there is no measure of a name.
    """
    return read_values(ExperimentDesign, values, error=UnusableExperiment)
