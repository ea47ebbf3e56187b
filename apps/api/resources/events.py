"""The event log, in canonical order up to the committed tick, and the provenance of events."""

from typing import Any, ClassVar

from django.db.models import Q
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Slug
from apps.api.http.lists import Paged, TimeRange, order_parameter, search_parameter
from apps.api.http.moments import AsOf
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors
from apps.api.resources.event_serializers import (
    EVENT_ID_PATTERN,
    INVALID_EVENT_ID,
    STREAM_HELP,
    LoggedEvent,
    Why,
    parse_event_id,
    require_event_id,
    require_known_stream,
    types_parameter,
)
from apps.django_support.text_search import JsonContains
from apps.eventlog.event import EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import event_id_of_row, find_event
from apps.eventlog.store import events_of
from apps.kernel.errors import NotFound
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.simulation.provenance import provenance_of


class EventUnknown(NotFound):
    """There is no such committed event."""


class EventFilters(Paged, AsOf, TimeRange, FormatParameter):
    """The filters and the order of events."""

    after = serializers.RegexField(
        f"^{EVENT_ID_PATTERN}$",
        required=False,
        error_messages={"invalid": INVALID_EVENT_ID},
        help_text="The id of the last event that you have, "
        '"2490/isabella-rodriguez/3": only those that follow it in the requested order.',
    )
    type = types_parameter()
    agent = Slug(required=False, help_text=STREAM_HELP)
    search = search_parameter("texts in `data`")
    order = order_parameter("tick")

    def validate_after(self, value: str) -> EventId:
        """Return the id."""
        return require_event_id(value)


class Events(DownloadableList):
    """The log of a simulation."""

    query = EventFilters

    @operation(
        "listEvents", "/events", "log", page_or_download(LoggedEvent), errors=(AgentUnknown,)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the committed events, in canonical order (tick, stream, ordinal)."""
        requested = self.parameters
        require_known_stream(self.context, requested.get("agent"))
        rows = events_of(
            self.context.id,
            until_tick=self.context.as_of_tick,
            streams=[requested["agent"]] if "agent" in requested else (),
        )
        conditions = {
            "type__in": requested.get("type"),
            "tick__gte": requested.get("from"),
            "tick__lt": requested.get("to"),
        }
        filters = {name: value for name, value in conditions.items() if value is not None}
        rows = rows.filter(Q(**filters))
        if "search" in requested:
            rows = rows.filter(JsonContains("data", requested["search"]))
        return self.page(rows, LoggedEvent, tick=("tick", "stream", "ordinal"))

    @property
    def last_keys(self) -> tuple[Any, ...] | None:
        """The keys in the cursor, else those of the event in `after`."""
        after: EventId | None = self.parameters.get("after")
        named = None if after is None else (after.tick, after.stream, after.ordinal)
        return super().last_keys or named

    def next_parameters(self, last: Any, key: tuple[str, ...]) -> dict[str, str]:
        """Return the parameters of the next page: a cursor, and the id that it stands for."""
        return {"after": str(event_id_of_row(last))} | super().next_parameters(last, key)


class EventView(SimulationView):
    """A view of a committed event."""

    errors: ClassVar[Errors] = (EventUnknown,)
    event_row: EventRow

    def load_resources(self, **names: str) -> None:
        """Load the event.

        :raises EventUnknown: if there is none of that id, or it is not committed.
        """
        super().load_resources(**names)
        text = f"{names['tick']}/{names['stream']}/{names['ordinal']}"
        event_id = parse_event_id(text)
        row = None if event_id is None else find_event(self.context.id, event_id)
        if row is None or row.tick > self.context.as_of_tick:
            raise EventUnknown(f"no committed event of this simulation has the id {text}")
        self.event_row = row


class OneEvent(EventView):
    """An event of the log."""

    @operation("getEvent", "/events/{tick}/{stream}/{ordinal}", "log", LoggedEvent)
    def get(self, request: Request, **_names: str) -> Response:
        """Show an event; its id is the rest of the address."""
        return Response(self.represent(LoggedEvent, self.event_row))


class Provenance(EventView):
    """The provenance of an event (V6)."""

    @operation(
        "getProvenance",
        "/events/{tick}/{stream}/{ordinal}/provenance",
        "log",
        Why,
        errors=(ModelMisconfigured, ModelUnavailable),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show why an event happened: causes, plan, reaction, memories, prompts, answers."""
        found = provenance_of(
            self.context.row, self.event_row, as_of_tick=self.context.as_of_tick
        )
        return Response(self.represent(Why, found))
