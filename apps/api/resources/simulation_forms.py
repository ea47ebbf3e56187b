"""Simulations in requests and responses: specification, changes, status."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework import serializers

from apps.access.rights import Role
from apps.api.http.fields import AnyField, Choice, Clock, Serializer, Tick
from apps.api.http.simulation_context import roles_in
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.model_calls import served_field
from apps.experiments.queries import experiments_of
from apps.kernel.errors import DomainError
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import (
    Name,
    Reason,
)
from apps.lineage.branches import Share, parents_of
from apps.llm.calls.budget import Budget, budgets_of
from apps.llm.calls.queries import AnsweringModel, reused_calls, spent_by_simulation
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.llm.prompts.sets import PromptForm
from apps.simulation import queries
from apps.simulation.models import SimulationRow, Status
from apps.simulation.settings import UnusableSettings, settings_schema
from apps.simulation.turn.preparation import Preparation, preparations_of
from apps.world.problems import AgentNotInWorld, UnknownWorld, WorldBroken

SPECIFICATION_ERRORS = (
    UnknownWorld,
    WorldBroken,
    AgentNotInWorld,
    UnknownModel,
    UnusableSettings,
    ModelNotAllowed,
    PriceUnknown,
    DomainError,
)
"""The errors of a request that says what a simulation is made of."""


class ChangeSimulation(RequestModel):
    """The changes of a simulation."""

    name: Name = ""
    """Its new name, also while it runs; it need not be unique."""
    budget: Budget | None = None
    """What it may use, while it is paused; null: no limit."""


class Pause(RequestModel):
    """The reason of a pause."""

    reason: Reason = "on request"
    """The reason that the simulation shows while it is paused."""


class Model(Serializer):
    """The models of a simulation, by the names of their servers."""

    server = serializers.CharField()
    chat_model = serializers.CharField()
    embedding_server = serializers.CharField()
    embedding_model = serializers.CharField()
    embedding_dimensions = serializers.IntegerField()
    temperature = serializers.FloatField(allow_null=True)
    prompt_form = serializers.ChoiceField(
        choices=[form.value for form in PromptForm],
        default=PromptForm.FULL.value,
        help_text="The form of the prompts: full, or short for small models.",
    )
    tasks = serializers.DictField(
        child=serializers.CharField(), default={}, help_text="Other chat models by LLM task."
    )
    agents = serializers.DictField(
        child=serializers.CharField(), default={}, help_text="Other chat models by agent."
    )


AnsweringModelOf = serializer_of(
    AnsweringModel,
    "AnsweringModelOf",
    served_model=served_field("served_model"),
    system_fingerprint=served_field("system_fingerprint"),
    server_version=served_field("server_version"),
    first_tick=Tick(),
    last_tick=Tick(),
)


class BudgetOf(Serializer):
    """The tokens and the money that a simulation may use."""

    tokens = serializers.IntegerField(allow_null=True, min_value=1)
    money = serializers.FloatField(
        allow_null=True, min_value=0, help_text="In the currency of the price list."
    )


PreparationOf = serializer_of(Preparation, "PreparationOf")
ParentOf = serializer_of(
    Share,
    "ParentOf",
    id=serializers.UUIDField(source="simulation_id"),
    clock=Clock(source="until_tick"),
)


class ExperimentOf(Serializer):
    """The experiment of yours that a simulation is a run of."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class Simulation(Serializer):
    """A simulation: its specification, status and progress."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    role = Choice(choices=Role, help_text="Your role in it.")
    parent = ParentOf(allow_null=True, help_text="Null for a simulation that is no branch.")
    experiment = ExperimentOf(
        allow_null=True, help_text="Null for a simulation that is no run of one of yours."
    )
    world = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    model = Model()
    status = Choice(choices=Status)
    reason = serializers.CharField(help_text="The reason of a pause; empty while it runs.")
    preparation = PreparationOf(
        help_text="The progress of forming the agents' seed memories. It ends before tick 1."
    )
    clock = Clock(source="committed_tick", help_text="The committed tick.")
    pace = serializers.FloatField(
        allow_null=True, help_text="Game seconds per real second; null: as fast as possible."
    )
    lag_seconds = serializers.FloatField(help_text="Game seconds that it is behind its pace.")
    thinking = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of agents whose turn is in progress."
    )
    calls = serializers.IntegerField(help_text="Model calls so far, failed ones too.")
    calls_reused = serializers.IntegerField(
        min_value=0,
        help_text="Those of `calls` that were answered at no cost by the same call of another "
        "branch or of the parent. The calls of the shared past are not counted.",
    )
    answering_models = AnsweringModelOf(
        many=True,
        required=False,
        help_text="What answered the calls of committed turns, those of the shared past too, "
        "as far as servers say it; not in lists.",
    )
    tokens = serializers.IntegerField(help_text="Tokens of prompts and answers so far.")
    cost = serializers.FloatField(help_text="Cost so far, in the currency of the price list.")
    budget = BudgetOf(allow_null=True, help_text="What it may use; reaching it pauses it.")
    end_tick = Tick(
        source="until_tick", allow_null=True, help_text="The end of the run; null for no end."
    )
    recorded_at = serializers.DateTimeField(
        source="created_at", help_text="The time of its creation, by the service's clock."
    )

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """Return the representation of values of `simulation_values`."""
        # Each simulation of a list has a calendar of its own.
        dict.update(self.context, calendar=instance["calendar"])
        shown: dict[str, Any] = super().to_representation(instance)
        return shown


def _settings_members() -> dict[str, Any]:
    kinds: dict[str, type[AnyField]] = {
        "integer": serializers.IntegerField,
        "number": serializers.FloatField,
    }
    shown = {
        name: Choice(choices=setting["enum"], help_text=setting["description"])
        if "enum" in setting
        else kinds[setting["type"]](help_text=setting["description"])
        for name, setting in settings_schema().items()
    }
    return {
        "__doc__": "The specification of a simulation, besides the models' answers.",
        "world": serializers.CharField(),
        "world_sha256": serializers.CharField(),
        "seed": serializers.IntegerField(min_value=0),
        "embedding_model": serializers.CharField(),
        "embedding_dimensions": serializers.IntegerField(min_value=1),
        **shown,
        "start_at": serializers.CharField(source="start", help_text="The game time of tick 0."),
    }


FoundedOn = type("FoundedOn", (Serializer,), _settings_members())


def simulation_values(rows: Sequence[SimulationRow], user: User) -> list[dict[str, Any]]:
    """Return the values of `Simulation` for a user, in few queries."""
    ids = [row.pk for row in rows]
    roles, preparations = roles_in(rows, user), preparations_of(ids)
    calendars, thinking = queries.calendars_of(ids), queries.agents_in_turn(ids)
    spent, budgets = spent_by_simulation(ids), budgets_of(ids)
    parents, reused = parents_of(ids), reused_calls(ids)
    experiments = experiments_of(ids, user.pk)
    return [
        vars(row)
        | {
            "calendar": (calendar := calendars[row.pk]),
            "role": roles[row.pk],
            "parent": parents.get(row.pk),
            "experiment": experiments.get(row.pk),
            "calls_reused": reused.get(row.pk, 0),
            "preparation": preparations[row.pk],
            "lag_seconds": queries.lag_seconds(row, calendar.tick_seconds, timezone.now()),
            "thinking": thinking[row.pk],
            "calls": (used := spent[row.pk]).calls,
            "tokens": used.tokens,
            "cost": used.cost,
            "budget": budgets.get(row.pk),
        }
        for row in rows
    ]
