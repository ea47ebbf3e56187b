"""The event log, in canonical order and as far as it is settled."""

from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.fields import Choice, Slug
from apps.api.http.paging import Key, Paged, TimeRange, page_response, split_page
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.events.lookup import EventUnknown, settled_event
from apps.api.resources.events.presentation import (
    EVENT_TYPES,
    PLACE_PATTERN,
    STREAM_WORDS,
    TYPES_MAX,
    WRITE_A_PLACE,
    LoggedEvent,
    place_of,
    require_known_stream,
    show_event,
)
from apps.django_support.text_search import JsonContains
from apps.eventlog.event import EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import event_id_of_row
from apps.eventlog.store import events_of


class EventFilters(Paged, TimeRange, downloads.FormatParameter):
    """Which events, in which order."""

    after = serializers.RegexField(
        f"^{PLACE_PATTERN}$",
        required=False,
        error_messages={"invalid": WRITE_A_PLACE},
        help_text="The id of the last event that you have, "
        '"2490/isabella-rodriguez/3": only those that follow it in the order asked for.',
    )
    type = serializers.ListField(
        child=Choice(choices=EVENT_TYPES),
        required=False,
        max_length=TYPES_MAX,
        help_text="One or more, repeated: type=memory.formed.v1.",
    )
    agent = Slug(required=False, help_text=STREAM_WORDS)
    search = listing.search_parameter("texts in `data`")
    order = listing.order_parameter("tick", default="tick")

    def validate_after(self, value: str) -> EventId:
        """Return the place.

        :raises ValidationError: if no event can have it.
        """
        place = place_of(value)
        if place is None:
            raise serializers.ValidationError("no event can have this id", code="invalid")
        return place


class Events(downloads.Downloadable, SimulationView):
    """The log."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = EventFilters

    @extend_schema(
        operation_id="listEvents",
        summary="What happened, in canonical order (tick, stream, ordinal), as far as settled",
        tags=["log"],
        responses=downloads.page_or_download(LoggedEvent),
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List the events."""
        context = self.context
        require_known_stream(context, self.parameters.get("agent"))
        rows = self._found()
        if self.line_format:
            return self.download(
                rows,
                LoggedEvent,
                lambda row: show_event(row, context.calendar),
                name="events",
            )
        page, more = split_page(rows, self.parameters["limit"])
        shown = LoggedEvent(many=True).to_representation(
            [show_event(row, context.calendar) for row in page]
        )
        return page_response(request, shown, next_page=self._behind(page[-1]) if more else None)

    def _found(self) -> QuerySet[EventRow]:
        """Return the requested events in their order."""
        context, requested = self.context, self.parameters
        keys = listing.cursor_keys(self, int, str, int)
        after = requested.get("after") if keys is None else EventId(*keys)
        descending = listing.is_descending(requested["order"])
        rows = events_of(
            context.id,
            after=None if descending else after,
            until_tick=context.as_of_tick,
            streams=[requested["agent"]] if "agent" in requested else (),
        )
        if descending:
            keyset = listing.keyset_of(requested["order"], tick=("tick", "stream", "ordinal"))
            last = None if after is None else (after.tick, after.stream, after.ordinal)
            rows = keyset.sort(keyset.behind(rows, last))
        return rows.filter(*_conditions(requested))

    def _behind(self, last: EventRow) -> dict[str, Key]:
        """Return the parameters of the next page: a cursor, and the id that it stands for."""
        place = event_id_of_row(last)
        cursor = listing.next_cursor(self, place.tick, place.stream, place.ordinal)
        return {"after": str(place), **cursor}


class OneEvent(SimulationView):
    """An event."""

    errors: ClassVar = {"GET": (EventUnknown,)}

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
        row = settled_event(self.context, f"{tick}/{stream}/{ordinal}")
        shown = show_event(row, self.context.calendar)
        return Response(LoggedEvent().to_representation(shown))


def _conditions(requested: dict[str, Any]) -> list[Q | JsonContains]:
    conditions = {
        "type__in": requested.get("type"),
        "tick__gte": requested.get("from"),
        "tick__lt": requested.get("to"),
    }
    inputs: list[Q | JsonContains] = [
        Q(**{name: value}) for name, value in conditions.items() if value is not None
    ]
    return (
        [*inputs, JsonContains("data", requested["search"])]
        if "search" in requested
        else inputs
    )
