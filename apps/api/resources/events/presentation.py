"""An event of the log as answers show it, and the places that name events."""

import re
from typing import Any

from rest_framework import serializers

from apps import wiring
from apps.api.http.fields import INTEGER_MAX, SLUG_PATTERN, GameTime
from apps.api.http.simulation_context import SimulationContext
from apps.eventlog.event import COMMANDS_STREAM, SIMULATION_STREAM, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import event_id_of_row
from apps.kernel.game_time import GameCalendar

PLACE_PATTERN = rf"[0-9]{{1,10}}/{SLUG_PATTERN}/[0-9]{{1,10}}"
EVENT_TYPES = sorted(event.type for event in wiring.EVENTS)
TYPES_MAX = 50
STREAM_WORDS = (
    f'Only those of this stream: a slug, "{COMMANDS_STREAM}" or "{SIMULATION_STREAM}".'
)
WRITE_A_PLACE = "write a place such as 2490/isabella-rodriguez/3"
_PLACE = re.compile(PLACE_PATTERN)


class LoggedEvent(serializers.Serializer[Any]):
    """An event: its type and data, stream, time and cause."""

    id = serializers.CharField(
        help_text='Its place in the canonical order: "tick/stream/ordinal".'
    )
    tick = serializers.IntegerField(min_value=0)
    time = GameTime()
    stream = serializers.CharField(help_text='A slug, "commands" or "simulation".')
    ordinal = serializers.IntegerField(min_value=0)
    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    cause = serializers.CharField(allow_null=True, help_text="The event or command before it.")
    model_calls = serializers.ListField(
        child=serializers.CharField(), help_text="Ids of the model calls that it came from."
    )
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


def place_of(text: str) -> EventId | None:
    """Return the place that the text names; None if no event can have it."""
    if not _PLACE.fullmatch(text):
        return None
    tick, stream, ordinal = text.split("/")
    if max(int(tick), int(ordinal)) > INTEGER_MAX:
        return None
    return EventId(int(tick), stream, int(ordinal))


def require_known_stream(context: SimulationContext, stream: str | None) -> None:
    """Check that a stream can have events; None stands for all streams.

    :raises AgentUnknown: if it is the slug of no agent.
    """
    if stream not in {COMMANDS_STREAM, SIMULATION_STREAM}:
        context.require_known_agent(stream)


def show_event(row: EventRow, calendar: GameCalendar) -> dict[str, Any]:
    """Return the event as `LoggedEvent` takes it."""
    return {
        "id": str(event_id_of_row(row)),
        "tick": row.tick,
        "time": calendar.time_at(row.tick),
        "stream": row.stream,
        "ordinal": row.ordinal,
        "type": row.type,
        "data": row.data,
        "cause": row.cause or None,
        "model_calls": row.model_calls,
        "recorded_at": row.recorded_at,
    }
