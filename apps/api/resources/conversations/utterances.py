"""The utterances of a simulation, over all conversations."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.fields import Slug
from apps.api.http.paging import Paged, TimeRange, page_response, split_page
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.conversations.presentation import UtteranceRecord, show_utterance
from apps.dialogue import history


class UtteranceFilters(Paged, TimeRange, downloads.FormatParameter):
    """Which utterances, in which order."""

    agent = Slug(required=False, help_text="Only those of this speaker.")
    conversation = serializers.RegexField(
        history.CONVERSATION_ID,
        required=False,
        error_messages={"invalid": "write the id of a conversation: 4933/isabella-rodriguez"},
        help_text='Only those of this conversation: "4933/isabella-rodriguez".',
    )
    search = listing.search_parameter("text")
    order = listing.order_parameter("tick", default="tick")


class Utterances(downloads.Downloadable, SimulationView):
    """The utterances of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = UtteranceFilters

    @extend_schema(
        operation_id="listUtterances",
        summary="Everything that was said, in the order of tick and speaker",
        tags=["town"],
        responses=downloads.page_or_download(UtteranceRecord),
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List the utterances of all conversations."""
        context, requested = self.context, self.parameters
        context.require_known_agent(requested.get("agent"))
        keyset = listing.keyset_of(requested["order"], tick=("tick", "agent"))
        rows = history.list_utterances(
            context.id,
            as_of_tick=context.as_of_tick,
            agent=requested.get("agent"),
            conversation=requested.get("conversation"),
            from_tick=requested.get("from"),
            to_tick=requested.get("to"),
            search=requested.get("search"),
        )
        rows = keyset.sort(keyset.behind(rows, listing.cursor_keys(self, int, str)))
        if self.line_format:
            return self.download(
                rows,
                UtteranceRecord,
                lambda row: show_utterance(row, context),
                name="utterances",
            )
        page, more = split_page(rows, requested["limit"])
        results = UtteranceRecord([show_utterance(row, context) for row in page], many=True)
        next_page = listing.next_cursor(self, page[-1].tick, page[-1].agent) if more else None
        return page_response(request, results.data, next_page=next_page)
