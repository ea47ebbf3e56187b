"""People who come to town or leave it, and commands: what was asked, what became of it."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.base import SimulationView
from apps.api.bell import ring_on_commit
from apps.api.fields import NAME_CHARACTERS_MAX, GameTime, Moment, Strict, Text, Whole
from apps.api.openapi import problem, refusal
from apps.api.views.agents import Agents, OneAgent
from apps.simulation import residency
from apps.simulation.models import CommandRow
from apps.simulation.residency import Asking, CommandUnknown

AGE_MAX = 150
LIST_MAX = 100
PATH_CHARACTERS_MAX = 300
DESCRIPTION_CHARACTERS_MAX = 20_000
REASON_CHARACTERS_MAX = 500

_CLOCK_PATTERN = r"^([01]?\d|2[0-4]):[0-5]\d$"


class NewcomerHours(Strict):
    """When somebody wakes, goes to bed and dines: "07:00"."""

    wake = serializers.RegexField(_CLOCK_PATTERN)
    sleep = serializers.RegexField(_CLOCK_PATTERN)
    dinner = serializers.RegexField(_CLOCK_PATTERN, required=False)


class Newcomer(Strict):
    """Somebody who is to come to town (U5)."""

    name = Text(max_length=NAME_CHARACTERS_MAX)
    age = Whole(min_value=0, max_value=AGE_MAX)
    traits = serializers.ListField(
        child=Text(max_length=NAME_CHARACTERS_MAX), min_length=1, max_length=LIST_MAX
    )
    description = Text(
        max_length=DESCRIPTION_CHARACTERS_MAX,
        help_text="Phrases between semicolons; each becomes a memory that they begin with.",
    )
    hours = NewcomerHours()
    home = Text(max_length=PATH_CHARACTERS_MAX, help_text="An area with a bed in it.")
    bed = Text(
        max_length=PATH_CHARACTERS_MAX,
        required=False,
        help_text='Where they sleep, if it is not the object "bed" of their home.',
    )
    workplace = Text(max_length=PATH_CHARACTERS_MAX, required=False)
    knows = serializers.ListField(
        child=Text(max_length=PATH_CHARACTERS_MAX),
        required=False,
        max_length=LIST_MAX,
        help_text="Places that they know at first, besides home and workplace.",
    )
    at = Moment(required=False, help_text="When they come; as soon as possible if left out.")
    reason = Text(max_length=REASON_CHARACTERS_MAX, required=False)


class Command(serializers.Serializer[Any]):
    """What was asked for, and what has become of it."""

    command = serializers.UUIDField()
    status_url = serializers.URLField()
    kind = serializers.ChoiceField(choices=[residency.ADD_PERSON, residency.SEND_AWAY])
    agent = serializers.CharField(help_text="The slug of the person that it is about.")
    state = serializers.ChoiceField(choices=CommandRow.State.choices)
    by = serializers.CharField()
    reason = serializers.CharField()
    at = GameTime(allow_null=True, help_text="When it was asked for; null: when possible.")
    effective_tick = serializers.IntegerField(
        allow_null=True, help_text="The tick that it takes effect at, once that is known."
    )
    refusal = serializers.CharField(help_text="Why it was refused; empty if it was not.")


_ADA = OpenApiExample(
    "A new student",
    {
        "name": "Ada Finch",
        "age": 22,
        "traits": ["patient", "curious"],
        "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
        "hours": {"wake": "07:00", "sleep": "23:00"},
        "home": "Oak Hill College Dorm: Ayesha Khan's room",
        "knows": ["Hobbs Cafe"],
        "reason": "to see whom she meets",
    },
    request_only=True,
)
_TAKEN = refusal("The name is taken, or the time is past (`name-taken`, `time-past`).")


class People(Agents):
    """The people of a simulation, and who is to join them."""

    @extend_schema(
        operation_id="addAgent",
        summary="Have a person come to town, before or during a run",
        tags=["people"],
        request=Newcomer,
        responses={202: Command, problem(409): _TAKEN},
        examples=[_ADA],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the person to come."""
        asked = self.body(Newcomer)
        asking = _asking(self, asked)
        name = asked.pop("name")
        tree = self.reading.constants().world.tree
        for where in ("home", "bed", "workplace"):
            if where in asked:
                asked[where] = tree.resolve(asked[where]).path
        known = [tree.resolve(words).path for words in asked.pop("knows", [])]
        command = residency.request_arrival(
            wiring.ports(),
            self.reading.id,
            name=name,
            facts=asked | {"knows": list(dict.fromkeys(known))},
            asking=asking,
        )
        return _accepted(self, request, command)


class Person(OneAgent):
    """A person, and their leaving."""

    @extend_schema(
        operation_id="sendAgentAway",
        summary="Have a person leave town; their memories stay to be read",
        tags=["people"],
        responses={
            202: Command,
            problem(409): refusal("Nobody else would be left (`last-person`)."),
        },
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Ask for the person to leave."""
        command = residency.request_departure(
            self.reading.id, self.person.agent, asking=_asking(self, {})
        )
        return _accepted(self, request, command)


class OneCommand(SimulationView):
    """A command."""

    @extend_schema(
        operation_id="getCommand",
        summary="What has become of a command",
        tags=["simulations"],
        responses={200: Command},
    )
    def get(self, request: Request, *, command: str, **_names: str) -> Response:
        """Show the command."""
        try:
            command_id = UUID(command)
        except ValueError:
            raise CommandUnknown(f"there is no command {command[:80]!r}") from None
        row = residency.get_command(self.reading.id, command_id)
        return Response(_shown(self, request, row))


def _asking(view: SimulationView, asked: dict[str, Any]) -> Asking:
    return Asking(
        by=view.user.get_username(),
        reason=asked.pop("reason", ""),
        at_tick=asked.pop("at", None),
    )


def _accepted(view: SimulationView, request: Request, command: CommandRow) -> Response:
    ring_on_commit(view.reading.id)
    return Response(_shown(view, request, command), status=HTTPStatus.ACCEPTED)


def _shown(view: SimulationView, request: Request, row: CommandRow) -> dict[str, Any]:
    names = {"simulation": view.reading.id, "command": row.pk}
    at = None if row.at_tick is None else view.reading.time_at(row.at_tick)
    shown = {
        "command": row.pk,
        "status_url": request.build_absolute_uri(reverse("command", kwargs=names)),
        "kind": row.kind,
        "agent": row.agent,
        "state": row.state,
        "by": row.by,
        "reason": row.reason,
        "at": at,
        "effective_tick": row.effective_tick,
        "refusal": row.refusal,
    }
    return dict(Command(shown).data)
