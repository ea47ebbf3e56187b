"""Simulations: found one, list them, look at one, run it, pause it, delete it."""

from dataclasses import asdict, fields
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.base import ApiView, SimulationView
from apps.api.bell import ring_on_commit
from apps.api.fields import NAME_CHARACTERS_MAX, Moment, Number, Strict, Text, Whole
from apps.api.moments import TICK_MAX
from apps.api.openapi import problem, refusal
from apps.api.overview import Simulation, show_simulation, show_simulations
from apps.api.paging import (
    Key,
    Paged,
    decode_cursor,
    encode_cursor,
    listed,
    page_response,
    split_page,
    unusable_cursor,
)
from apps.api.reading import visible_to
from apps.simulation import commands
from apps.simulation.commands import SEED_MAX, Founding
from apps.simulation.models import SimulationRow
from apps.simulation.settings import TownSettings

MODEL_CHARACTERS_MAX = 300
PEOPLE_MAX = 1_000
REASON_CHARACTERS_MAX = 500
PACE_MIN, PACE_MAX = 0.001, 1_000_000


def _settings_schema() -> dict[str, Any]:
    """Return what the settings of a town are; `parse_settings` knows their bounds."""
    kinds = {
        setting.name: {
            "type": "integer" if setting.type is int else "number",
            "default": setting.default,
        }
        for setting in fields(TownSettings)
    }
    return {"type": "object", "properties": kinds, "additionalProperties": False}


_MODEL_SCHEMA = {
    "oneOf": [
        {"type": "string", "maxLength": MODEL_CHARACTERS_MAX},
        {
            "type": "object",
            "properties": {
                "server": {"type": "string"},
                "chat_model": {"type": "string"},
                "embedding_server": {"type": "string"},
                "embedding_model": {"type": "string"},
                "embedding_dimensions": {"type": "integer", "minimum": 1},
                "temperature": {"type": ["number", "null"], "minimum": 0, "maximum": 2},
            },
            "additionalProperties": False,
        },
    ],
    "description": 'A server and model that are set up here: "offline", "openai", '
    '"openai:gpt-4o-mini", or an object; null for the default.',
}
_PEOPLE_SCHEMA = {
    "oneOf": [
        {"type": "integer", "minimum": 1},
        {
            "type": "array",
            "items": {"type": "string", "maxLength": NAME_CHARACTERS_MAX},
            "minItems": 1,
            "maxItems": PEOPLE_MAX,
        },
    ],
    "description": "The first so many people of the world, or those named by name or slug; "
    "null for all.",
}


