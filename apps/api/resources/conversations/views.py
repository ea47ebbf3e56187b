"""Conversations: who talked with whom, word by word, how it ended and what came of it (D2)."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import (
    DISPOSITION,
    Download,
    Downloadable,
    Formed,
    listed_or_downloaded,
)
from apps.api.http.fields import MomentParameter, Slug
from apps.api.http.listing import (
    cursor_keys,
    is_descending,
    next_cursor,
    order_parameter,
    search_parameter,
)
from apps.api.http.paging import Paged, page_response, split_page
from apps.api.http.views import SimulationView
from apps.api.resources.conversations.presentation import (
    PEOPLE_PER_TALK,
    Talk,
    TalkInFull,
    _place,
    _side,
    _talk,
    show_utterance,
)
from apps.dialogue import history
from apps.dialogue.history import ConversationUnknown


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

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = TalkFilters

    @extend_schema(
        operation_id="listConversations",
        summary="Who talked with whom; by default in the order in which they began",
        tags=["town"],
        parameters=[TalkFilters, DISPOSITION],
        responses=listed_or_downloaded(Talk),
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

    errors: ClassVar = {"GET": (ConversationUnknown,)}

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
