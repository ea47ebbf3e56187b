"""Everything that was said in a simulation, over all conversations."""

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
from apps.api.http.fields import Slug
from apps.api.http.listing import (
    cursor_keys,
    keyset_of,
    next_cursor,
    order_parameter,
    search_parameter,
)
from apps.api.http.paging import Paged, Span, page_response, split_page
from apps.api.http.views import SimulationView
from apps.api.resources.conversations.presentation import UtteranceRecord, show_utterance
from apps.dialogue import history


class UtteranceFilters(Paged, Span, Formed):
    """Which utterances, in which order."""

    agent = Slug(required=False, help_text="Only those of this speaker.")
    conversation = serializers.RegexField(
        history.CONVERSATION_ID,
        required=False,
        error_messages={"invalid": "write the id of a conversation: 4933/isabella-rodriguez"},
        help_text='Only those of this conversation: "4933/isabella-rodriguez".',
    )
    search = search_parameter("text")
    order = order_parameter("tick", default="tick")


class Utterances(Downloadable, SimulationView):
    """The utterances of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = UtteranceFilters

    @extend_schema(
        operation_id="listUtterances",
        summary="Everything that was said, in the order of tick and speaker",
        tags=["town"],
        parameters=[UtteranceFilters, DISPOSITION],
        responses=listed_or_downloaded(UtteranceRecord),
    )
    def get(self, request: Request, **_names: str) -> Response | Download:
        """List the utterances of all conversations."""
        reading, asked = self.reading, self.asked
        reading.refuse_stranger(asked.get("agent"))
        keyset = keyset_of(asked["order"], tick=("tick", "agent"))
        rows = history.list_utterances(
            reading.id,
            as_of_tick=reading.as_of_tick,
            agent=asked.get("agent"),
            conversation=asked.get("conversation"),
            from_tick=asked.get("from"),
            to_tick=asked.get("to"),
            search=asked.get("search"),
        )
        rows = keyset.sort(keyset.behind(rows, cursor_keys(self, int, str)))
        if self.line_form:
            return self.download(
                rows,
                UtteranceRecord,
                lambda row: show_utterance(row, reading),
                name="utterances",
            )
        page, more = split_page(rows, asked["limit"])
        results = UtteranceRecord([show_utterance(row, reading) for row in page], many=True)
        next_page = next_cursor(self, page[-1].tick, page[-1].agent) if more else None
        return page_response(request, results.data, next_page=next_page)
