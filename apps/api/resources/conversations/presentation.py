"""The representations of conversations, utterances and commitments."""

from typing import Any

from rest_framework import serializers

from apps.agents import queries as agent_queries
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, GameTime, Renaming, Tick
from apps.api.http.simulation_context import SimulationContext, clock_at
from apps.api.resources.memories import KINDS
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind

PEOPLE_PER_TALK = 2


class Talk(Renaming):
    """A conversation, as a list shows it."""

    id = serializers.CharField(
        help_text='Tick and speaker of the first utterance: "tick/slug".'
    )
    opened_by = serializers.CharField(help_text="A slug.")
    participants = serializers.ListField(
        child=serializers.CharField(),
        help_text="Slugs of the first speaker and of the agent addressed.",
    )
    from_ = GameTime(**deprecated_name_of("start_at"))
    ended = GameTime(allow_null=True, **deprecated_name_of("end_at"))
    open = serializers.BooleanField()
    words = serializers.IntegerField(min_value=1, **deprecated_name_of("utterance_count"))
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

    at = GameTime(**deprecated_name_of("time"))
    by = serializers.CharField(**deprecated_name_of("agent"))


class TalkMemory(serializers.Serializer[Any]):
    """A memory of the conversation."""

    id = serializers.IntegerField(min_value=1)
    kind = Choice(choices=KINDS)
    description = serializers.CharField()
    event = serializers.CharField()


class TalkSide(Renaming):
    """The conversation as one of them had it, from their first word on."""

    agent = serializers.CharField(help_text="A slug.")
    from_ = GameTime(**deprecated_name_of("start_at"))
    ended = GameTime(allow_null=True, **deprecated_name_of("end_at"))
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


def _talk(row: Any, context: SimulationContext) -> dict[str, Any]:
    is_over = not row.is_open and row.ended_tick is not None
    return {
        "id": row.conversation,
        "opened_by": row.agent,
        "participants": [row.agent, row.other],
        **context.moment("start", row.from_tick),
        **context.moment("end", row.ended_tick if is_over else None),
        "open": row.is_open,
        "utterance_count": row.utterance_count,
    }


def _place(row: Any, context: SimulationContext) -> str:
    """Return the area in which the conversation was opened."""
    actions = agent_queries.actions_between(
        context.id, row.agent, from_tick=row.from_tick, to_tick=row.from_tick
    )
    return actions[-1].area if actions else ""


def show_utterance(said: Any, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `UtteranceRecord`."""
    return {
        "event": said.event,
        **clock_at(context.calendar, said.tick),
        "conversation": said.conversation,
        "agent": said.agent,
        "to": said.to,
        "text": said.text,
        "ends": said.ends,
        "memories": said.memories,
    }


def _side(side: Any, context: SimulationContext) -> dict[str, Any]:
    is_over = side.to_tick is not None and side.to_tick <= context.as_of_tick
    return {
        "agent": side.agent,
        **context.moment("start", side.from_tick),
        **context.moment("end", side.to_tick if is_over else None),
        "why": side.why if is_over else None,
        "remembers": _kept(side, context) if is_over else [],
    }


def _kept(side: Any, context: SimulationContext) -> list[dict[str, Any]]:
    """Return the memories formed at its end, except observations."""
    formed = memory_queries.formed_then(
        context.id, side.agent, tick=side.to_tick, subject=side.other
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
