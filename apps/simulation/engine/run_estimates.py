"""Estimates what a planned run, of an existing or a new simulation, and other work cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.agents.queries import slugs_in_simulation
from apps.llm.calls.queries import CostGroup, costs
from apps.llm.catalogue import PricedModels, named_models, priced_models
from apps.llm.estimates import Estimate, Figure, Past, estimate, estimate_calls
from apps.llm.model_spec import ModelSpec
from apps.simulation import queries
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.simulation.settings import parse_settings
from apps.world.loading import world_named

SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """The estimate of a run of a number of ticks with a number of agents."""

    ticks: int
    agents: int
    agent_days: float
    models: PricedModels
    estimate: Estimate


def estimate_run(row: SimulationRow, ticks: int, tasks: Iterable[str]) -> RunEstimate:
    """Return what the simulation will use in its next ticks."""
    tick_seconds = queries.calendar_of(row.pk).tick_seconds
    agents = slugs_in_simulation(row.pk)
    past = Past(
        used={line.key: line for line in costs(row.pk, by=CostGroup.TASK)},
        agent_days=_agent_days(len(agents), row.committed_tick, tick_seconds),
        agents=agents,
    )
    models = named_models(ModelSpec.from_json(row.model))
    return _estimate(models, ticks, tick_seconds, past, tasks)


def estimate_first_run(
    ports: Ports, spec: SimulationSpec, ticks: int, tasks: Iterable[str]
) -> RunEstimate:
    """Return what a new simulation will use in its first ticks.

    It reads no database and needs no model server: a hosted model is priced by the table that
    is included.

    :raises DomainError: if the simulation could not be created; the message has a hint.
    """
    world = world_named(spec.world, ports.worlds)
    if spec.agents is not None:
        world = world.with_agents(spec.agents)
    nothing = Past(used={}, agents=[agent.slug for agent in world.agents])
    tick_seconds = parse_settings(spec.settings).tick_seconds
    return _estimate(priced_models(spec.model), ticks, tick_seconds, nothing, tasks)


def estimate_work(
    simulation_id: UUID | None,
    expected: Mapping[str, Figure],
    *,
    agents: Sequence[str],
    model: ModelSpec | None = None,
) -> Estimate:
    """Return what work will use whose calls are known and can wait, such as a survey.

    Token counts come from the own calls of the simulation; None before it is created.

    :param agents: the slugs of the agents whose calls these are, with equal shares.
    :param expected: see `estimate_calls`.
    :param model: by default that of the simulation.
    """
    own = [] if simulation_id is None else costs(simulation_id, by=CostGroup.TASK)
    if model is None:
        assert simulation_id is not None, "the model is that of the simulation"
        model = queries.model_of(simulation_id)
    past = Past(used={line.key: line for line in own}, agents=agents)
    return estimate_calls(expected, past, named_models(model, can_wait=True).prices)


def _estimate(
    models: PricedModels, ticks: int, tick_seconds: int, past: Past, tasks: Iterable[str]
) -> RunEstimate:
    agents = len(past.agents)
    agent_days = _agent_days(agents, ticks, tick_seconds)
    return RunEstimate(
        ticks=ticks,
        agents=agents,
        agent_days=agent_days,
        models=models,
        estimate=estimate(tasks, agent_days, past, models.prices),
    )


def _agent_days(agents: int, ticks: int, tick_seconds: int) -> float:
    return agents * ticks * tick_seconds / SECONDS_PER_DAY
