"""Lists of conversations, with participants, utterances, commitments and acquaintances."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import (
    CharField,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Concat

from apps.agents.models import SeenAgentRow
from apps.dialogue.models import CommitmentRow, TalkRow, UtteranceRow
from apps.dialogue.queries import utterance_rows
from apps.django_support.text_search import contains
from apps.kernel.errors import NotFound
from apps.memory.earlier_memories import memories_about_others
from apps.memory.queries import related_pairs

# The form of `rules.conversation_id`.
CONVERSATION_ID = re.compile(r"^[0-9]{1,10}/[a-z0-9-]{1,120}$")


Pairs = frozenset[tuple[str, str]]


class ConversationUnknown(NotFound):
    """There is no conversation of that id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationCount:
    """The conversations of an agent with another one, and the last tick of the latest."""

    conversations: int
    last_tick: int


def list_conversations(
    simulation_id: UUID,
    *,
    as_of_tick: int,
    agents: Sequence[str] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    is_open: bool | None = None,
    search: str | None = None,
) -> QuerySet[TalkRow]:
    """Return the conversations as the rows of their first speakers, without an order.

    Annotated with `utterance_count`, `ended_tick` (None until an agent has left) and
    `is_open` (an agent is in it). The filters: all of `agents` take part, opened in
    [from_tick, to_tick), open or not, `search` in an utterance. (from_tick, agent) identifies
    a conversation.
    """
    rows = _openings(simulation_id, as_of_tick)
    for agent in agents:
        said = UtteranceRow.objects.filter(
            Q(agent=agent) | Q(participants__contains=[agent]),
            simulation_id=simulation_id,
            conversation=OuterRef("conversation"),
            tick__lte=as_of_tick,
        )
        rows = rows.filter(Q(agent=agent) | Q(other=agent) | Exists(said))
    if from_tick is not None:
        rows = rows.filter(from_tick__gte=from_tick)
    if to_tick is not None:
        rows = rows.filter(from_tick__lt=to_tick)
    if is_open is not None:
        rows = rows.filter(Q(is_open=is_open))
    if search is not None:
        spoken = UtteranceRow.objects.filter(
            contains(search, "text"),
            simulation_id=simulation_id,
            conversation=OuterRef("conversation"),
            tick__lte=as_of_tick,
        )
        rows = rows.filter(Exists(spoken))
    return rows


def list_utterances(
    simulation_id: UUID,
    *,
    as_of_tick: int,
    agent: str | None = None,
    conversation: str | None = None,
    from_tick: int | None = None,
    to_tick: int | None = None,
    search: str | None = None,
) -> QuerySet[UtteranceRow]:
    """Return the utterances up to the end of a tick, without an order.

    The filters: one speaker, one conversation, [from_tick, to_tick), `search` in the text.
    (tick, agent) identifies an utterance.
    """
    rows = utterance_rows(
        simulation_id,
        agent=agent,
        conversation=conversation,
        tick__gte=from_tick,
        tick__lt=to_tick,
        tick__lte=as_of_tick,
    )
    return rows if search is None else rows.filter(contains(search, "text"))


def get_conversation(simulation_id: UUID, conversation: str, *, as_of_tick: int) -> TalkRow:
    """Return the conversation as `list_conversations` does.

    :raises ConversationUnknown: if there is none of that id as of the tick.
    """
    is_id = CONVERSATION_ID.fullmatch(conversation)
    rows = _openings(simulation_id, as_of_tick).filter(conversation=conversation)
    row = rows.first() if is_id else None
    if row is None:
        raise ConversationUnknown(
            f"there is no conversation {conversation[:140]!r}; GET …/conversations lists them"
        )
    return row


def participants_of(
    simulation_id: UUID, conversation: str, *, as_of_tick: int
) -> list[TalkRow]:
    """Return the parts of the agents that have spoken in a conversation, in order."""
    rows = TalkRow.objects.filter(
        simulation_id=simulation_id, conversation=conversation, from_tick__lte=as_of_tick
    )
    return list(rows.order_by("from_tick", "agent"))


def members_of(
    simulation_id: UUID, conversations: Sequence[str], *, as_of_tick: int
) -> dict[str, list[str]]:
    """Return the agents that have spoken or been spoken to in each conversation, in order."""
    rows = utterance_rows(simulation_id, conversation__in=conversations, tick__lte=as_of_tick)
    members: dict[str, dict[str, None]] = {}
    for agent, to, participants, conversation in rows.order_by("tick", "agent").values_list(
        "agent", "to", "participants", "conversation"
    ):
        found = members.setdefault(conversation, {})
        found.update(dict.fromkeys((agent, to, *participants)))
    return {conversation: list(found) for conversation, found in members.items()}


