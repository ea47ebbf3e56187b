"""Conversations: who talked with whom, word by word, how it ended and what came of it (D2)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents import queries as agent_queries
from apps.api.base import SimulationView
from apps.api.deprecation import replaced_by
from apps.api.downloads import (
    DISPOSITION,
    Download,
    Downloadable,
    Formed,
    listed_or_downloaded,
)
from apps.api.fields import Choice, GameTime, MomentParameter, Renaming, Slug, Tick
from apps.api.listing import (
    cursor_keys,
    is_descending,
    next_cursor,
    order_parameter,
    search_parameter,
)
from apps.api.openapi import NO_SUCH_PERSON
from apps.api.paging import Paged, page_response, split_page
from apps.api.reading import Reading, clock_at
from apps.api.views.memories import KINDS
from apps.dialogue import history
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind

PEOPLE_PER_TALK = 2


class Talk(Renaming):
    """A conversation, as a list shows it."""

    id = serializers.CharField(help_text='When it was opened, and by whom: "tick/slug".')
    opened_by = serializers.CharField(help_text="A slug.")
    participants = serializers.ListField(
        child=serializers.CharField(),
        help_text="Slugs: who opened it, and whom they spoke to.",
    )
    from_ = GameTime(**replaced_by("start_at"))
    ended = GameTime(allow_null=True, **replaced_by("end_at"))
    open = serializers.BooleanField()
    words = serializers.IntegerField(min_value=1, **replaced_by("utterance_count"))
    start_at = GameTime()
    start_tick = Tick()
    end_at = GameTime(
        allow_null=True, help_text="When it was over for both; null while it is not."
    )
    end_tick = Tick(allow_null=True)
    utterance_count = serializers.IntegerField(min_value=1)


class UtteranceRecord(Renaming):
    """Something said; its event's provenance tells why."""

    event = serializers.CharField()
    tick = Tick()
    time = GameTime()
    conversation = serializers.CharField(help_text="The id of the conversation.")
    agent = serializers.CharField(help_text="The slug of the speaker.")
    to = serializers.CharField(help_text="The slug of the other agent.")
    text = serializers.CharField()
    ends = serializers.BooleanField(help_text="The speaker wanted no reply.")
    memories = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of what the speaker had in mind."
    )


class Utterance(UtteranceRecord):
    """Something said in a conversation."""

    at = GameTime(**replaced_by("time"))
    by = serializers.CharField(**replaced_by("agent"))


class TalkMemory(serializers.Serializer[Any]):
    """What somebody kept in mind of the conversation."""

    id = serializers.IntegerField(min_value=1)
    kind = Choice(choices=KINDS)
    description = serializers.CharField()
    event = serializers.CharField()


class TalkSide(Renaming):
    """The conversation as one of them had it, from their first word on."""

    agent = serializers.CharField(help_text="A slug.")
    from_ = GameTime(**replaced_by("start_at"))
    ended = GameTime(allow_null=True, **replaced_by("end_at"))
    start_at = GameTime()
    start_tick = Tick()
    end_at = GameTime(allow_null=True)
    end_tick = Tick(allow_null=True)
    why = serializers.CharField(
        allow_null=True, help_text="Why it was over for them; null while it is not."
    )
    remembers = TalkMemory(many=True, help_text="What they took from it when it was over.")


class Commitment(serializers.Serializer[Any]):
    """Something that one of them agreed to do, or declined."""

    agent = serializers.CharField(help_text="A slug.")
    declined = serializers.BooleanField()
    activity = serializers.CharField()
    place = serializers.CharField(help_text="In words; empty for none.")
    day = serializers.CharField(help_text="A date; empty for what was declined.")
    from_minute = serializers.IntegerField(allow_null=True, help_text="From that midnight on.")
    to_minute = serializers.IntegerField(allow_null=True)
    event = serializers.CharField()


class TalkInFull(Talk):
    """A conversation, word by word."""

    place = serializers.CharField(help_text="Where it was opened; empty for the street.")
    utterances = Utterance(many=True)
    sides = TalkSide(many=True)
    commitments = Commitment(many=True)


class TalkFilters(Paged, Formed):
    """Which conversations."""

    agent = Slug(required=False, help_text="Those that this person had part in.")
    between = serializers.ListField(
        child=Slug(),
        required=False,
        min_length=PEOPLE_PER_TALK,
        max_length=PEOPLE_PER_TALK,
        help_text="Two slugs, repeated: between=klaus-mueller&between=maria-lopez.",
    )
    from_ = MomentParameter(required=False, help_text="Opened then or later.")
    to = MomentParameter(required=False, help_text="Opened before then.")
    open = serializers.BooleanField(required=False, help_text="Whether it still goes on.")
    search = search_parameter("what was said")
    order = order_parameter("start_at", default="start_at")


