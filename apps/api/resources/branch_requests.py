"""The request for a branch: where it begins, what it changes, and what users do first."""

from typing import Any

from rest_framework import serializers

from apps.agents.naming import AgentUnknown
from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    Choice,
    PastMoment,
    Strict,
    Text,
    Whole,
)
from apps.api.resources.commands import PLACE_ERRORS, REASON_CHARACTERS_MAX
from apps.api.resources.interventions import alarming_field
from apps.api.resources.simulations.requests import (
    ChosenBudget,
    ChosenModel,
    ChosenSettings,
    budget_of,
)
from apps.kernel.errors import DomainError
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.branch_interventions import (
    KINDS,
    OBJECT_STATE,
    BranchIntervention,
)
from apps.simulation.commands.interventions import TEXT_CHARACTERS_MAX, UnusableText
from apps.simulation.commands.object_state import UnusableState
from apps.simulation.commands.remove_agent import REMOVE_AGENT, Embodied, LastAgent
from apps.simulation.engine.forks import CannotFork, ForkSpec, TickNotCommitted
from apps.simulation.engine.lifecycle import SEED_MAX
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


class ForkIntervention(Strict):
    """A command that the branch begins with; it takes effect as soon as possible."""

    kind = Choice(choices=KINDS)
    agent = Text(
        max_length=NAME_CHARACTERS_MAX,
        required=False,
        help_text="The slug of the agent; not with an object state.",
    )
    object_ = Text(
        max_length=300, required=False, help_text="The object; with an object state only."
    )
    text = Text(
        max_length=TEXT_CHARACTERS_MAX,
        required=False,
        help_text="The thought, the observation, or the state of the object; not with "
        "`send-away`, by which the agent leaves.",
    )
    alarming = alarming_field()
    reason = Text(max_length=REASON_CHARACTERS_MAX, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that it names what it is about, and has a text if it needs one."""
        about = "object" if attrs["kind"] == OBJECT_STATE else "agent"
        if attrs.keys() & {"object", "agent"} != {about}:
            raise serializers.ValidationError(f"name the {about}, and nothing else", code=about)
        needs_text = attrs["kind"] != REMOVE_AGENT
        if needs_text != ("text" in attrs):
            detail = "write the text" if needs_text else "leave the text out"
            raise serializers.ValidationError(detail, code="text")
        return attrs


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
    model = ChosenModel(required=False)
    budget = ChosenBudget(
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
        budget=budget_of(requested.get("budget")),
    )


def interventions_of(requested: dict[str, Any]) -> tuple[BranchIntervention, ...]:
    """Return what users do at the first tick of the branch."""
    return tuple(
        BranchIntervention(
            kind=one["kind"],
            agent=one.get("agent", ""),
            object=one.get("object", ""),
            text=one.get("text", ""),
            is_alarming=one.get("alarming"),
            reason=one.get("reason", ""),
        )
        for one in requested.get("interventions", ())
    )
