"""Conversations and their utterances, ends and commitments (D2)."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import history
from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import (
    Choice,
    GameTime,
    MomentParameter,
    Serializer,
    SlugParameter,
    Tick,
)
from apps.api.http.lists import Paged, TimeRange, order_parameter, search_parameter
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.views import operation
from apps.history.conversations import (
    CONVERSATION_ID,
    ConversationUnknown,
    commitments_of,
    get_conversation,
    participants_of,
)
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind

AGENTS_PER_CONVERSATION = 2


class Talk(Serializer):
    """A conversation in a list."""

    id = serializers.CharField(
        source="conversation",
        help_text='Tick and speaker of the first utterance: "tick/slug".',
    )
    opened_by = serializers.CharField(source="agent", help_text="A slug.")
    participants = serializers.ListField(
        child=serializers.CharField(),
        help_text="Slugs of all that speak or are spoken to, the first speaker first.",
    )
    open = serializers.BooleanField(source="is_open")
    start_tick = Tick(source="from_tick")
    end_tick = Tick(allow_null=True, help_text="Its end for all agents; null while it goes on.")
    utterance_count = serializers.IntegerField(min_value=1)
    by_phone = serializers.BooleanField(help_text="Whether it is held on the telephone.")


class UtteranceRecord(Serializer):
    """An utterance; the provenance of its event tells why."""

    event = serializers.CharField()
    tick = Tick()
    time = GameTime(source="tick")
    conversation = serializers.CharField(help_text="The id of the conversation.")
    agent = serializers.CharField(help_text="The slug of the speaker.")
    to = serializers.CharField(help_text="The slug of the agent that is to answer.")
    participants = serializers.ListField(
        child=serializers.CharField(),
        help_text="Slugs of all agents that it is said to; empty if it is `to` alone.",
    )
    text = serializers.CharField()
    ends = serializers.BooleanField(help_text="The speaker wanted no reply.")
    leaves = serializers.BooleanField(
        help_text="The speaker goes elsewhere after the conversation."
    )
    by_phone = serializers.BooleanField(help_text="Whether it was said on the telephone.")
    memories = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories in the prompt."
    )


class TalkMemory(Serializer):
    """A memory of the conversation."""

    id = serializers.IntegerField(source="number", min_value=1)
    kind = Choice(choices=MemoryKind)
    description = serializers.CharField()
    event = serializers.CharField(source="event_id")


class TalkSide(Serializer):
    """The part of an agent in the conversation, from its first utterance on."""

    agent = serializers.CharField(help_text="A slug.")
    start_tick = Tick(source="from_tick")
    end_tick = Tick(source="to_tick", only_past=True, allow_null=True)
    why = serializers.CharField(
        allow_null=True, help_text="The reason of its end; null while it goes on."
    )
    remembers = TalkMemory(many=True, help_text="Memories of it that were formed at its end.")


class Commitment(Serializer):
    """An activity that an agent agreed to or declined."""

    agent = serializers.CharField(help_text="A slug.")
    declined = serializers.BooleanField()
    activity = serializers.CharField()
    place = serializers.CharField(help_text="In words; empty for none.")
    day = serializers.CharField(help_text="A date; empty if it was declined.")
    from_minute = serializers.IntegerField(allow_null=True, help_text="From that midnight on.")
    to_minute = serializers.IntegerField(allow_null=True)
    event = serializers.CharField()


class TalkInFull(Talk):
    """A conversation with its utterances."""

    place = serializers.CharField(help_text="The area of its beginning; empty for the street.")
    utterances = UtteranceRecord(many=True)
    sides = TalkSide(many=True)
    commitments = Commitment(many=True)


class ConversationFilters(Paged, AsOf, FormatParameter):
    """The filters and the order of conversations."""

    agent = SlugParameter(required=False, help_text="Only conversations of this agent.")
    between = serializers.ListField(
        child=SlugParameter(),
        required=False,
        min_length=AGENTS_PER_CONVERSATION,
        max_length=AGENTS_PER_CONVERSATION,
        help_text="Two slugs, repeated: between=klaus-mueller&between=maria-lopez.",
    )
    from_ = MomentParameter(required=False, help_text="Only those begun then or later.")
    to = MomentParameter(required=False, help_text="Only those begun before then.")
    open = serializers.BooleanField(required=False, help_text="Whether it still goes on.")
    search = search_parameter("utterances")
    order = order_parameter("start_at")


class Conversations(DownloadableList):
    """The conversations of a simulation."""

    query = ConversationFilters

    @operation(
        "listConversations",
        "/conversations",
        "town",
        page_or_download(Talk),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the conversations of a simulation, by default by their beginning."""
        requested = self.parameters
        agents = list(requested.get("between", ()))
        agents += [requested["agent"]] if "agent" in requested else []
        for slug in agents:
            self.context.require_known_agent(slug)
        rows = history.list_conversations(
            self.context.id,
            as_of_tick=self.context.as_of_tick,
            agents=agents,
            is_open=requested.get("open"),
            **self.filters("from", "to", "search"),
        )
        return self.page(
            rows,
            Talk,
            prepare=lambda page: _with_ends(self.context, page),
            start_at=("from_tick", "agent"),
        )