def commitments_of(
    simulation_id: UUID, conversation: str, *, as_of_tick: int
) -> list[CommitmentRow]:
    """Return the agreed and declined activities of a conversation, in order."""
    rows = CommitmentRow.objects.filter(
        simulation_id=simulation_id, conversation=conversation, tick__lte=as_of_tick
    )
    return list(rows.order_by("tick", "agent", "pk"))


def count_conversations(
    simulation_id: UUID, *, as_of_tick: int
) -> dict[tuple[str, str], ConversationCount]:
    """Return the conversations of each pair (speaker, other), where there are any."""
    rows = (
        TalkRow.objects.filter(simulation_id=simulation_id, from_tick__lte=as_of_tick)
        .values("agent", "other")
        .annotate(
            conversations=Count("pk"),
            begun=Max("from_tick"),
            over=Max("to_tick", filter=Q(to_tick__lte=as_of_tick)),
            open=Count("pk", filter=Q(to_tick=None) | Q(to_tick__gt=as_of_tick)),
        )
        .order_by()
    )
    return {
        (row["agent"], row["other"]): ConversationCount(
            conversations=row["conversations"],
            last_tick=as_of_tick if row["open"] else max(row["begun"], row["over"] or 0),
        )
        for row in rows
    }


def pairs_that_met(simulation_id: UUID, *, as_of_tick: int) -> tuple[Pairs, Pairs]:
    """Return the pairs of agents that have met, and those that have talked (E4).

    Each pair is in both directions. Two agents have met if one has said something to the
    other; they have talked if both have in one conversation.
    """
    rows = utterance_rows(simulation_id, tick__lte=as_of_tick)
    said = {
        (conversation, agent, other)
        for agent, to, participants, conversation in rows.order_by().values_list(
            "agent", "to", "participants", "conversation"
        )
        for other in {to, *participants} - {agent, ""}
    }
    met = {(agent, other) for _, agent, other in said}
    talked = {(agent, other) for talk, agent, other in said if (talk, other, agent) in said}
    return frozenset(met | {(other, agent) for agent, other in met}), frozenset(talked)


def _openings(simulation_id: UUID, as_of_tick: int) -> QuerySet[TalkRow]:
    """Return the rows of first speakers, whose slug and tick are in the conversation id."""
    same = {
        "simulation_id": simulation_id,
        "conversation": OuterRef("conversation"),
    }
    parts = TalkRow.objects.filter(from_tick__lte=as_of_tick, **same)
    ended = parts.filter(to_tick__lte=as_of_tick)
    utterances = UtteranceRow.objects.filter(tick__lte=as_of_tick, **same)
    return TalkRow.objects.filter(
        simulation_id=simulation_id,
        from_tick__lte=as_of_tick,
        conversation=Concat(
            Cast("from_tick", CharField()), Value("/"), F("agent"), output_field=CharField()
        ),
    ).annotate(
        utterance_count=Subquery(
            utterances.values("conversation").order_by().annotate(n=Count("pk")).values("n"),
            output_field=IntegerField(),
        ),
        ended_tick=Subquery(
            ended.values("conversation").order_by().annotate(n=Max("to_tick")).values("n"),
            output_field=IntegerField(),
        ),
        is_open=Exists(parts.filter(Q(to_tick=None) | Q(to_tick__gt=as_of_tick))),
    )


def list_commitments(simulation_id: UUID, *, as_of_tick: int) -> QuerySet[CommitmentRow]:
    """Return what agents have agreed to or declined by the end of the tick, in order.

    Each side of an agreement has a row; `CommitmentRow.outcome_at` says what became of it.
    """
    rows = CommitmentRow.objects.filter(simulation_id=simulation_id, tick__lte=as_of_tick)
    return rows.order_by("tick", "pk")


def acquaintances(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> dict[str, Collection[tuple[str, str]]]:
    """Return the pairs (agent, other) of the agents by the kind of acquaintance.

    `names` are those of the agents by slug.
    """
    met, talked = (
        {pair for pair in pairs if names.keys() >= set(pair)}
        for pairs in pairs_that_met(simulation_id, as_of_tick=as_of_tick)
    )
    return {
        "remembered": memories_about_others(simulation_id, names, as_of_tick=as_of_tick).keys(),
        "sighted": _sighted_pairs(simulation_id, names, as_of_tick),
        "met": met,
        "talked": talked,
        "related": related_pairs(simulation_id, names, as_of_tick=as_of_tick).keys(),
    }


def _sighted_pairs(simulation_id: UUID, agents: Collection[str], as_of_tick: int) -> Pairs:
    """Return the pairs (agent, other) in which the agent has perceived the other one."""
    rows = SeenAgentRow.objects.filter(
        simulation_id=simulation_id,
        agent__in=agents,
        subject__in=agents,
        from_tick__lte=as_of_tick,
    )
    return frozenset(rows.order_by().values_list("agent", "subject").distinct())
