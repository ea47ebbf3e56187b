"""Conversations of the past: participants, utterances, commitments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar
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

from apps.dialogue.models import CommitmentRow, TalkRow, UtteranceRow
from apps.django_support.keyset import Keyset
from apps.django_support.text_search import contains
from apps.kernel.errors import NotFound

# As `conversation_id` makes them.
CONVERSATION_ID = re.compile(r"^[0-9]{1,10}/[a-z0-9-]{1,120}$")


class ConversationUnknown(NotFound):
    """Nobody has had this conversation."""

    code: ClassVar[str] = "conversation-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """How often an agent has talked with another one and said something itself."""

    conversations: int
    last_tick: int
    is_talking: bool


def list_conversations(  # noqa: PLR0913 (each is a filter of its own)
    simulation_id: UUID,
    *,
    as_of_tick: int,
    people: Sequence[str] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    is_open: bool | None = None,
    search: str | None = None,
    descending: bool = False,
    after: tuple[int, str] | None = None,
) -> QuerySet[TalkRow]:
    """Return the conversations in the order of their opening, as the rows of their openers.

    With `descending` the latest comes first; `search` is looked for in the utterances.
    Annotated with `words` (the number of utterances), `ended_tick` (None until an agent has
    left it) and `stands` (an agent is still in it). Those that all of `people` took part in,
    opened in [from_tick, to_tick); `after` is the tick and opener of the last one of the page
    before.
    """
    rows = _openings(simulation_id, as_of_tick)
    for person in people:
        rows = rows.filter(Q(agent=person) | Q(other=person))
    if from_tick is not None:
        rows = rows.filter(from_tick__gte=from_tick)
    if to_tick is not None:
        rows = rows.filter(from_tick__lt=to_tick)
    if is_open is not None:
        rows = rows.filter(Q(stands=is_open))
    if search is not None:
        spoken = UtteranceRow.objects.filter(
            contains(search, "text"),
            simulation_id=simulation_id,
            conversation=OuterRef("conversation"),
            tick__lte=as_of_tick,
        )
        rows = rows.filter(Exists(spoken))
    keyset = Keyset(fields=("from_tick", "agent"), descending=descending)
    return keyset.sort(keyset.behind(rows, after))


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
    """Return what was said up to the end of a tick, in no order.

    By one agent, in one conversation, in [from_tick, to_tick), containing `search`: all for
    None. (tick, agent) identifies an utterance.
    """
    conditions = {
        "agent": agent,
        "conversation": conversation,
        "tick__gte": from_tick,
        "tick__lt": to_tick,
    }
    inputs = {name: value for name, value in conditions.items() if value is not None}
    rows = UtteranceRow.objects.filter(
        simulation_id=simulation_id, tick__lte=as_of_tick, **inputs
    )
    return rows if search is None else rows.filter(contains(search, "text"))


def get_conversation(simulation_id: UUID, conversation: str, *, as_of_tick: int) -> TalkRow:
    """Return the conversation as `list_conversations` does.

    :raises ConversationUnknown: if there was none of that id by then.
    """
    is_id = CONVERSATION_ID.fullmatch(conversation)
    found = _openings(simulation_id, as_of_tick).filter(conversation=conversation)
    row = found.first() if is_id else None
    if row is None:
        raise ConversationUnknown(
            f"nobody has had a conversation {conversation[:140]!r}; GET …/conversations lists "
            "those there were"
        )
    return row


def words_of(simulation_id: UUID, conversation: str, *, as_of_tick: int) -> list[UtteranceRow]:
    """Return what was said in a conversation up to the end of the tick, in order."""
    rows = UtteranceRow.objects.filter(
        simulation_id=simulation_id, conversation=conversation, tick__lte=as_of_tick
    )
    return list(rows.order_by("tick", "agent"))


def sides_of(simulation_id: UUID, conversation: str, *, as_of_tick: int) -> list[TalkRow]:
    """Return the parts of the agents that have spoken in a conversation."""
    rows = TalkRow.objects.filter(
        simulation_id=simulation_id, conversation=conversation, from_tick__lte=as_of_tick
    )
    return list(rows.order_by("from_tick", "agent"))


def came_of(simulation_id: UUID, conversation: str, *, as_of_tick: int) -> list[CommitmentRow]:
    """Return what was agreed to and declined in a conversation."""
    rows = CommitmentRow.objects.filter(
        simulation_id=simulation_id, conversation=conversation, tick__lte=as_of_tick
    )
    return list(rows.order_by("tick", "agent", "pk"))


def acquaintances(
    simulation_id: UUID, *, as_of_tick: int
) -> dict[tuple[str, str], Acquaintance]:
    """Return the pairs of agents that have talked by then, as (speaker, other)."""
    rows = (
        TalkRow.objects.filter(simulation_id=simulation_id, from_tick__lte=as_of_tick)
        .values("agent", "other")
        .annotate(
            conversations=Count("pk"),
            begun=Max("from_tick"),
            over=Max("to_tick", filter=Q(to_tick__lte=as_of_tick)),
            standing=Count("pk", filter=Q(to_tick=None) | Q(to_tick__gt=as_of_tick)),
        )
        .order_by()
    )
    return {
        (row["agent"], row["other"]): Acquaintance(
            conversations=row["conversations"],
            last_tick=as_of_tick if row["standing"] else max(row["begun"], row["over"] or 0),
            is_talking=bool(row["standing"]),
        )
        for row in rows
    }


def _openings(simulation_id: UUID, as_of_tick: int) -> QuerySet[TalkRow]:
    """Return the rows of the openers of conversations: the id has opener and tick."""
    of_it = TalkRow.objects.filter(
        simulation_id=OuterRef("simulation_id"),
        conversation=OuterRef("conversation"),
        from_tick__lte=as_of_tick,
    )
    said = UtteranceRow.objects.filter(
        simulation_id=OuterRef("simulation_id"),
        conversation=OuterRef("conversation"),
        tick__lte=as_of_tick,
    )
    ended = of_it.filter(to_tick__lte=as_of_tick)
    return TalkRow.objects.filter(
        simulation_id=simulation_id,
        from_tick__lte=as_of_tick,
        conversation=Concat(
            Cast("from_tick", CharField()), Value("/"), F("agent"), output_field=CharField()
        ),
    ).annotate(
        words=Subquery(
            said.values("conversation").order_by().annotate(n=Count("pk")).values("n"),
            output_field=IntegerField(),
        ),
        ended_tick=Subquery(
            ended.values("conversation").order_by().annotate(n=Max("to_tick")).values("n"),
            output_field=IntegerField(),
        ),
        stands=Exists(of_it.filter(Q(to_tick=None) | Q(to_tick__gt=as_of_tick))),
    )
