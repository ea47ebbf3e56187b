"""What every command has in common over HTTP: who asks, why, for when, and the answer 202."""

from http import HTTPStatus
from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import SimulationView
from apps.api.deprecation import replaced_by
from apps.api.fields import Choice, GameTime, Moment, Renaming, Strict, Text, Tick
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.registry import COMMANDS
from apps.simulation.models import CommandRow

REASON_CHARACTERS_MAX = 500
KINDS = list(COMMANDS)


class Asked(Strict):
    """What every command takes besides what it is about."""

    at = Moment(
        required=False,
        help_text="The game time it is to take effect; as soon as possible if left out.",
    )
    reason = Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text="Why; it stands in the event ever after.",
    )


class Command(Renaming):
    """What was asked for, and what has become of it."""

    command = serializers.UUIDField()
    status_url = serializers.URLField()
    kind = Choice(choices=KINDS)
    agent = serializers.CharField(help_text="The slug of the person that it is about.")
    asked = serializers.DictField(
        child=serializers.JSONField(),
        help_text="What was asked for in particular, as understood: the object, the words.",
    )
    state = Choice(choices=CommandRow.State.choices)
    by = serializers.CharField()
    reason = serializers.CharField()
    at = GameTime(allow_null=True, **replaced_by("requested_at"))
    effective_tick = serializers.IntegerField(
        allow_null=True, help_text="The tick that it takes effect at, once that is known."
    )
    refusal = serializers.CharField(help_text="Why it was refused; empty if it was not.")
    requested_at = GameTime(
        allow_null=True, help_text="For when it was asked for; null: as soon as possible."
    )
    requested_tick = Tick(allow_null=True)
    effective_at = GameTime(allow_null=True, help_text="The game time of effective_tick.")
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


def asking_of(view: SimulationView, asked: dict[str, Any]) -> Issuer:
    """Return who asks, why and for when; take the latter two out of the values."""
    return Issuer(
        by=view.user.get_username(),
        reason=asked.pop("reason", ""),
        at_tick=asked.pop("at", None),
    )


def accepted(view: SimulationView, request: Request, command: CommandRow) -> Response:
    """Answer 202 with the command, whose address says what becomes of it."""
    return accepted_response(shown_command(view, request, command))


def accepted_response(shown: dict[str, Any]) -> Response:
    """Return the answer 202 with the resource, which has a `status_url`, as its Location."""
    headers = {"Location": shown["status_url"]}
    return Response(shown, status=HTTPStatus.ACCEPTED, headers=headers)


def shown_command(view: SimulationView, request: Request, row: CommandRow) -> dict[str, Any]:
    """Return a command as `Command` shows it."""
    names = {"simulation": view.reading.id, "command": row.pk}
    members = {
        "command": row.pk,
        "status_url": request.build_absolute_uri(reverse("command", kwargs=names)),
        "kind": row.kind,
        "agent": row.agent,
        "asked": row.body,
        "state": row.state,
        "by": row.by,
        "reason": row.reason,
        **view.reading.moment("requested", row.at_tick),
        **view.reading.moment("effective", row.effective_tick),
        "recorded_at": row.created_at,
        "refusal": row.refusal,
    }
    return dict(Command(members).data)
