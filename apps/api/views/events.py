"""The event log, in canonical order and as far as it is settled."""

import re
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.base import SimulationView
from apps.api.downloads import (
    DISPOSITION,
    Download,
    Downloadable,
    Formed,
    listed_or_downloaded,
)
from apps.api.fields import INTEGER_MAX, GameTime, MomentParameter
from apps.api.paging import Limited, page_response, split_page
from apps.api.reading import SLUG_PATTERN, Reading
from apps.eventlog.event import Place
from apps.eventlog.models import EventRow
from apps.eventlog.store import events_of
from apps.kernel.errors import NotFound

PLACE_PATTERN = rf"[0-9]{{1,10}}/{SLUG_PATTERN}/[0-9]{{1,10}}"
TYPES_MAX = 50
_PLACE = re.compile(PLACE_PATTERN)


class EventUnknown(NotFound):
    """The settled log holds no such event."""

    code: ClassVar[str] = "event-unknown"


class LoggedEvent(serializers.Serializer[Any]):
    """An event: what happened, to whom, when, and because of what."""

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


class EventFilters(Limited, Formed):
    """Which events."""

    after = serializers.RegexField(
        f"^{PLACE_PATTERN}$",
        required=False,
        help_text='The id of the last event that you have: "2490/isabella-rodriguez/3".',
    )
    type = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(event.type for event in wiring.EVENTS)),
        required=False,
        max_length=TYPES_MAX,
        help_text="One or more, repeated: type=memory.formed.v1.",
    )
    agent = serializers.RegexField(
        f"^{SLUG_PATTERN}$", required=False, help_text="Only those of this stream."
    )
    from_ = MomentParameter(required=False)
    to = MomentParameter(required=False)

    def validate_after(self, value: str) -> Place:
        """Return the place.

        :raises ValidationError: if no event can have it.
        """
        place = _place_of(value)
        if place is None:
            raise serializers.ValidationError("no event can have this id", code="invalid")
        return place


class Events(Downloadable, SimulationView):
    """The log."""

    query = EventFilters

    @extend_schema(
        operation_id="listEvents",
        summary="What happened, in canonical order (tick, stream, ordinal), as far as settled",
        tags=["log"],
        parameters=[EventFilters, DISPOSITION],
        responses=listed_or_downloaded(LoggedEvent),
    )
    def get(self, request: Request, **_names: str) -> Response | Download:
        """List the events."""
        reading = self.reading
        rows = _found(reading, self.asked)
        if self.line_form:
            return self.download(
                rows, LoggedEvent, lambda row: _event(row, reading), name="events"
            )
        page, more = split_page(rows, self.asked["limit"])
        shown = LoggedEvent(many=True).to_representation([_event(row, reading) for row in page])
        next_page = {"after": _id_of(page[-1])} if more else None
        return page_response(request, shown, next_page=next_page)


class OneEvent(SimulationView):
    """An event."""

    @extend_schema(
        operation_id="getEvent",
        summary="One event; its id is the rest of the address",
        tags=["log"],
        responses={200: LoggedEvent},
    )
    def get(
        self, _request: Request, tick: str, stream: str, ordinal: str, **_names: str
    ) -> Response:
        """Show the event."""
        place = _place_of(f"{tick}/{stream}/{ordinal}")
        row = None
        if place is not None and place.tick <= self.reading.as_of_tick:
            row = EventRow.objects.filter(
                simulation_id=self.reading.id,
                tick=place.tick,
                stream=place.stream,
                ordinal=place.ordinal,
            ).first()
        if row is None:
            raise EventUnknown(
                f"no settled event of this simulation has the id {tick}/{stream}/{ordinal}"
            )
        return Response(LoggedEvent().to_representation(_event(row, self.reading)))


def _found(reading: Reading, asked: dict[str, Any]) -> QuerySet[EventRow]:
    rows = events_of(
        reading.id,
        after=asked.get("after"),
        until_tick=reading.as_of_tick,
        streams=[asked["agent"]] if "agent" in asked else (),
    )
    conditions = {
        "type__in": asked.get("type"),
        "tick__gte": asked.get("from"),
        "tick__lt": asked.get("to"),
    }
    given = {name: value for name, value in conditions.items() if value is not None}
    return rows.filter(**given)


def _place_of(text: str) -> Place | None:
    """Return the place that the text names; None if there can be none."""
    if not _PLACE.fullmatch(text):
        return None
    tick, stream, ordinal = text.split("/")
    if max(int(tick), int(ordinal)) > INTEGER_MAX:
        return None
    return Place(int(tick), stream, int(ordinal))


def _id_of(row: EventRow) -> str:
    return f"{row.tick}/{row.stream}/{row.ordinal}"


def _event(row: EventRow, reading: Reading) -> dict[str, Any]:
    return {
        "id": _id_of(row),
        "tick": row.tick,
        "time": reading.time_at(row.tick),
        "stream": row.stream,
        "ordinal": row.ordinal,
        "type": row.type,
        "data": row.data,
        "cause": row.cause or None,
        "model_calls": row.model_calls,
        "recorded_at": row.recorded_at,
    }
