"""Memory streams: of an agent, of all agents, and single memories."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import INTEGER_MAX, Choice, Serializer, SlugParameter, Tick
from apps.api.http.lists import Paged, TimeRange, order_parameter, search_parameter
from apps.api.http.simulation_views import AgentView, AsOf
from apps.api.http.views import operation
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.queries import MemoryOrder, MemoryUnknown

_NUMBER_DIGITS_MAX = 10
PASSING_ON = (
    "On what terms it may be told: empty for everybody, `in confidence`, `not before` and a "
    "game time, or `only to` and names."
)


# The columns of downloads have the order of the fields: a new one is put last.
class Memory(Serializer):
    """A memory; only its retrievals, its repetitions and a provisional importance change."""

    id = serializers.IntegerField(
        source="number", min_value=1, help_text="Counts from 1 in the agent's stream."
    )
    kind = Choice(choices=MemoryKind)
    description = serializers.CharField()
    importance = serializers.IntegerField(
        min_value=1, max_value=10, help_text="Provisional until the memory is rated."
    )
    evidence = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories that it derives from."
    )
    subject = serializers.CharField(
        help_text="The slug or the path of its subject; empty for neither."
    )
    created_tick = Tick(source="formed_tick")
    last_retrieved_tick = Tick(allow_null=True, help_text="Null if it never was.")
    rated = serializers.BooleanField(help_text="Whether its importance has been rated.")
    times = serializers.IntegerField(
        min_value=1, help_text="How often what it describes was perceived or done."
    )
    last_repeated_tick = Tick(allow_null=True, help_text="Null if it never was.")
    origin = serializers.CharField(
        help_text="Its source, such as `description`, `perceived-agent` or `insight`."
    )
    passing_on = serializers.CharField(help_text=PASSING_ON)


class OneMemoryWithEvent(Memory):
    """A memory, with the event that formed it."""

    event = serializers.CharField(source="event_id")


class AgentMemory(Memory):
    """A memory, with its agent."""

    agent = serializers.CharField(help_text="A slug; with `id` it identifies the memory.")


class _Filters(Paged, AsOf, TimeRange, FormatParameter):
    kind = serializers.ListField(
        child=Choice(choices=MemoryKind),
        required=False,
        max_length=len(MemoryKind),
        help_text="One or more, repeated: kind=plan&kind=observation.",
    )
    search = search_parameter("description")


class MemoryFilters(_Filters):
    """The filters and the order of an agent's memories."""

    order = order_parameter(
        "created_at", "importance", "last_retrieved_at", default=MemoryOrder.NEWEST.value
    )


class AllMemoryFilters(_Filters):
    """The filters and the order of the memories of all agents."""

    agent = SlugParameter(required=False, help_text="Only memories of this agent.")
    order = order_parameter("agent", "created_at", "importance")


class _MemoryList(DownloadableList):
    """All pages show the stream as it was when the first one was read."""

    def memory_filters(self) -> dict[str, Any]:
        """Return the requested filters, and the tick as of which the stream is read."""
        return {
            "as_of_tick": self.pin_tick(self.context.as_of_tick),
            "kinds": [MemoryKind(kind) for kind in self.parameters.get("kind", ())],
            **self.filters("from", "to", "search"),
        }


class Memories(_MemoryList, AgentView):
    """The memory stream of an agent."""

    query = MemoryFilters

    @operation("listMemories", "/memories", "minds", page_or_download(Memory))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the memories of an agent, by default the newest first."""
        rows = memory_queries.list_memories(
            self.context.id,
            agent,
            order=MemoryOrder(self.parameters["order"]),
            after=self.last_keys[0] if self.last_keys else None,
            **self.memory_filters(),
        )
        return self.respond(rows, Memory, ("number",))


class AllMemories(_MemoryList):
    """The memory streams of all agents."""

    query = AllMemoryFilters

    @operation(
        "listAllMemories",
        "/memories",
        "minds",
        page_or_download(AgentMemory),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the memories of all agents, by default one stream after the other."""
        agent = self.parameters.get("agent")
        self.context.require_known_agent(agent)
        rows = memory_queries.list_all_memories(
            self.context.id, agent=agent, **self.memory_filters()
        )
        return self.page(
            rows,
            AgentMemory,
            agent=("agent", "number"),
            created_at=("formed_tick", "agent", "number"),
            importance=("importance", "agent", "number"),
        )


class OneMemory(AgentView):
    """A memory of an agent."""

    @operation(
        "getMemory", "/memories/{number}", "minds", OneMemoryWithEvent, errors=(MemoryUnknown,)
    )
    def get(self, request: Request, agent: str, number: str, **_names: str) -> Response:
        """Show a memory, with the event that formed it."""
        row = memory_queries.memory(
            self.context.id,
            agent,
            _number_of(number, agent),
            as_of_tick=self.context.as_of_tick,
        )
        return Response(self.represent(OneMemoryWithEvent, row))


def _number_of(text: str, agent: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS_MAX:
        number = int(text)
        if 1 <= number <= INTEGER_MAX:
            return number
    raise MemoryUnknown(f"{agent} has no memory {text[:40]!r}; its id is a whole number from 1")
