"""The view of the live stream: committed events as Server-Sent Events (A2)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import Download, download_slot
from apps.api.http.fields import Choice, SlugParameter, Strict
from apps.api.http.long_responses import STREAMS, ConnectionSlot, ContinuedAccess, grant_of
from apps.api.http.request_errors import (
    DOWNLOAD_ERRORS,
    STREAM_ERRORS,
    FieldError,
    InvalidRequest,
    StreamsNeedAsgi,
)
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import header, operation
from apps.api.resources.events import (
    EVENT_ID_PATTERN,
    INVALID_EVENT_ID,
    STREAM_HELP,
    parse_event_id,
    require_event_id,
    require_known_stream,
    types_parameter,
)
from apps.api.streaming import log_source
from apps.api.streaming.feed import (
    EVENTS_AT_ONCE,
    MEDIA_TYPE,
    NOTHING_PUBLISHED,
    EventFilter,
    end_block,
    end_of,
    status_block,
)
from apps.api.streaming.hub import SubscribeRequest, hub
from apps.eventlog.event import EventId
from apps.eventlog.queries import last_event_id
from apps.kernel import game_moments

BEGINNING = "beginning"
COMMITTED = "committed"
LAST_EVENT_ID = "Last-Event-ID"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

_LAST_EVENT_ID = header(
    LAST_EVENT_ID,
    "The last id that you have received; browsers send it when they reconnect. It takes "
    "precedence over `after`.",
)
_STREAM = OpenApiResponse(
    str,
    description="Blocks of Server-Sent Events. A block without a name is an event of the log: "
    'its `id` is its place ("2490/isabella-rodriguez/3"), its data a LoggedEvent as '
    "GET …/events has it. `status` says what the simulation is doing (first of all, and when "
    "that changes), `clock` what is committed where there is nothing to tell, `end` why the "
    "stream is over; their ids are the last place that was passed. Comments keep the "
    "connection open.",
)


class StreamParameters(Strict):
    """What is to be followed, and from where on."""

    after = serializers.RegexField(
        f"^({BEGINNING}|{EVENT_ID_PATTERN})$",
        required=False,
        error_messages={"invalid": f"{INVALID_EVENT_ID}, or {BEGINNING}"},
        help_text="The id of the last event that you have, or `beginning`; from now on if "
        "left out.",
    )
    type = types_parameter()
    agent = SlugParameter(required=False, help_text=STREAM_HELP)
    until = Choice(
        choices=[COMMITTED],
        required=False,
        help_text="Ends the stream when all that is committed now has been sent.",
    )

    def validate_after(self, value: str) -> str:
        """Return the id or `beginning`."""
        return value if value == BEGINNING else str(require_event_id(value))


class _StreamResponse(StreamingHttpResponse):
    """The response of a stream, whose generator ends with it.

    Django leaves that to garbage collection if the client has stopped reading.
    """

    def __init__(
        self, requested: SubscribeRequest, slot: ConnectionSlot, **inputs: Any
    ) -> None:
        super().__init__(**inputs)
        self._subscribe_request = requested
        self._slot = slot

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # The thread of this request waits as long as the stream is open: without a connection.
        await sync_to_async(connections.close_all)()
        async with aclosing(hub().parts(self._subscribe_request, self._slot)) as parts:
            async for part in parts:
                yield part

    def close(self) -> None:
        """Release the slot, also if no part was ever taken."""
        self._slot.release()
        super().close()


class EventStream(SimulationView):
    """The stream of committed events."""

    query = StreamParameters
    media_type: ClassVar[str] = MEDIA_TYPE

    @operation(
        "followEvents",
        "/stream",
        "log",
        {(200, MEDIA_TYPE): _STREAM},
        parameters=[_LAST_EVENT_ID],
        errors=(AgentUnknown, StreamsNeedAsgi, *STREAM_ERRORS, *DOWNLOAD_ERRORS),
    )
    def get(self, request: Request, **_names: str) -> HttpResponseBase:
        """Follow the committed events as a resumable stream of Server-Sent Events."""
        require_known_stream(self.context, self.parameters.get("agent"))
        requested = self._subscribe_request(request)
        if request.method == "HEAD":
            return HttpResponse(content_type=self.media_type, headers=_HEADERS)
        if "until" in self.parameters:
            return Download(
                self._committed_parts(requested),
                slot=download_slot(self.user.pk),
                content_type=self.media_type,
                headers=_HEADERS,
            )
        if not isinstance(request._request, ASGIRequest):  # noqa: SLF001 (the framework's way)
            raise StreamsNeedAsgi(
                "this server is synchronous: serve smallville_api.asgi, as with uvicorn, or "
                "ask for until=committed again and again"
            )
        slot = STREAMS.acquire(
            self.user.pk,
            slots_max=settings.STREAMS_MAX,
            slots_per_user_max=settings.STREAMS_PER_USER_MAX,
        )
        return _StreamResponse(requested, slot, content_type=self.media_type, headers=_HEADERS)

    def _subscribe_request(self, request: Request) -> SubscribeRequest:
        after, last_id = self._start(request)
        types = self.parameters.get("type")
        return SubscribeRequest(
            grant=grant_of(request, self.context),
            calendar=self.context.calendar,
            after=after,
            last_id=last_id,
            event_filter=EventFilter(
                types=None if types is None else frozenset(types),
                stream=self.parameters.get("agent"),
            ),
        )

    def _start(self, request: Request) -> tuple[EventId, str]:
        """Return the place to start after, and the id that stands for it."""
        heard = request.headers.get(LAST_EVENT_ID, "")
        requested = heard or self.parameters.get("after", "")
        if requested == BEGINNING:
            return end_of(NOTHING_PUBLISHED), ""
        if not requested:
            tick = log_source.published_tick(self.context.as_of_tick)
            last = last_event_id(self.context.id, until_tick=tick)
            return end_of(tick), "" if last is None else str(last)
        place = parse_event_id(requested)
        if place is None:
            detail = "no event can have this id; send the last one that you have heard"
            raise InvalidRequest(
                [FieldError(parameter=LAST_EVENT_ID, code="invalid", detail=detail)]
            )
        return place, str(place)

    def _committed_parts(self, requested: SubscribeRequest) -> Iterator[bytes]:
        """Yield the committed events in pages, and the end."""
        context, access = self.context, ContinuedAccess(requested.grant)
        snapshot = log_source.read_snapshot(context.id, context.calendar)
        if snapshot is None:
            return
        clock = {
            "tick": max(snapshot.tick, 0),
            "time": game_moments.iso(context.time_at(max(snapshot.tick, 0))),
        }
        yield status_block(requested.last_id, snapshot.status, clock)
        after, last_id, page_size = requested.after, requested.last_id, EVENTS_AT_ONCE
        while page_size == EVENTS_AT_ONCE:
            page = log_source.read_wire_events(
                context.id,
                context.calendar,
                after=after,
                until_tick=snapshot.tick,
                limit=EVENTS_AT_ONCE,
                event_filter=requested.event_filter,
            )
            page_size = len(page)
            if page:
                after, last_id = page[-1].place, str(page[-1].place)
            yield b"".join(event.block for event in page)
            lost = access.lost_if_due() if page_size == EVENTS_AT_ONCE else access.lost()
            if lost is not None:
                yield end_block(last_id, code=lost.code, detail=lost.detail)
                return
        if snapshot.last is not None and snapshot.last > requested.after:
            last_id = str(snapshot.last)
        detail = f"all that is committed by tick {snapshot.tick} has been sent"
        yield end_block(last_id, code=COMMITTED, detail=detail)
