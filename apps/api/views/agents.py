"""The people of a simulation: who they are, what they do, what places they know."""

from typing import Any

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents import queries as agent_queries
from apps.agents.models import ActionRow, AgentRow
from apps.agents.queries import KnownPlace
from apps.agents.track import Track
from apps.api.base import AgentView, SimulationView
from apps.api.downloads import (
    DISPOSITION,
    Download,
    Downloadable,
    Formed,
    listed_or_downloaded,
)
from apps.api.fields import Clock, GameTime, MomentParameter, Position
from apps.api.paging import (
    Paged,
    decode_cursor,
    encode_cursor,
    listed,
    page_response,
    split_page,
)
from apps.api.reading import Reading
from apps.api.views.world import NODE_KINDS
from apps.self_summary.queries import current_summary
from apps.world.node import Kind, segments_of

MINUTES_PER_DAY = 1_440
_KINDS = (Kind.TOWN, Kind.PLACE, Kind.AREA, Kind.OBJECT)


class DayHours(serializers.Serializer[Any]):
    """Usual hours, "06:00"; a bed time before the waking hour lies in the next day."""

    wake = serializers.CharField()
    sleep = serializers.CharField()
    dinner = serializers.CharField(allow_null=True)


class CurrentAction(serializers.Serializer[Any]):
    """What a person does: what follows "<name> is", where, with what, from when to when."""

    description = serializers.CharField()
    emoji = serializers.CharField()
    area = serializers.CharField(help_text="Empty while walking.")
    object = serializers.CharField(help_text="What is used; empty when nothing is.")
    towards = serializers.CharField(help_text="Where a walk leads; empty otherwise.")
    asleep = serializers.BooleanField()
    plan_item = serializers.IntegerField(
        allow_null=True, help_text="The plan item that is acted out."
    )
    from_ = GameTime()
    until = GameTime(help_text="When it is due to end.")
    event = serializers.CharField(help_text="The event that it began with.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields by the names that clients see."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class Agent(serializers.Serializer[Any]):
    """A person, as a list shows them."""

    slug = serializers.CharField()
    name = serializers.CharField()
    age = serializers.IntegerField()
    traits = serializers.ListField(child=serializers.CharField())
    home = serializers.CharField(help_text="The area that they live in.")
    workplace = serializers.CharField(allow_null=True)
    position = Position(allow_null=True, help_text="Null once they have left town.")
    action = serializers.CharField(help_text='What follows "<name> is".')
    emoji = serializers.CharField()
    asleep = serializers.BooleanField()


class AgentDetail(Agent):
    """A person, whole."""

    bed = serializers.CharField()
    description = serializers.CharField(help_text="Each phrase is a memory they began with.")
    hours = DayHours()
    clock = Clock()
    current_action = CurrentAction(allow_null=True)


class Summary(serializers.Serializer[Any]):
    """Who a person is in words: identity, and three summaries of their memories (S1)."""

    name = serializers.CharField()
    age = serializers.IntegerField()
    traits = serializers.ListField(child=serializers.CharField())
    core = serializers.CharField(
        allow_null=True, help_text="Core characteristics; null before the first waking."
    )
    occupation = serializers.CharField(allow_null=True, help_text="Current daily occupation.")
    feeling = serializers.CharField(
        allow_null=True, help_text="Feeling about recent progress in life."
    )
    text = serializers.CharField(allow_null=True, help_text="All of it, as prompts have it.")
    since = GameTime(allow_null=True)
    due = GameTime(allow_null=True, help_text="When it is renewed.")


class KnownNode(serializers.Serializer[Any]):
    """A node that a person knows, and what they last saw of it (W3)."""

    path = serializers.CharField()
    kind = serializers.ChoiceField(choices=NODE_KINDS)
    state = serializers.CharField(allow_null=True, help_text="As last seen; null if never.")
    since = GameTime(help_text="When they last looked, or came to know of it.")


class TimelineEntry(CurrentAction):
    """Something that a person did; `ended` is when it really did, null if it still goes on."""

    ended = GameTime(allow_null=True)


class Span(Paged, Formed):
    """A stretch of time, up to and without `to`, in pages."""

    from_ = MomentParameter(required=False)
    to = MomentParameter(required=False)


class Agents(SimulationView):
    """The people of a simulation."""

    query = Paged

    @extend_schema(
        operation_id="listAgents",
        summary="The people of a simulation, by slug",
        tags=["people"],
        parameters=[Paged],
        responses={200: listed(Agent)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the people."""
        reading = self.reading
        after = decode_cursor(self.asked.get("cursor"), str)
        rows = [
            row
            for row in agent_queries.list_agents(reading.id, as_of_tick=reading.as_of_tick)
            if after is None or row.agent > after[0]
        ]
        page, more = split_page(rows, self.asked["limit"])
        tracks = _tracks(reading, page)
        shown = [_agent(row, tracks[row.agent], reading) for row in page]
        cursor = {"cursor": encode_cursor(page[-1].agent)} if more else None
        return page_response(request, Agent(shown, many=True).data, next_page=cursor)


class OneAgent(AgentView):
    """A person."""

    @extend_schema(
        operation_id="getAgent",
        summary="A person: identity, home, workplace, hours, what they are doing",
        tags=["people"],
        responses={200: AgentDetail},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the person."""
        reading, row = self.reading, self.person
        track = _tracks(reading, [row])[row.agent]
        action = track.action_at(reading.as_of_tick)
        shown = _agent(row, track, reading) | {
            "bed": row.bed,
            "description": row.description,
            "hours": {
                "wake": _clock(row.wake_minute),
                "sleep": _clock(row.sleep_minute),
                "dinner": None if row.dinner_minute is None else _clock(row.dinner_minute),
            },
            "clock": reading.clock,
            "current_action": None if action is None else _told(action, reading),
        }
        return Response(AgentDetail(shown).data)


class AgentSummary(AgentView):
    """Who a person is, in words."""

    @extend_schema(
        operation_id="getSummary",
        summary="Who a person is in words, as prompts have it",
        tags=["people"],
        responses={200: Summary},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the summary."""
        reading, row = self.reading, self.person
        found = current_summary(reading.id, row.agent, as_of_tick=reading.as_of_tick)
        shown = {
            "name": row.name,
            "age": row.age,
            "traits": row.traits,
            "core": found and found.core,
            "occupation": found and found.occupation,
            "feeling": found and found.feeling,
            "text": found and found.text,
            "since": found and reading.time_at(found.from_tick),
            "due": found and reading.time_at(found.due_tick),
        }
        return Response(Summary(shown).data)


class KnownPlaces(AgentView):
    """The part of the world that a person knows."""

    query = Paged

    @extend_schema(
        operation_id="listKnownPlaces",
        summary="The places, areas and objects that a person knows, by path",
        tags=["people"],
        parameters=[Paged],
        responses={200: listed(KnownNode)},
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response:
        """List what the person knows."""
        reading = self.reading
        after = decode_cursor(self.asked.get("cursor"), str)
        known = sorted(
            agent_queries.known_places(reading.id, agent, as_of_tick=reading.as_of_tick),
            key=lambda place: place.node,
        )
        rest = [place for place in known if after is None or place.node > after[0]]
        page, more = split_page(rest, self.asked["limit"])
        shown = [_known(place, reading) for place in page]
        cursor = {"cursor": encode_cursor(page[-1].node)} if more else None
        return page_response(request, KnownNode(shown, many=True).data, next_page=cursor)


class Timeline(Downloadable, AgentView):
    """What a person did."""

    query = Span

    @extend_schema(
        operation_id="listTimeline",
        summary="What a person did, in order",
        tags=["people"],
        parameters=[Span, DISPOSITION],
        responses=listed_or_downloaded(TimelineEntry),
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response | Download:
        """List the actions."""
        reading = self.reading
        after = decode_cursor(self.asked.get("cursor"), int)
        rows = _actions(reading, agent, self.asked.get("from"), self.asked.get("to"))
        if after is not None:
            rows = rows.filter(from_tick__gt=after[0])
        if self.line_form:
            return self.download(
                rows,
                TimelineEntry,
                lambda row: _done(row, reading),
                name=f"timeline-of-{agent}",
            )
        page, more = split_page(rows, self.asked["limit"])
        shown = [_done(row, reading) for row in page]
        cursor = {"cursor": encode_cursor(page[-1].from_tick)} if more else None
        return page_response(request, TimelineEntry(shown, many=True).data, next_page=cursor)


def _tracks(reading: Reading, rows: list[AgentRow]) -> dict[str, Track]:
    tick = reading.as_of_tick
    slugs = [row.agent for row in rows]
    return agent_queries.tracks(reading.id, from_tick=tick, to_tick=tick, agents=slugs)


def _agent(row: AgentRow, track: Track, reading: Reading) -> dict[str, Any]:
    tile, action = track.tile_at(reading.as_of_tick), track.action_at(reading.as_of_tick)
    return {
        "slug": row.agent,
        "name": row.name,
        "age": row.age,
        "traits": row.traits,
        "home": row.home,
        "workplace": row.workplace,
        "position": None if tile is None else {"x": tile[0], "y": tile[1]},
        "action": action.description if action else "",
        "emoji": action.emoji if action else "",
        "asleep": bool(action and action.asleep),
    }


def _told(action: Any, reading: Reading) -> dict[str, Any]:
    """Return the action, a row or one read from a track, as answers show it."""
    return {
        "description": action.description,
        "emoji": action.emoji,
        "area": action.area,
        "object": action.object,
        "towards": action.towards,
        "asleep": action.asleep,
        "plan_item": action.plan_item or None,
        "from": reading.time_at(action.from_tick),
        "until": reading.time_at(action.until_tick),
        "event": action.event,
    }


def _done(row: ActionRow, reading: Reading) -> dict[str, Any]:
    return _told(row, reading) | {"ended": _ended(row, reading)}


def _ended(row: ActionRow, reading: Reading) -> Any:
    if row.to_tick is None or row.to_tick > reading.as_of_tick:
        return None
    return reading.time_at(row.to_tick)


def _actions(
    reading: Reading, agent: str, from_tick: int | None, to_tick: int | None
) -> QuerySet[ActionRow]:
    """Return the actions that overlap the ticks and have begun by the one that is read."""
    rows = ActionRow.objects.filter(
        simulation_id=reading.id, agent=agent, from_tick__lte=reading.as_of_tick
    )
    if from_tick is not None:
        rows = rows.filter(Q(to_tick=None) | Q(to_tick__gt=from_tick))
    if to_tick is not None:
        rows = rows.filter(from_tick__lt=to_tick)
    return rows.order_by("from_tick")


def _known(place: KnownPlace, reading: Reading) -> dict[str, Any]:
    return {
        "path": place.node,
        "kind": _KINDS[len(segments_of(place.node))].value,
        "state": place.state or None,
        "since": reading.time_at(place.tick),
    }


def _clock(minute: int) -> str:
    hours, minutes = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"
