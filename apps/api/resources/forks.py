"""Forks of a simulation: branches that share its past, created and listed."""

from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from django.db import transaction
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Choice, Clock, Serializer
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_context import list_visible_simulations
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import FOUNDING, ApiView, operation
from apps.api.resources.commands import PLACE_ERRORS
from apps.api.resources.simulation_forms import Simulation
from apps.api.resources.simulations import located_response
from apps.kernel.errors import DomainError
from apps.kernel.request_models import Listed, RequestModel
from apps.kernel.requested_values import LastTickUntil, Name, Seed
from apps.lineage.branches import forks_of
from apps.llm.calls.budget import Budget
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import ChosenModel, UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.agents import Embodied, LastAgent
from apps.simulation.commands.branch_interventions import (
    BranchIntervention,
    request_interventions,
)
from apps.simulation.commands.interventions import UnusableText
from apps.simulation.commands.object_state import UnusableState
from apps.simulation.engine.forks import CannotFork, ForkSpec, TickNotCommitted, fork_simulation
from apps.simulation.models import Status
from apps.simulation.settings import RequestedSettings, UnusableSettings
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


class ForkRequest(RequestModel):
    """The branch to create; what is left out stays as in the simulation."""

    at: LastTickUntil
    """The last moment of the shared past; it is committed."""
    name: Name
    """For people; it need not be unique."""
    seed: Seed | None = None
    """Of all chance from then on; recorded answers are not used again."""
    settings: RequestedSettings | None = None
    """Those not named stay."""
    model: ChosenModel | None = None
    """As of a new simulation."""
    budget: Budget | None = None
    """What it may use; null: no limit."""
    interventions: Annotated[
        Listed[BranchIntervention], Field(max_length=INTERVENTIONS_MAX)
    ] = ()
    """What users do at the first tick of the branch."""

    def spec(self, at_tick: int) -> ForkSpec:
        """Return the branch that is asked for."""
        return ForkSpec(
            name=self.name,
            at_tick=at_tick,
            seed=self.seed,
            settings=self.settings,
            model=self.model,
            budget=self.budget,
        )


class Branch(Serializer):
    """A branch of the simulation."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    forked_at = Clock(source="forked_tick", help_text="The last moment of the shared past.")
    clock = Clock(source="committed_tick", help_text="The committed tick.")
    status = Choice(choices=Status)
    recorded_at = serializers.DateTimeField(
        source="created_at", help_text="The time of its creation, by the service's clock."
    )


class Forks(ListView, SimulationView):
    """The branches of a simulation."""

    query = list_parameters("name", "recorded_at", default="-recorded_at")
    rights: ClassVar = {"POST": Right.READ}
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation("listForks", "/forks", "simulations", page_of_items(Branch))
    def get(self, request: Request, **_names: str) -> Any:
        """List the branches of a simulation that you have a role in, by default the newest."""
        ticks = forks_of(self.context.id)
        rows = list_visible_simulations(self.user).filter(pk__in=ticks)
        return self.page(
            self.matching(rows, "name"),
            Branch,
            prepare=lambda page: [
                vars(row) | {"pk": row.pk, "forked_tick": ticks[row.pk]} for row in page
            ],
            recorded_at=("created_at", "pk"),
        )

    @operation(
        "forkSimulation",
        "/forks",
        "simulations",
        {201: Simulation},
        request=ForkRequest,
        errors=BRANCH_ERRORS,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Create a branch of a simulation, which may be running; the branch is paused.

        It shares the past up to the end of `at` without a copy, and goes on by itself: what
        happens in one of the two later does not change the other. Without changes and with the
        same answers of the model its history is that of the simulation. You are its owner; the
        right to read the simulation suffices.
        """
        # The role in the simulation may be that of a reader, but the branch is written.
        ApiView.require_right(self, Right.COMMAND)
        requested = self.body(ForkRequest)
        spec = requested.spec(self.moment(requested.at))
        ports = wiring.ports()
        with transaction.atomic():
            row = fork_simulation(ports, self.context.id, spec, owner_id=self.user.pk)
            request_interventions(
                ports, row.pk, requested.interventions, by=self.user.get_username()
            )
        return located_response(self, row, HTTPStatus.CREATED)
