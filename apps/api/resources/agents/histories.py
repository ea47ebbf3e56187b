"""An agent's timeline of actions, and the part of the world that it knows."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents import queries as agent_queries
from apps.api.http import downloads, listing
from apps.api.http.fields import MomentParameter
from apps.api.http.paging import Paged, TimeRange, page_of_items, page_response, split_page
from apps.api.http.simulation_views import AgentView
from apps.api.resources.agents.presentation import (
    KnownNode,
    TimelineEntry,
    show_known,
    show_past_action,
)
from apps.django_support.text_search import contains


class PlaceFilters(Paged):
    """Which known places, in which order."""

    search = listing.search_parameter("path, state last seen")
    order = listing.order_parameter("path", default="path")


class TimelineFilters(Paged, TimeRange, downloads.FormatParameter):
    """Which actions, in which order."""

    from_ = MomentParameter(
        required=False,
        help_text="Only those that had not ended by this moment: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick.",
    )
    search = listing.search_parameter("description, area, object")
    order = listing.order_parameter("start_at", default="start_at")


class KnownPlaces(AgentView):
    """The part of the world that an agent knows."""

    query = PlaceFilters

    @extend_schema(
        operation_id="listKnownPlaces",
        summary="The places, areas and objects that an agent knows, by path",
        tags=["people"],
        responses={200: page_of_items(KnownNode)},
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response:
        """List what the agent knows."""
        context, requested = self.context, self.parameters
        known = [
            place
            for place in agent_queries.known_places(
                context.id, agent, as_of_tick=context.as_of_tick
            )
            if listing.contains_text(requested.get("search"), place.node, place.state)
        ]
        after = listing.cursor_keys(self, str)
        rest = listing.page_of(
            known, lambda place: (place.node,), order=requested["order"], after=after
        )
        page, more = split_page(rest, requested["limit"])
        shown = [show_known(place, context) for place in page]
        cursor = listing.next_cursor(self, page[-1].node) if more else None
        return page_response(request, KnownNode(shown, many=True).data, next_page=cursor)


class Timeline(downloads.Downloadable, AgentView):
    """An agent's actions."""

    query = TimelineFilters

    @extend_schema(
        operation_id="listTimeline",
        summary="What an agent did, the earliest first unless asked otherwise",
        tags=["people"],
        responses=downloads.page_or_download(TimelineEntry),
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response | downloads.Download:
        """List the actions."""
        context, requested = self.context, self.parameters
        rows = agent_queries.list_actions(
            context.id,
            agent,
            as_of_tick=context.as_of_tick,
            from_tick=requested.get("from"),
            to_tick=requested.get("to"),
        )
        if "search" in requested:
            rows = rows.filter(contains(requested["search"], "description", "area", "object"))
        keyset = listing.keyset_of(requested["order"], start_at=("from_tick",))
        rows = keyset.sort(keyset.behind(rows, listing.cursor_keys(self, int)))
        if self.line_format:
            return self.download(
                rows,
                TimelineEntry,
                lambda row: show_past_action(row, context),
                name=f"timeline-of-{agent}",
            )
        page, more = split_page(rows, requested["limit"])
        shown = [show_past_action(row, context) for row in page]
        cursor = listing.next_cursor(self, page[-1].from_tick) if more else None
        return page_response(request, TimelineEntry(shown, many=True).data, next_page=cursor)
