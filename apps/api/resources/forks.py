"""Forks of a simulation: branches that share its past, created and listed."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db import transaction
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    Choice,
    Clock,
    PastMoment,
    Serializer,
    Strict,
    Text,
    Whole,
)
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import header, operation
from apps.api.http.rate_limits import FOUNDING
from apps.api.http.simulation_context import list_visible_simulations
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView
from apps.api.resources.commands import PLACE_ERRORS, REASON_CHARACTERS_MAX
from apps.api.resources.interventions import alarming_field
from apps.api.resources.simulations.requests import (
    ChosenBudget,
    ChosenModel,
    ChosenSettings,
    budget_of,
)
from apps.api.resources.simulations.serializers import Simulation
from apps.api.resources.simulations.views import located_response
from apps.kernel.errors import DomainError
from apps.lineage.branches import forks_of
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import (
    TEXT_CHARACTERS_MAX,
    InnerVoiceBody,
    ObservationBody,
    UnusableText,
    request_intervention,
)
from apps.simulation.commands.object_state import UnusableState
from apps.simulation.engine.forks import (
    CannotFork,
    ForkSpec,
    TickNotCommitted,
    fork_simulation,
)
from apps.simulation.engine.lifecycle import SEED_MAX
from apps.simulation.models import Status
from apps.simulation.settings import UnusableSettings
from apps.simulation.turn.preparation import SimulationPreparing

INTERVENTIONS_MAX = 100
OBJECT_STATE = object_state.SET_OBJECT_STATE
_OF_AGENTS = {
    InnerVoiceBody.kind: InnerVoiceBody,
    ObservationBody.kind: ObservationBody,
}

KINDS = [*_OF_AGENTS, OBJECT_STATE]


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
        help_text="The thought, the observation, or the state of the object.",
    )
    alarming = alarming_field()
    reason = Text(max_length=REASON_CHARACTERS_MAX, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that the intervention names what it is about."""
        about = "object" if attrs["kind"] == OBJECT_STATE else "agent"
        if attrs.keys() & {"object", "agent"} != {about}:
            raise serializers.ValidationError(f"name the {about}, and nothing else", code=about)
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


class Branch(Serializer):
    """A branch of the simulation."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    forked_at = Clock(source="forked_tick", help_text="The last moment of the shared past.")
    clock = Clock(source="settled_tick", help_text="The committed tick.")
    status = Choice(choices=Status.choices)
    recorded_at = serializers.DateTimeField(
        source="created_at", help_text="The time of its creation, by the service's clock."
    )


class Forks(ListView, SimulationView):
    """The branches of a simulation."""

    query = list_parameters("name", "recorded_at", default="-recorded_at")
    rights: ClassVar = {"POST": Right.READ}
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation("listForks", "simulations", page_of_items(Branch))
    def get(self, request: Request, **_names: str) -> Any:
        """List the branches of a simulation that you have a role in, by default the newest."""
        ticks = forks_of(self.context.id)
        rows = list(list_visible_simulations(self.user).filter(pk__in=ticks))
        found = [row for row in rows if self.contains_search(row.name)]
        return self.page(
            found,
            Branch,
            prepare=lambda page: [
                vars(row) | {"pk": row.pk, "forked_tick": ticks[row.pk]} for row in page
            ],
            recorded_at=("created_at", "pk"),
        )

    @operation(
        "forkSimulation",
        "simulations",
        {201: Simulation},
        request=ForkRequest,
        parameters=[header("Location", "The branch's address.", response=[201])],
        examples={
            "The same morning once more": {"at": "2023-02-13T08:00:00", "name": "Once more"},
            "What if Isabella gave up the party?": {
                "at": "2023-02-13T08:00:00",
                "name": "Without a party",
                "interventions": [
                    {
                        "kind": "inner-voice",
                        "agent": "isabella-rodriguez",
                        "text": "You are too tired to give a party this year",
                    }
                ],
            },
        },
        errors=(
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
            DomainError,
        ),
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
        spec = ForkSpec(
            name=requested["name"],
            at_tick=self.moment(requested),
            seed=requested.get("seed"),
            settings=requested.get("settings"),
            model=requested.get("model"),
            budget=budget_of(requested.get("budget")),
        )
        with transaction.atomic():
            row = fork_simulation(wiring.ports(), self.context.id, spec, owner_id=self.user.pk)
            for intervention in requested.get("interventions", ()):
                self._intervene(row.pk, intervention)
        return located_response(self, row, HTTPStatus.CREATED)

    def _intervene(self, branch: Any, requested: dict[str, Any]) -> None:
        issuer = Issuer(by=self.user.get_username(), reason=requested.get("reason", ""))
        kind, text = requested["kind"], requested["text"]
        if kind == OBJECT_STATE:
            object_state.request_object_state(
                wiring.ports(),
                branch,
                object_name=requested["object"],
                state=text,
                alarming=requested.get("alarming"),
                issuer=issuer,
            )
            return
        values = {"text": text}
        if kind == ObservationBody.kind:
            values["is_alarming"] = requested.get("alarming")
        request_intervention(
            branch, requested["agent"], _OF_AGENTS[kind](**values), issuer=issuer
        )
