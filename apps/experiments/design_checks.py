"""Checks of a design against its worlds, settings and models, before anything is created."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.evaluation.expected_calls import expected_of_interviews, expected_of_search
from apps.evaluation.news_searches.verification import verifying_model
from apps.experiments.design import (
    ExperimentalCondition,
    ExperimentDesign,
    InterventionLevel,
    PlannedRun,
    UnusableExperiment,
    tick_of_moment,
)
from apps.history import Usage, World
from apps.interaction.conditions import CONDITIONS
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.names import names_there_are, slug_of
from apps.kernel.request_models import shown
from apps.kernel.requested_values import GameMoment
from apps.llm.calls.budget import Budget, ensure_budget_priced
from apps.llm.catalogue import ensure_agents_known, parse_model
from apps.llm.model_spec import ModelSpec
from apps.llm.prompts.sets import PromptForm
from apps.simulation.commands.branch_interventions import OBJECT_STATE
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.engine.run_estimates import estimate_first_run, estimate_work
from apps.simulation.ports import Ports
from apps.simulation.settings import PROMPT_FORMS, parse_settings
from apps.world.loading import world_named


def check_design(ports: Ports, design: ExperimentDesign) -> None:
    """Check that every run of the design can be created, forked and measured.

    :raises UnusableExperiment: if a moment, an agent, an object or a place is none of a world.
    :raises DomainError: for an unknown world, agent, setting or model, or a budget of money
        without a price; the message has a hint.
    """
    for name in design.worlds:
        world = world_of(ports, design, name)
        _check_places(design, world)
        for level, one in design.interventions.items():
            _check_intervention(one, world, f"interventions.{level}")
        for settings in design.settings:
            calendar = calendar_of_level(ports, design, name, settings)
            _check_moments(design, calendar)
            _check_ticks_of_moments(design, calendar, f"in {name} with settings {settings}")
    for settings in design.settings:
        for model in design.models:
            spec = model_of_level(design, settings, model)
            ports.open_models(spec, design.seeds[0])  # raises for a model that cannot be used
            for name in design.worlds:
                agents = world_named(name, ports.worlds).agents
                ensure_agents_known(spec, [person.slug for person in agents])
            ensure_budget_priced(design.budget, spec)


def world_of(ports: Ports, design: ExperimentDesign, name: str) -> World:
    """Return the world with the agents of the design.

    :raises DomainError: for an unknown world or agent.
    """
    world = world_named(name, ports.worlds)
    if design.agents is None:
        return world
    return world.with_agents(design.agents)


def calendar_of_level(
    ports: Ports, design: ExperimentDesign, world: str, settings: str
) -> GameCalendar:
    """Return the calendar of the runs in a world with settings."""
    parsed = parse_settings(dict(design.settings[settings]))
    start = world_named(world, ports.worlds).start
    return GameCalendar(start, parsed.tick_seconds)


def calendars_of_conditions(
    ports: Ports, design: ExperimentDesign
) -> Mapping[tuple[str, str], GameCalendar]:
    """Return the calendars by world and settings."""
    return {
        (world, settings): calendar_of_level(ports, design, world, settings)
        for world in design.worlds
        for settings in design.settings
    }


def model_of_level(design: ExperimentDesign, settings: str, model: str) -> ModelSpec:
    """Return the models of the runs with settings and a model."""
    preset = design.settings[settings].get("preset")
    form = PROMPT_FORMS.get(str(preset), PromptForm.FULL)
    return parse_model(design.models[model], prompt_form=form)


def simulation_spec(
    design: ExperimentDesign, run: PlannedRun, budget: Budget | None
) -> SimulationSpec:
    """Return the simulation to create for a run that is not forked."""
    one = run.condition
    return SimulationSpec(
        name=simulation_name(design, run),
        world=one.world,
        seed=run.seed,
        model=design.models[one.model],
        settings=dict(design.settings[one.settings]),
        agents=design.agents,
        budget=budget,
    )


def simulation_name(design: ExperimentDesign, run: PlannedRun) -> str:
    """Return the name of the simulation of a run, for people."""
    return f"{design.name}: {_levels(design, run.condition)}, seed {run.seed}"[:120]


def commands_of(world: World, level: InterventionLevel) -> InterventionLevel:
    """Return the level with agents by slug and objects by path."""
    commands = tuple(
        one.model_copy(update={"object": world.tree.resolve(one.object).path})
        if one.kind == OBJECT_STATE
        else one.model_copy(update={"agent": world.person(one.agent).slug})
        for one in level.commands
    )
    return level.model_copy(update={"commands": commands})


def _levels(design: ExperimentDesign, condition: ExperimentalCondition) -> str:
    if condition.intervention in design.interventions:
        return design.label_of(condition)
    return "shared past"


def _check_places(design: ExperimentDesign, world: World) -> None:
    places = [node.path for node in world.tree.nodes]
    slugs = sorted(person.slug for person in world.agents)
    for one in design.gatherings:
        measure = f"the measure attendance {one.name} names"
        _ensure_known(f"{measure} the place", [one.place], places, f"in {world.name} ")
        _ensure_known(f"{measure} the host", one.hosts or (), slugs)
    for survey in design.surveys:
        name = survey.questionnaire.name
        _ensure_known(f"the survey {name} asks", survey.agents, slugs)


def _check_intervention(level: InterventionLevel, world: World, where: str) -> None:
    slugs = [person.slug for person in world.agents]
    for one in commands_of(world, level).commands:
        _ensure_known(f"{where} is about", filter(None, [one.agent]), slugs, "of agents ")


def _ensure_known(
    what: str, names: Iterable[str], known: Collection[str], where: str = ""
) -> None:
    for name in names:
        if name not in known:
            raise UnusableExperiment(
                f"{what} {shown(name)}; {where}{names_there_are(known, name)}"
            )


def _check_moments(design: ExperimentDesign, calendar: GameCalendar) -> None:
    ends = [one.ends for one in design.gatherings]
    begins = [one.begins for one in design.gatherings]
    forks = [one.at for one in design.interventions.values() if one.at is not None]
    last = max(design.moment_ticks(calendar))
    for moment in (*design.moments, *ends, *begins, *forks):
        tick = tick_of_moment(moment, calendar)
        if not 0 <= tick <= TICK_MAX:
            raise UnusableExperiment(
                f"{moment} is out of bounds: the simulation begins at {calendar.start}"
            )
    if last < 1:
        raise UnusableExperiment("the last moment must be after the beginning")
    for moment in forks:
        if tick_of_moment(moment, calendar) >= last:
            raise UnusableExperiment(
                f"the intervention at {moment} is not before the last moment"
            )
    _check_gatherings(design, calendar, last)


def _check_ticks_of_moments(
    design: ExperimentDesign, calendar: GameCalendar, where: str
) -> None:
    """Check that each moment has a tick of its own: a run is measured once as of a tick."""
    by_tick: dict[int, GameMoment] = {}
    for moment in design.moments:
        tick = tick_of_moment(moment, calendar)
        if tick in by_tick:
            raise UnusableExperiment(
                f"the moments {by_tick[tick]} and {moment} are both tick {tick} {where}; leave "
                "one of them out"
            )
        by_tick[tick] = moment


def _check_gatherings(design: ExperimentDesign, calendar: GameCalendar, last: int) -> None:
    for one in design.gatherings:
        ticks = tick_of_moment(one.begins, calendar), tick_of_moment(one.ends, calendar)
        if not ticks[0] < ticks[1] <= last:
            raise UnusableExperiment(
                f"the gathering of {one.name} must end after its beginning, and not after the "
                "last moment"
            )


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
    present = [one.slug for one in world_of(ports, design, run.condition.world).agents]
    model = model_of_level(design, run.condition.settings, run.condition.model)
    moments = len(set(design.moments))
    for survey in design.surveys:
        asked = [slug_of(agent) for agent in survey.agents] or present
        expected = expected_of_interviews(
            [question.answer for question in survey.questionnaire.questions],
            [CONDITIONS[survey.condition]],
            asked=len(asked) * moments,
        )
        found += estimate_work(None, expected, agents=asked, model=model).total
    for news in design.searched_news:
        verifying = verifying_model(model, news.verifier)
        expected = expected_of_search(len(present) * moments)
        found += estimate_work(None, expected, agents=present, model=verifying).total
    return found


def _json(used: Usage) -> dict[str, Any]:
    return {"calls": used.calls, "tokens": used.tokens, "cost": str(used.cost)}
