"""What a simulation is and does, for one or for a page of them, in few queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Sum
from django.utils import timezone
from rest_framework import serializers

from apps.api.fields import Clock, GameTime
from apps.api.reading import calendars_of, clock_at
from apps.kernel.game_time import GameCalendar
from apps.llm.models import ModelCallRow, ModelFailureRow
from apps.simulation import queries
from apps.simulation.models import SimulationRow, Status, TurnRow


class Model(serializers.Serializer[Any]):
    """Which models a simulation thinks with; servers are named, never addressed."""

    server = serializers.CharField()
    chat_model = serializers.CharField()
    embedding_server = serializers.CharField()
    embedding_model = serializers.CharField()
    embedding_dimensions = serializers.IntegerField()
    temperature = serializers.FloatField(allow_null=True)


class Simulation(serializers.Serializer[Any]):
    """A simulation: what it was founded on, what it is doing, how far it has come."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    world = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    model = Model()
    status = serializers.ChoiceField(choices=Status.choices)
    reason = serializers.CharField(help_text="Why it is paused; empty while it runs.")
    clock = Clock(help_text="What is settled.")
    until = GameTime(allow_null=True, help_text="Where it stops; null for no end.")
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
    created_at = serializers.DateTimeField()


@dataclass(slots=True)
class _Spent:
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


def show_simulations(rows: Sequence[SimulationRow]) -> list[dict[str, Any]]:
    """Return the simulations as their resource shows them."""
    ids = [row.pk for row in rows]
    calendars, thinking, spent = calendars_of(ids), _thinking(ids), _spent(ids)
    shown = [_overview(row, calendars[row.pk], thinking[row.pk], spent[row.pk]) for row in rows]
    return list(Simulation(shown, many=True).data)


def show_simulation(row: SimulationRow) -> dict[str, Any]:
    """Return one simulation as its resource shows it."""
    return show_simulations([row])[0]


def _overview(
    row: SimulationRow, calendar: GameCalendar, thinking: list[str], spent: _Spent
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
        "until": None if until is None else calendar.time_at(until),
        "pace": row.pace,
        "lag_seconds": queries.lag_seconds(row, calendar.tick_seconds, timezone.now()),
        "thinking": thinking,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "cost": spent.cost,
        "created_at": row.created_at,
    }


def _thinking(ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    in_work = [TurnRow.State.SENT, TurnRow.State.TAKEN]
    found: dict[UUID, list[str]] = defaultdict(list)
    rows = TurnRow.objects.filter(simulation_id__in=ids, state__in=in_work).order_by("agent")
    for simulation_id, agent in rows.values_list("simulation_id", "agent"):
        found[simulation_id].append(agent)
    return found


def _spent(ids: Sequence[UUID]) -> dict[UUID, _Spent]:
    """Return what calls have used, failed ones too where tokens were paid."""
    found: dict[UUID, _Spent] = defaultdict(_Spent)
    for table in (ModelCallRow, ModelFailureRow):
        used = (
            table.objects.filter(simulation_id__in=ids)
            .values("simulation_id")
            .annotate(
                calls=Count("id"),
                tokens=Sum(F("prompt_tokens") + F("completion_tokens")),
                cost=Sum("cost"),
            )
        )
        for line in used:
            spent = found[line["simulation_id"]]
            spent.calls += line["calls"]
            spent.tokens += line["tokens"]
            spent.cost += float(line["cost"])
    return found
