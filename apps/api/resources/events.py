"""The event log, in canonical order up to the committed tick, and the provenance of events."""

import re
from typing import Any, ClassVar

from django.db.models import Q
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import (
    INTEGER_MAX,
    Choice,
    Clock,
    GameTime,
    Serializer,
    SlugParameter,
    TextOrNull,
)
from apps.api.http.lists import Paged, TimeRange, order_parameter, search_parameter
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.views import Errors, operation
from apps.api.resources.memories import Memory
from apps.api.resources.model_calls import CallInFull
from apps.api.resources.plans import PlannedSpan
from apps.api.resources.retrievals import ScoreParts
from apps.django_support.text_search import JsonContains
from apps.eventlog.event import COMMANDS_STREAM, SIMULATION_STREAM, STREAMS_OF_USERS, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import find_event
from apps.eventlog.store import events_of
from apps.kernel.errors import NotFound
from apps.kernel.requested_values import SLUG_PATTERN
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.simulation.provenance import CAUSES_MAX, provenance_of

EVENT_ID_PATTERN = rf"[0-9]{{1,10}}/{SLUG_PATTERN}/[0-9]{{1,10}}"
INVALID_EVENT_ID = "write a place such as 2490/isabella-rodriguez/3"
STREAM_HELP = (
    f'Only those of this stream: a slug, "{COMMANDS_STREAM}" or "{SIMULATION_STREAM}".'
)
EVENT_TYPES = sorted(event.type for event in wiring.EVENTS)
_TYPES_MAX = 50
_EVENT_ID = re.compile(EVENT_ID_PATTERN)


def types_parameter() -> serializers.ListField:
    """Return the parameter that selects types of events."""
    return serializers.ListField(
        child=Choice(choices=EVENT_TYPES),
        required=False,
        max_length=_TYPES_MAX,
        help_text="One or more, repeated: type=memory.formed.v1.",
    )


def parse_event_id(text: str) -> EventId | None:
    """Return the id of an event from "2490/isabella-rodriguez/3"; None if it can be none."""
    if not _EVENT_ID.fullmatch(text):
        return None
    tick, stream, ordinal = text.split("/")
    if max(int(tick), int(ordinal)) > INTEGER_MAX:
        return None
    return EventId(int(tick), stream, int(ordinal))


def require_event_id(text: str) -> EventId:
    """Return the id of an event in a parameter.

    :raises ValidationError: if no event can have it.
    """
    event_id = parse_event_id(text)
    if event_id is None:
        raise serializers.ValidationError("no event can have this id", code="invalid")
    return event_id


def require_known_stream(context: SimulationContext, stream: str | None) -> None:
    """Check that a stream can have events; None stands for all streams.

    :raises AgentUnknown: if it is the slug of no agent.
    """
    if stream not in STREAMS_OF_USERS:
        context.require_known_agent(stream)


class _EventIdField(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return str(value.event_id)


class LoggedEvent(Serializer):
    """An event: its type and data, stream, time and cause."""

    id = _EventIdField(
        source="*", help_text='Its place in the canonical order: "tick/stream/ordinal".'
    )
    tick = serializers.IntegerField(min_value=0)
    time = GameTime(source="tick")
    stream = serializers.CharField(help_text='A slug, "commands" or "simulation".')
    ordinal = serializers.IntegerField(min_value=0)
    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    cause = TextOrNull(allow_null=True, help_text="The event or command that caused it.")
    model_calls = serializers.ListField(
        child=serializers.CharField(), help_text="Ids of the model calls that it came from."
    )
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


class PlannedStep(PlannedSpan):
    """An item of the plan, and the event that planned it."""

    place = serializers.CharField(source="item.place")
    event = serializers.CharField(allow_null=True)


class PlanBehind(Serializer):
    """The plan at that moment: the action, its hour, and the part of the day."""

    action = PlannedStep(allow_null=True)
    hour = PlannedStep(allow_null=True)
    outline = PlannedStep(allow_null=True)


class RecalledMemory(Memory):
    """A retrieved memory, with its score at that time and its origin."""

    event = serializers.CharField(help_text="The event that formed it.")
    source = serializers.CharField(  # type: ignore[assignment]  # the framework's own word
        allow_null=True, help_text="The cause of that event, if it has one."
    )
    rank = serializers.IntegerField(min_value=1)
    score = serializers.FloatField()
    parts = ScoreParts()


class RetrievalThen(Serializer):
    """A retrieval of that turn, with the scores as of that time (M6)."""

    event = serializers.CharField(help_text="The event of the retrieval.")
    for_ = serializers.CharField(help_text="The event that it was made for.")
    purpose = serializers.CharField()
    query = serializers.CharField()
    clock = Clock(help_text="The tick as of which the stream was read.")
    decay = serializers.FloatField(help_text="Of recency, per game hour.")
    memories = RecalledMemory(many=True, help_text="Those in the prompt, the best first.")


class EvidenceMemory(Memory):
    """A memory in the evidence of a thought."""

    event = serializers.CharField(source="event_id")
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # as above


class CallBehind(CallInFull):
    """A model call with its prompt and its raw answers, and the event that it is behind."""

    for_ = serializers.CharField()


class Why(Serializer):
    """The direct origin of an event; each id in it can be looked up in turn."""

    event = LoggedEvent()
    causes = LoggedEvent(
        many=True,
        help_text=f"Its cause, the cause of that event, and so on; at most {CAUSES_MAX}.",
    )
    conversation = serializers.CharField(allow_null=True, help_text="Its conversation.")
    plan = PlanBehind(allow_null=True, help_text="The plan for that moment.")
    reaction = LoggedEvent(
        allow_null=True, help_text="The decision about what was perceived that led to it."
    )
    retrievals = RetrievalThen(many=True, help_text="The retrievals for it.")
    evidence = EvidenceMemory(many=True, help_text="The memories that a memory derives from.")
    model_calls = CallBehind(many=True, help_text="The prompts and answers behind it.")


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
    agent = SlugParameter(required=False, help_text=STREAM_HELP)
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
        return {"after": last.event_id} | super().next_parameters(last, key)


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
