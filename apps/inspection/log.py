"""The event log by time, agent and type, and one event with its causes and effects."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps import history, wiring
from apps.api.resources.events import parse_event_id
from apps.eventlog.models import EventRow
from apps.eventlog.queries import find_event, list_effects, list_recent_events
from apps.history import COMMANDS_STREAM, SIMULATION_STREAM, EventId
from apps.inspection.filters import AgentFilter, ComposedText
from apps.inspection.pages import InspectionPage
from apps.kernel.errors import NotFound
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.memory import queries as memory_queries
from apps.memory.events import MemoriesRetrieved
from apps.simulation.provenance import provenance_of

EVENTS_PER_PAGE = 100
EFFECTS_MINUTES = 60
EFFECTS_SHOWN = 50
_TYPES = sorted(event.type for event in wiring.EVENTS)


class EventMissing(NotFound):
    """There is no such event by this moment."""

    code = "event-unknown"


class EventFilter(AgentFilter):
    """The filters of the log."""

    all_label = "all streams"
    others = ((COMMANDS_STREAM, COMMANDS_STREAM), (SIMULATION_STREAM, SIMULATION_STREAM))

    agent = forms.ChoiceField(required=False, label="Stream")
    type = forms.ChoiceField(
        required=False, choices=[("", "all types"), *((name, name) for name in _TYPES)]
    )
    after = ComposedText(required=False, max_length=160, widget=forms.HiddenInput)

    def clean_after(self) -> EventId | None:
        """Return the id of the last event of the page before."""
        return parse_event_id(self.cleaned_data["after"])


class LogPage(InspectionPage):
    """The events of the day before the moment, the latest first.

    A day bounds the time that a search for a rare type takes; the moment chooses the day.
    """

    template = "inspection/events.html"
    title = "Event log"
    tab = "events"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters = EventFilter(request.GET, names=self.names)
        values = filters.cleaned_data if filters.is_valid() else {}
        day = context.calendar.ticks_of(minutes=MINUTES_PER_DAY)
        first = max(0, context.as_of_tick - day + 1)
        rows = list_recent_events(
            context.id,
            from_tick=first,
            to_tick=context.as_of_tick,
            stream=values.get("agent", ""),
            types=[values["type"]] if values.get("type") else (),
            before=values.get("after"),
        )
        page, next_query = self.page_of(rows, EVENTS_PER_PAGE, after=history.event_id_of_row)
        return self.render(
            filters=filters,
            events=page,
            first_tick=first,
            next_query=next_query,
        )


class EventPage(InspectionPage):
    """An event with its data, its causes and effects, and what it came from (V6)."""

    template = "inspection/event.html"
    title = "Event"
    tab = "events"
    event_row: EventRow

    def load(self, **names: Any) -> None:
        """Load the event.

        :raises EventMissing: if there is none of that id by the moment.
        """
        place = EventId(names["tick"], names["stream"], names["ordinal"])
        row = find_event(self.context.id, place)
        if row is None or row.tick > self.context.as_of_tick:
            raise EventMissing(f"there is no event {place} by this moment")
        self.event_row = row

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show it."""
        context, row = self.context, self.event_row
        window = context.calendar.ticks_of(minutes=EFFECTS_MINUTES)
        effects = list_effects(
            row, to_tick=min(row.tick + window, context.as_of_tick), limit=EFFECTS_SHOWN
        )
        why = provenance_of(context.row, row, as_of_tick=context.as_of_tick, is_brief=True)
        return self.render(
            event=row,
            event_id=str(history.event_id_of_row(row)),
            effects=effects,
            why=why,
            # The event of a retrieval comes first, with its scores.
            ranked=why["retrievals"][:1] if row.type == MemoriesRetrieved.type else [],
            retrieved=self._retrieved(why),
        )

    def _retrieved(self, why: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the retrievals behind the event with their memories, without scores."""
        row = self.event_row
        if row.type == MemoriesRetrieved.type or not why["retrievals"]:
            return []
        stream = parse_event_id(why["retrievals"][0]["event"])
        assert stream is not None, "provenance has the ids of events"
        numbers = {number for one in why["retrievals"] for number in one["memories"]}
        memories = memory_queries.numbered(
            self.context.id, stream.stream, numbers, as_of_tick=row.tick
        )
        return [
            one
            | {
                "agent": stream.stream,
                "rows": [memories[number] for number in one["memories"] if number in memories],
            }
            for one in why["retrievals"]
        ]