class OneConversation(SimulationView):
    """A conversation, with its utterances."""

    @operation(
        "getConversation",
        "/conversations/{tick}/{opener}",
        "town",
        TalkInFull,
        errors=(ConversationUnknown,),
    )
    def get(self, request: Request, tick: str, opener: str, **_names: str) -> Response:
        """Show a conversation; its id ends the address."""
        row = conversation_in_full(self.context, f"{tick}/{opener}")
        [row] = _with_ends(self.context, [row])
        return Response(self.represent(TalkInFull, row))


def conversation_in_full(context: SimulationContext, conversation: str) -> Any:
    """Return a conversation with its place, utterances, sides and commitments.

    :raises ConversationUnknown: if there is none of this id.
    """
    tick = context.as_of_tick
    row: Any = get_conversation(context.id, conversation, as_of_tick=tick)
    utterances = history.list_utterances(context.id, as_of_tick=tick, conversation=conversation)
    sides = participants_of(context.id, conversation, as_of_tick=tick)
    row.place = _place(row, context)
    row.utterances = list(utterances.order_by("tick", "agent"))
    row.sides = [_with_memories(side, context) for side in sides]
    row.commitments = commitments_of(context.id, conversation, as_of_tick=tick)
    return row


class UtteranceFilters(Paged, AsOf, TimeRange, FormatParameter):
    """The filters and the order of utterances."""

    agent = SlugParameter(required=False, help_text="Only those of this speaker.")
    conversation = serializers.RegexField(
        CONVERSATION_ID,
        required=False,
        error_messages={"invalid": "write the id of a conversation: 4933/isabella-rodriguez"},
        help_text='Only those of this conversation: "4933/isabella-rodriguez".',
    )
    search = search_parameter("text")
    order = order_parameter("tick")


class Utterances(DownloadableList):
    """The utterances of a simulation."""

    query = UtteranceFilters

    @operation(
        "listUtterances",
        "/utterances",
        "town",
        page_or_download(UtteranceRecord),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the utterances of all conversations, in the order of tick and speaker."""
        self.context.require_known_agent(self.parameters.get("agent"))
        rows = history.list_utterances(
            self.context.id,
            as_of_tick=self.context.as_of_tick,
            **self.filters("agent", "conversation", "from", "to", "search"),
        )
        return self.page(rows, UtteranceRecord, tick=("tick", "agent"))


def _with_ends(context: SimulationContext, page: Iterable[Any]) -> list[Any]:
    """Add the participants, and the end of each conversation that is over for all agents."""
    rows = list(page)
    members = history.members_of(
        context.id, [row.conversation for row in rows], as_of_tick=context.as_of_tick
    )
    for row in rows:
        row.participants = members[row.conversation]
        row.end_tick = None if row.is_open else row.ended_tick
    return rows


def _with_memories(side: Any, context: SimulationContext) -> Any:
    """Add the memories that were formed at the end of a conversation, except observations."""
    side.is_over = side.to_tick is not None and side.to_tick <= context.as_of_tick
    side.remembers = []
    if side.is_over:
        formed = memory_queries.memories_formed_in(
            context.id, side.agent, tick=side.to_tick, subject=side.other
        )
        side.remembers = [one for one in formed if one.kind != MemoryKind.OBSERVATION]
    else:
        side.why = None
    return side


def _place(row: Any, context: SimulationContext) -> str:
    """Return the area in which the conversation was opened."""
    actions = agent_queries.actions_between(
        context.id, row.agent, from_tick=row.from_tick, to_tick=row.from_tick
    )
    return actions[-1].area if actions else ""
