"""Conversations: participants, utterances, ends and commitments (D2)."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.fields import MomentParameter, Slug
from apps.api.http.paging import Paged, page_response, split_page
from apps.api.http.simulation_views import SimulationView
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


class TalkFilters(Paged, downloads.FormatParameter):
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
    search = listing.search_parameter("what was said")
    order = listing.order_parameter("start_at", default="start_at")


class Conversations(downloads.Downloadable, SimulationView):
    """The conversations of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = TalkFilters

    @extend_schema(
        operation_id="listConversations",
        summary="The conversations of a simulation, by default in the order of their beginning",
        tags=["town"],
        responses=downloads.page_or_download(Talk),
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List the conversations."""
        context, requested = self.context, self.parameters
        cursor = listing.cursor_keys(self, int, str)
        people = [
            *requested.get("between", ()),
            *([requested["agent"]] if "agent" in requested else ()),
        ]
        for slug in people:
            context.require_known_agent(slug)
        rows = history.list_conversations(
            context.id,
            as_of_tick=context.as_of_tick,
            agents=people,
            from_tick=requested.get("from"),
            to_tick=requested.get("to"),
            is_open=requested.get("open"),
            search=requested.get("search"),
            descending=listing.is_descending(requested["order"]),
            after=None if cursor is None else (cursor[0], cursor[1]),
        )
        if self.line_format:
            return self.download(
                rows, Talk, lambda row: _talk(row, context), name="conversations"
            )
        page, more = split_page(rows, requested["limit"])
        shown = [_talk(row, context) for row in page]
        last = page[-1] if more else None
        next_page = last and listing.next_cursor(self, last.from_tick, last.agent)
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
        context, conversation = self.context, f"{tick}/{opener}"
        settled = context.as_of_tick
        row = history.get_conversation(context.id, conversation, as_of_tick=settled)
        spoken = history.list_utterances(
            context.id, conversation=conversation, as_of_tick=settled
        ).order_by("tick", "agent")
        sides = history.participants_of(context.id, conversation, as_of_tick=settled)
        commitments = history.commitments_of(context.id, conversation, as_of_tick=settled)
        shown = _talk(row, context) | {
            "place": _place(row, context),
            "utterances": [show_utterance(said, context) for said in spoken],
            "sides": [_side(side, context) for side in sides],
            "commitments": commitments,
        }
        return Response(TalkInFull(shown).data)