@extend_schema_field(_settings_schema())
class ChosenSettings(serializers.Field[dict[str, Any], Any, Any, Any]):
    """Settings by name; those not named keep their default."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object; what it holds is looked at where settings are known."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("write an object of settings by name")
        return data


@extend_schema_field(_MODEL_SCHEMA)
class ChosenModel(serializers.Field[Any, Any, Any, Any]):
    """A model by name, or spelt out."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        """Return what was asked for; which models there are is known elsewhere."""
        if isinstance(data, dict):
            return data
        if isinstance(data, str) and len(data) <= MODEL_CHARACTERS_MAX:
            return data
        raise serializers.ValidationError('write a name, as in "offline", or an object')


@extend_schema_field(_PEOPLE_SCHEMA)
class ChosenPeople(serializers.Field[Any, Any, Any, Any]):
    """A number of people, or their names."""

    def to_internal_value(self, data: Any) -> int | list[str]:
        """Return the number or the names."""
        if isinstance(data, int) and not isinstance(data, bool) and data >= 1:
            return data
        if isinstance(data, list) and 1 <= len(data) <= PEOPLE_MAX and all(map(_is_name, data)):
            return data
        raise serializers.ValidationError("write how many people, or a list of their names")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= NAME_CHARACTERS_MAX


class FoundSimulation(Strict):
    """What a new simulation is founded on."""

    name = Text(max_length=NAME_CHARACTERS_MAX)
    world = Text(max_length=NAME_CHARACTERS_MAX, default="smallville")
    seed = Whole(min_value=0, max_value=SEED_MAX)
    model = ChosenModel(required=False, allow_null=True)
    settings = ChosenSettings(required=False, allow_null=True)
    people = ChosenPeople(required=False, allow_null=True)


def _settings_members() -> dict[str, Any]:
    shown = {
        setting.name: serializers.IntegerField()
        if setting.type is int
        else serializers.FloatField()
        for setting in fields(TownSettings)
    }
    return {
        "__doc__": "What the simulation's history depends on besides the models' answers.",
        "world": serializers.CharField(),
        "world_sha256": serializers.CharField(),
        "seed": serializers.IntegerField(min_value=0),
        "start": serializers.CharField(help_text="The game time of tick 0."),
        "embedding_model": serializers.CharField(),
        "embedding_dimensions": serializers.IntegerField(min_value=1),
        **shown,
    }


FoundedOn = type("FoundedOn", (serializers.Serializer,), _settings_members())


class Run(Strict):
    """How far and how fast a simulation is to run; with both ends, to the nearer one."""

    until = Moment(required=False, allow_null=True)
    ticks = Whole(required=False, allow_null=True, min_value=1, max_value=TICK_MAX)
    pace = Number(
        required=False,
        allow_null=True,
        min_value=PACE_MIN,
        max_value=PACE_MAX,
        help_text="Game seconds per real second (the paper's is 60); null: as fast as it can.",
    )


class Pause(Strict):
    """Why a simulation is to be paused."""

    reason = Text(required=False, max_length=REASON_CHARACTERS_MAX, default="asked")


_LOCATION = OpenApiParameter(
    "Location",
    str,
    OpenApiParameter.HEADER,
    response=[HTTPStatus.CREATED],
    description="The new simulation's address.",
)
_FOUNDING = OpenApiExample(
    "Three people of Smallville",
    request_only=True,
    value={
        "name": "First day",
        "world": "smallville",
        "seed": 7,
        "model": "offline",
        "settings": {"vision": 8},
        "people": ["Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"],
    },
)
_RUNNING = [
    OpenApiExample("Until a game time", {"until": "2023-02-13T06:55:00"}, request_only=True),
    OpenApiExample("Six ticks", {"ticks": 6}, request_only=True),
    OpenApiExample("At the paper's pace, without end", {"pace": 60}, request_only=True),
]


class Simulations(ApiView):
    """Your simulations."""

    query = Paged

    @extend_schema(
        operation_id="listSimulations",
        summary="List your simulations, the newest first",
        tags=["simulations"],
        parameters=[Paged],
        responses={200: listed(Simulation)},
    )
    def get(self, request: Request) -> Response:
        """List the simulations."""
        rows = visible_to(self.user).order_by("-created_at", "pk")
        after = decode_cursor(self.asked.get("cursor"), str, str)
        if after is not None:
            rows = _older_than(rows, *after)
        page, more = split_page(rows, self.asked["limit"])
        cursor = _cursor_of(page[-1]) if more else None
        return page_response(request, show_simulations(page), next_page=cursor)

    @extend_schema(
        operation_id="createSimulation",
        summary="Found a simulation; everybody is asleep at home, and it is paused",
        tags=["simulations"],
        request=FoundSimulation,
        parameters=[_LOCATION],
        responses={201: Simulation},
        examples=[_FOUNDING],
    )
    def post(self, request: Request) -> Response:
        """Found a simulation."""
        founding = Founding(**self.body(FoundSimulation))
        row = commands.create_simulation(wiring.ports(), founding, owner_id=self.user.pk)
        address = reverse("simulation", kwargs={"simulation": row.pk})
        return Response(
            show_simulation(row),
            status=HTTPStatus.CREATED,
            headers={"Location": request.build_absolute_uri(address)},
        )


class OneSimulation(SimulationView):
    """One simulation."""

    @extend_schema(
        operation_id="getSimulation",
        summary="Look at what a simulation is doing",
        tags=["simulations"],
        responses={200: Simulation},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the simulation."""
        return Response(show_simulation(self.reading.row))

    @extend_schema(
        operation_id="deleteSimulation",
        summary="Delete a paused simulation with its whole history",
        tags=["simulations"],
        responses={
            204: None,
            problem(409): refusal("It is at work (`still-running`): pause it and wait."),
        },
    )
    def delete(self, _request: Request, **_names: str) -> Response:
        """Delete the simulation."""
        commands.delete_simulation(wiring.ports(), self.reading.id)
        return Response(status=HTTPStatus.NO_CONTENT)


class SimulationSettings(SimulationView):
    """The settings of a simulation."""

    @extend_schema(
        operation_id="getSettings",
        summary="The settings that a simulation was founded with",
        tags=["simulations"],
        responses={200: FoundedOn},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the settings."""
        founded = asdict(self.reading.founded)
        return Response(FoundedOn(founded | founded["settings"]).data)


class RunSimulation(SimulationView):
    """Let a simulation run."""

    @extend_schema(
        operation_id="runSimulation",
        summary="Let a simulation run: to a game time, for so many ticks, or without end",
        tags=["simulations"],
        request=Run,
        responses={
            202: Simulation,
            problem(409): refusal("The end asked for is past (`cannot-run`)."),
        },
        examples=_RUNNING,
    )
    def post(self, _request: Request, **_names: str) -> Response:
        """Ask for a run; look at the simulation to see how far it has come."""
        asked = self.body(Run)
        row = commands.request_run(
            self.reading.id,
            until_tick=asked.get("until"),
            ticks=asked.get("ticks"),
            pace=asked.get("pace"),
        )
        ring_on_commit(row.pk)
        return Response(show_simulation(row), status=HTTPStatus.ACCEPTED)


class PauseSimulation(SimulationView):
    """Let a simulation come to rest."""

    @extend_schema(
        operation_id="pauseSimulation",
        summary="Let a simulation come to rest; it is `pausing` until everybody has caught up",
        tags=["simulations"],
        request=Pause,
        responses={202: Simulation},
    )
    def post(self, _request: Request, **_names: str) -> Response:
        """Ask for a pause."""
        row = commands.request_pause(self.reading.id, reason=self.body(Pause)["reason"])
        ring_on_commit(row.pk)
        return Response(show_simulation(row), status=HTTPStatus.ACCEPTED)


def _cursor_of(row: SimulationRow) -> dict[str, Key]:
    return {"cursor": encode_cursor(row.created_at.isoformat(), str(row.pk))}


def _older_than(
    rows: QuerySet[SimulationRow], created_at: str, simulation: str
) -> QuerySet[SimulationRow]:
    """Return those that stand behind the page that the cursor ends."""
    try:
        moment, last = datetime.fromisoformat(created_at), UUID(simulation)
    except ValueError:
        raise unusable_cursor() from None
    if moment.tzinfo is None:
        raise unusable_cursor()
    return rows.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__gt=last))
