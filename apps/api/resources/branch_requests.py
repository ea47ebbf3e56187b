"""The request for a branch: where it begins, what it changes, and what users do first."""

from typing import Any

from rest_framework import serializers

from apps.agents.naming import AgentUnknown
from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    DescribedValue,
    PastMoment,
    Strict,
    Text,
    Whole,
)
from apps.api.resources.commands import PLACE_ERRORS
from apps.api.resources.simulations.requests import (
    BudgetField,
    ChosenModelField,
    ChosenSettings,
)
from apps.kernel.errors import DomainError
from apps.kernel.requested_values import SEED_MAX
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.agents import Embodied, LastAgent
from apps.simulation.commands.branch_interventions import (
    BranchIntervention,
)
from apps.simulation.commands.interventions import UnusableText
from apps.simulation.commands.object_state import UnusableState
from apps.simulation.engine.forks import CannotFork, ForkSpec, TickNotCommitted
from apps.simulation.settings import UnusableSettings
from apps.simulation.turn.preparation import SimulationPreparing

INTERVENTIONS_MAX = 100
BRANCH_ERRORS = (
    AgentUnknown,
    CannotFork,
    TickNotCommitted,
    SimulationPreparing,
    UnknownModel,
    UnusableSettings,
    ModelNotAllowed,
    PriceUnknown,
    *PLACE_ERRORS,
    UnusableState,
    UnusableText,
    Embodied,
    LastAgent,
    DomainError,
)


class ForkIntervention(DescribedValue, kind=BranchIntervention):
    """A command that the branch begins with."""


class ForkRequest(Strict):
    """The branch to create; what is left out stays as in the simulation."""

    at = PastMoment(help_text="The last moment of the shared past; it is committed.")
    name = Text(max_length=NAME_CHARACTERS_MAX, help_text="For people; it need not be unique.")
    seed = Whole(
        required=False,
        min_value=0,
        max_value=SEED_MAX,
        help_text="Of all chance from then on; recorded answers are not used again.",
    )
    settings = ChosenSettings(required=False)
    model = ChosenModelField(required=False, help_text="As of a new simulation.")
    budget = BudgetField(
        required=False, allow_null=True, help_text="What it may use; null: no limit."
    )
    interventions = serializers.ListField(
        child=ForkIntervention(),
        required=False,
        max_length=INTERVENTIONS_MAX,
        help_text="What users do at the first tick of the branch.",
    )


def fork_spec_of(requested: dict[str, Any], at_tick: int) -> ForkSpec:
    """Return the branch that the values of a `ForkRequest` ask for."""
    return ForkSpec(
        name=requested["name"],
        at_tick=at_tick,
        seed=requested.get("seed"),
        settings=requested.get("settings"),
        model=requested.get("model"),
        budget=requested.get("budget"),
    )
