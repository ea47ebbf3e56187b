"""Memory streams: what a person remembers, listed and filtered, and one memory."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import AgentView
from apps.api.downloads import (
    DISPOSITION,
    Download,
    Downloadable,
    Formed,
    listed_or_downloaded,
)
from apps.api.fields import INTEGER_MAX, Choice, GameTime, MomentParameter
from apps.api.paging import (
    Paged,
    decode_cursor,
    encode_cursor,
    page_response,
    split_page,
)
from apps.api.reading import Reading
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


class OneMemoryWithEvent(Memory):
    """A memory, with the event that formed it."""

    event = serializers.CharField()


class MemoryFilters(Paged, Formed):
    """Which memories, in which order."""

    kind = serializers.ListField(
        child=Choice(choices=KINDS),
        required=False,
        max_length=len(KINDS),
        help_text="One or more, repeated: kind=plan&kind=observation.",
    )
    from_ = MomentParameter(required=False)
    to = MomentParameter(required=False)
    order = Choice(
        choices=[order.value for order in MemoryOrder],
        default=MemoryOrder.NEWEST.value,
        help_text="In which order.",
    )


class Memories(Downloadable, AgentView):
    """A person's memory stream."""

    query = MemoryFilters

    @extend_schema(
        operation_id="listMemories",
        summary="What a person remembers; the newest first, unless asked otherwise",
        tags=["minds"],
        parameters=[MemoryFilters, DISPOSITION],
        responses=listed_or_downloaded(Memory),
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response | Download:
        """List the memories."""
        reading, asked = self.reading, self.asked
        # All pages show the stream as it was when the first one was asked for.
        as_of_tick, after = reading.as_of_tick, None
        cursor = decode_cursor(asked.get("cursor"), int, int)
        if cursor is not None:
            as_of_tick, after = min(cursor[0], as_of_tick), cursor[1]
        rows = memory_queries.list_memories(
            reading.id,
            agent,
            as_of_tick=as_of_tick,
            kinds=[MemoryKind(kind) for kind in asked.get("kind", ())],
            from_tick=asked.get("from"),
            to_tick=asked.get("to"),
            order=MemoryOrder(asked["order"]),
            after=after,
        )
        if self.line_form:
            return self.download(
                rows, Memory, lambda row: _memory(row, reading), name=f"memories-of-{agent}"
            )
        page, more = split_page(rows, asked["limit"])
        shown = [_memory(row, reading) for row in page]
        next_page = {"cursor": encode_cursor(as_of_tick, page[-1].number)} if more else None
        return page_response(request, Memory(shown, many=True).data, next_page=next_page)


class OneMemory(AgentView):
    """A memory."""

    @extend_schema(
        operation_id="getMemory",
        summary="One memory, with the event that formed it",
        tags=["minds"],
        responses={200: OneMemoryWithEvent},
    )
    def get(self, _request: Request, agent: str, number: str, **_names: str) -> Response:
        """Show the memory."""
        reading = self.reading
        row = memory_queries.memory(
            reading.id, agent, _number_of(number, agent), as_of_tick=reading.as_of_tick
        )
        shown = _memory(row, reading) | {"event": row.event_id}
        return Response(OneMemoryWithEvent(shown).data)


def memory_fields(memory: Any, *, number: int, reading: Reading) -> dict[str, Any]:
    """Return what a listed and a ranked memory show alike."""
    retrieved = memory.last_retrieved_tick
    return {
        "id": number,
        "kind": str(memory.kind),
        "description": memory.description,
        "created_at": reading.time_at(memory.formed_tick),
        "last_retrieved_at": None if retrieved is None else reading.time_at(retrieved),
        "importance": memory.importance,
        "evidence": memory.evidence,
        "subject": memory.subject,
    }


def _memory(row: Any, reading: Reading) -> dict[str, Any]:
    return memory_fields(row, number=row.number, reading=reading)


def _number_of(text: str, agent: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS_MAX:
        number = int(text)
        if 1 <= number <= INTEGER_MAX:
            return number
    raise MemoryUnknown(f"{agent} has no memory {text[:40]!r}; its id is a whole number from 1")
