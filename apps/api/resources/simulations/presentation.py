"""What a simulation is and does, for one or for a page of them, in few queries."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework import serializers

from apps.access.rights import Role
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, Clock, GameTime, Renaming, Tick
from apps.api.http.simulation_context import clock_at, roles_in
from apps.kernel.game_time import GameCalendar
from apps.llm.budget import Budget, budgets_of
from apps.llm.queries import CostLine, spent_by_simulation
from apps.simulation import queries
from apps.simulation.models import SimulationRow, Status
from apps.simulation.turn.preparation import preparations_of

ROLES = [role.value for role in Role]


class Model(serializers.Serializer[Any]):
    """Which models a simulation thinks with; servers are named, never addressed."""

    server = serializers.CharField()
    chat_model = serializers.CharField()
    embedding_server = serializers.CharField()
    embedding_model = serializers.CharField()
    embedding_dimensions = serializers.IntegerField()
    temperature = serializers.FloatField(allow_null=True)


class BudgetOf(serializers.Serializer[Any]):
    """How many tokens, and how much money, a simulation may use."""

    tokens = serializers.IntegerField(allow_null=True, min_value=1)
    money = serializers.FloatField(
        allow_null=True, min_value=0, help_text="In the currency of the price list."
    )


class PreparationOf(serializers.Serializer[Any]):
    """How many agents a simulation has, and how many of them have their seed memories."""

    agents = serializers.IntegerField(min_value=0)
    ready = serializers.IntegerField(min_value=0)


class Simulation(Renaming):
    """A simulation: what it was founded on, what it is doing, how far it has come."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    role = Choice(choices=ROLES, help_text="What you are to it.")
    world = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    model = Model()
    status = Choice(choices=Status.choices)
    reason = serializers.CharField(help_text="Why it is paused; empty while it runs.")
    preparation = PreparationOf(
        help_text="The progress of forming the agents' seed memories. It ends before tick 1."
    )
    clock = Clock(help_text="What is settled.")
    until = GameTime(allow_null=True, **deprecated_name_of("end_at"))
    pace = serializers.FloatField(
        allow_null=True, help_text="Game seconds per real second; null: as fast as it can."
    )
    lag_seconds = serializers.FloatField(help_text="Game seconds that it is behind its pace.")
    thinking = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of those whose turn is in work."
    )
    calls = serializers.IntegerField(help_text="Model calls so far, failed ones too.")
    tokens = serializers.IntegerField(help_text="Tokens of prompts and answers so far.")
    cost = serializers.FloatField(help_text="Cost so far, in the currency of the price list.")
    budget = BudgetOf(allow_null=True, help_text="What it may use; reaching it pauses it.")
    created_at = serializers.DateTimeField(**deprecated_name_of("recorded_at"))
    end_at = GameTime(allow_null=True, help_text="Where it stops; null for no end.")
    end_tick = Tick(allow_null=True)
    recorded_at = serializers.DateTimeField(
        help_text="When it was created, by the service's clock."
    )


def show_simulations(rows: Sequence[SimulationRow], user: User) -> list[dict[str, Any]]:
    """Return the representations of simulations for a user."""
    ids = [row.pk for row in rows]
    roles = roles_in(rows, user)
    calendars, thinking = queries.calendars_of(ids), queries.agents_in_turn(ids)
    spent, budgets = spent_by_simulation(ids), budgets_of(ids)
    preparations = preparations_of(ids)
    shown = [
        _overview(row, calendars[row.pk], thinking[row.pk])
        | _money(spent[row.pk], budgets.get(row.pk))
        | {"role": roles[row.pk], "preparation": preparations[row.pk]}
        for row in rows
    ]
    return list(Simulation(shown, many=True).data)


def show_simulation(row: SimulationRow, user: User) -> dict[str, Any]:
    """Return the representation of a simulation for a user."""
    return show_simulations([row], user)[0]


def _overview(
    row: SimulationRow, calendar: GameCalendar, thinking: list[str]
) -> dict[str, Any]:
    until = row.until_tick
    return {
        "id": row.pk,
        "name": row.name,
        "world": row.world,
        "seed": row.seed,
        "model": row.model,
        "status": row.status,
        "reason": row.reason,
        "clock": clock_at(calendar, row.settled_tick),
        "end_at": None if until is None else calendar.time_at(until),
        "end_tick": until,
        "pace": row.pace,
        "lag_seconds": queries.lag_seconds(row, calendar.tick_seconds, timezone.now()),
        "thinking": thinking,
        "recorded_at": row.created_at,
    }


def _money(spent: CostLine, budget: Budget | None) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "tokens": spent.prompt_tokens + spent.completion_tokens,
        "cost": spent.cost,
        "budget": budget,
    }
