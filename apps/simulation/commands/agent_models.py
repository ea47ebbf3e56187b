"""The own chat model that a request to add an agent may name."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.llm.calls.budget import budget_of, ensure_budget_priced
from apps.llm.catalogue import parse_chat_model
from apps.llm.model_spec import MODEL_CHARACTERS_MAX, ModelSpec
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.simulation.queries import model_of

ModelOfAgent = Annotated[str, Field(max_length=MODEL_CHARACTERS_MAX)] | None
"""`server:model`, `server` or `offline`; None for what the models of the simulation say."""


def models_with(
    ports: Ports, simulation_id: UUID, agent: str, model: str | None, *, seed: int
) -> ModelSpec:
    """Return the models of the simulation with the own model of the agent, if one is given.

    :raises UnknownModel: if there is no such server, or it has no default model.
    :raises ModelNotAllowed: if the operator does not offer the model.
    :raises PriceUnknown: if the budget is of money and the model has no price.
    """
    spec = model_of(simulation_id)
    if model is None:
        return spec
    spec = spec.with_agent(agent, parse_chat_model(model).chat)
    ports.open_models(spec, seed)  # raises for a model that cannot be used
    ensure_budget_priced(budget_of(simulation_id), spec)
    return spec


def give_model(
    ports: Ports, simulation_id: UUID, agent: str, model: str | None, *, seed: int
) -> ModelSpec:
    """Give the agent the model; return the models of the simulation.

    :raises DomainError: as `models_with`, since the settings may have changed.
    """
    spec = models_with(ports, simulation_id, agent, model, seed=seed)
    if model is not None:
        SimulationRow.objects.filter(pk=simulation_id).update(model=spec.to_json())
    return spec
