"""Memory streams: of an agent, of all agents, and single memories."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.fields import INTEGER_MAX, Choice, GameTime, Slug, Tick
from apps.api.http.paging import Paged, TimeRange, page_response, split_page
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.django_support.keyset import Keyset
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.queries import MemoryOrder, MemoryUnknown

KINDS = [kind.value for kind in MemoryKind]
_NUMBER_DIGITS_MAX = 10


class Memory(serializers.Serializer[Any]):
    """A memory; it never changes, but for when it was last retrieved (M1)."""

    id = serializers.IntegerField(
        min_value=1, help_text="Counts from 1 in the person's stream."
    )
    kind = Choice(choices=KINDS)
    description = serializers.CharField()
    created_at = GameTime()
    last_retrieved_at = GameTime(allow_null=True, help_text="Null if it never was.")
    importance = serializers.IntegerField(min_value=1, max_value=10)
    evidence = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories that it derives from."
    )
    subject = serializers.CharField(
        help_text="The slug or the path of what it is about; empty for neither."
    )
    created_tick = Tick()
    last_retrieved_tick = Tick(allow_null=True)


class OneMemoryWithEvent(Memory):
    """A memory, with the event that formed it."""

    event = serializers.CharField()


def _kinds() -> serializers.ListField:
    return serializers.ListField(
        child=Choice(choices=KINDS),
        required=False,
        max_length=len(KINDS),
        help_text="One or more, repeated: kind=plan&kind=observation.",
    )


class MemoryFilters(Paged, TimeRange, downloads.FormatParameter):
    """Which memories, in which order."""

    kind = _kinds()
    search = listing.search_parameter("description")
    order = Choice(
        choices=[order.value for order in MemoryOrder],
        default=MemoryOrder.NEWEST.value,
        help_text="By which member, a minus for descending; -created_at if left out.",
    )


class Memories(downloads.Downloadable, AgentView):
    """The memory stream of an agent."""

    query = MemoryFilters

    @extend_schema(
        operation_id="listMemories",
        summary="What a person remembers; the newest first, unless asked otherwise",
        tags=["minds"],
        responses=downloads.page_or_download(Memory),
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response | downloads.Download:
        """List the memories."""
        context, requested = self.context, self.parameters
        # All pages show the stream as it was when the first one was asked for.
        as_of_tick, after = context.as_of_tick, None
        cursor = listing.cursor_keys(self, int, int)
        if cursor is not None:
            as_of_tick, after = min(cursor[0], as_of_tick), cursor[1]
        rows = memory_queries.list_memories(
            context.id,
            agent,
            as_of_tick=as_of_tick,
            kinds=[MemoryKind(kind) for kind in requested.get("kind", ())],
            from_tick=requested.get("from"),
            to_tick=requested.get("to"),
            search=requested.get("search"),
            order=MemoryOrder(requested["order"]),
            after=after,
        )
        if self.line_format:
            return self.download(
                rows, Memory, lambda row: _memory(row, context), name=f"memories-of-{agent}"
            )
        page, more = split_page(rows, requested["limit"])
        shown = [_memory(row, context) for row in page]
        next_page = listing.next_cursor(self, as_of_tick, page[-1].number) if more else None
        return page_response(request, Memory(shown, many=True).data, next_page=next_page)


class AgentMemory(Memory):
    """A memory, with the agent whose it is."""

    agent = serializers.CharField(help_text="A slug; with `id` it identifies the memory.")


class AllMemoryFilters(Paged, TimeRange, downloads.FormatParameter):
    """Which memories of all agents, in which order."""

    agent = Slug(required=False, help_text="Only those of this agent.")
    kind = _kinds()
    search = listing.search_parameter("description")
    order = listing.order_parameter("agent", "created_at", "importance", default="agent")


class AllMemories(downloads.Downloadable, SimulationView):
    """The memory streams of all agents."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = AllMemoryFilters

    @extend_schema(
        operation_id="listAllMemories",
        summary="What all agents remember: by default one stream after the other",
        tags=["minds"],
        responses=downloads.page_or_download(AgentMemory),
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List the memories of all agents, of those that have left as well."""
        context, requested = self.context, self.parameters
        context.require_known_agent(requested.get("agent"))
        keyset = _keyset(requested["order"])
        keys = listing.cursor_keys(
            self, int, *(str if f == "agent" else int for f in keyset.fields)
        )
        as_of_tick = context.as_of_tick if keys is None else min(keys[0], context.as_of_tick)
        rows = memory_queries.list_all_memories(
            context.id,
            as_of_tick=as_of_tick,
            agent=requested.get("agent"),
            kinds=[MemoryKind(kind) for kind in requested.get("kind", ())],
            from_tick=requested.get("from"),
            to_tick=requested.get("to"),
            search=requested.get("search"),
        )
        rows = keyset.sort(keyset.behind(rows, None if keys is None else keys[1:]))
        if self.line_format:
            return self.download(
                rows, AgentMemory, lambda row: _memory_of(row, context), name="memories"
            )
        page, more = split_page(rows, requested["limit"])
        shown = [_memory_of(row, context) for row in page]
        next_page = None
        if more:
            last = (getattr(page[-1], field) for field in keyset.fields)
            next_page = listing.next_cursor(self, as_of_tick, *last)
        return page_response(request, AgentMemory(shown, many=True).data, next_page=next_page)


class OneMemory(AgentView):
    """A memory."""

    errors: ClassVar = {"GET": (MemoryUnknown,)}

    @extend_schema(
        operation_id="getMemory",
        summary="One memory, with the event that formed it",
        tags=["minds"],
        responses={200: OneMemoryWithEvent},
    )
    def get(self, _request: Request, agent: str, number: str, **_names: str) -> Response:
        """Show the memory."""
        context = self.context
        row = memory_queries.memory(
            context.id, agent, _number_of(number, agent), as_of_tick=context.as_of_tick
        )
        shown = _memory(row, context) | {"event": row.event_id}
        return Response(OneMemoryWithEvent(shown).data)


def memory_fields(memory: Any, *, number: int, context: SimulationContext) -> dict[str, Any]:
    """Return what a listed and a ranked memory show alike."""
    return {
        "id": number,
        "kind": str(memory.kind),
        "description": memory.description,
        **context.moment("created", memory.formed_tick),
        **context.moment("last_retrieved", memory.last_retrieved_tick),
        "importance": memory.importance,
        "evidence": memory.evidence,
        "subject": memory.subject,
    }


def _memory(row: Any, context: SimulationContext) -> dict[str, Any]:
    return memory_fields(row, number=row.number, context=context)


def _memory_of(row: Any, context: SimulationContext) -> dict[str, Any]:
    return _memory(row, context) | {"agent": row.agent}


def _keyset(order: str) -> Keyset:
    return listing.keyset_of(
        order,
        agent=("agent", "number"),
        created_at=("formed_tick", "agent", "number"),
        importance=("importance", "agent", "number"),
    )


def _number_of(text: str, agent: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS_MAX:
        number = int(text)
        if 1 <= number <= INTEGER_MAX:
            return number
    raise MemoryUnknown(f"{agent} has no memory {text[:40]!r}; its id is a whole number from 1")