class Conversations(Downloadable, SimulationView):
    """The conversations of a town."""

    query = TalkFilters

    @extend_schema(
        operation_id="listConversations",
        summary="Who talked with whom; by default in the order in which they began",
        tags=["town"],
        parameters=[TalkFilters, DISPOSITION],
        responses=listed_or_downloaded(Talk) | NO_SUCH_PERSON,
    )
    def get(self, request: Request, **_names: str) -> Response | Download:
        """List the conversations."""
        reading, asked = self.reading, self.asked
        cursor = cursor_keys(self, int, str)
        people = [*asked.get("between", ()), *([asked["agent"]] if "agent" in asked else ())]
        for slug in people:
            reading.refuse_stranger(slug)
        rows = history.list_conversations(
            reading.id,
            as_of_tick=reading.as_of_tick,
            people=people,
            from_tick=asked.get("from"),
            to_tick=asked.get("to"),
            is_open=asked.get("open"),
            search=asked.get("search"),
            descending=is_descending(asked["order"]),
            after=None if cursor is None else (cursor[0], cursor[1]),
        )
        if self.line_form:
            return self.download(
                rows, Talk, lambda row: _talk(row, reading), name="conversations"
            )
        page, more = split_page(rows, asked["limit"])
        shown = [_talk(row, reading) for row in page]
        last = page[-1] if more else None
        next_page = last and next_cursor(self, last.from_tick, last.agent)
        return page_response(request, Talk(shown, many=True).data, next_page=next_page)


class OneConversation(SimulationView):
    """A conversation."""

    @extend_schema(
        operation_id="getConversation",
        summary="One conversation, word by word; its id ends the address",
        tags=["town"],
        responses={200: TalkInFull},
    )
    def get(self, _request: Request, tick: str, opener: str, **_names: str) -> Response:
        """Show the conversation."""
        reading, conversation = self.reading, f"{tick}/{opener}"
        settled = reading.as_of_tick
        row = history.get_conversation(reading.id, conversation, as_of_tick=settled)
        spoken = history.words_of(reading.id, conversation, as_of_tick=settled)
        sides = history.sides_of(reading.id, conversation, as_of_tick=settled)
        commitments = history.came_of(reading.id, conversation, as_of_tick=settled)
        shown = _talk(row, reading) | {
            "place": _place(row, reading),
            "utterances": [show_utterance(said, reading) for said in spoken],
            "sides": [_side(side, reading) for side in sides],
            "commitments": commitments,
        }
        return Response(TalkInFull(shown).data)


def _talk(row: Any, reading: Reading) -> dict[str, Any]:
    is_over = not row.stands and row.ended_tick is not None
    return {
        "id": row.conversation,
        "opened_by": row.agent,
        "participants": [row.agent, row.other],
        **reading.moment("start", row.from_tick),
        **reading.moment("end", row.ended_tick if is_over else None),
        "open": row.stands,
        "utterance_count": row.words,
    }


def _place(row: Any, reading: Reading) -> str:
    """Return the area that whoever opened it stood in."""
    actions = agent_queries.actions_between(
        reading.id, row.agent, from_tick=row.from_tick, to_tick=row.from_tick
    )
    return actions[-1].area if actions else ""


def show_utterance(said: Any, reading: Reading) -> dict[str, Any]:
    """Return a row of what was said as `UtteranceRecord` shows it."""
    return {
        "event": said.event,
        **clock_at(reading.calendar, said.tick),
        "conversation": said.conversation,
        "agent": said.agent,
        "to": said.to,
        "text": said.text,
        "ends": said.ends,
        "memories": said.memories,
    }


def _side(side: Any, reading: Reading) -> dict[str, Any]:
    is_over = side.to_tick is not None and side.to_tick <= reading.as_of_tick
    return {
        "agent": side.agent,
        **reading.moment("start", side.from_tick),
        **reading.moment("end", side.to_tick if is_over else None),
        "why": side.why if is_over else None,
        "remembers": _kept(side, reading) if is_over else [],
    }


def _kept(side: Any, reading: Reading) -> list[dict[str, Any]]:
    """Return what came to mind in the turn in which it was over, sights left out."""
    formed = memory_queries.formed_then(
        reading.id, side.agent, tick=side.to_tick, subject=side.other
    )
    return [
        {
            "id": memory.number,
            "kind": memory.kind,
            "description": memory.description,
            "event": memory.event_id,
        }
        for memory in formed
        if memory.kind != MemoryKind.OBSERVATION
    ]
