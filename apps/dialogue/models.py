"""Rows of utterances, of parts in conversations and of commitments, and their projection."""

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar

from django.db import models

from apps.dialogue.events import (
    ADDRESSEE_CHARACTERS_MAX,
    Agreed,
    AgreementEnded,
    Declined,
    Overheard,
    Promised,
    PromiseEnded,
    Said,
    TalkEnded,
    Told,
)
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, insert, inserting, row_of
from apps.lineage.history_rows import (
    CopiedOnWrite,
    HistoryQuerySet,
    RowOfAgent,
    ValidRowOfAgent,
    index,
    index_of_copies,
    unique,
)
from apps.lineage.views import Inheritance


class UtteranceRow(RowOfAgent):
    """An utterance of `agent` to `to` at `tick`; `event` is the id of its event."""

    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    number = models.IntegerField()
    to = models.CharField(max_length=120, db_collation="C")
    text = models.TextField()
    ends = models.BooleanField()
    memories = models.JSONField()
    participants = models.JSONField(default=list)
    by_phone = models.BooleanField(default=False)
    intent = models.TextField(blank=True, default="")
    leaves = models.BooleanField(default=False)
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by speaker and tick; read by conversation and by tick."""

        verbose_name = "utterance"
        constraints: ClassVar = [unique("utterance_identity", "agent", "tick")]
        indexes: ClassVar = [
            index("utterance_in_talk", "conversation", "tick"),
            index("utterance_by_tick", "tick"),
        ]


class TalkRow(ValidRowOfAgent):
    """The part of an agent in a conversation, from its first utterance until it leaves.

    `to_tick` is the first tick at whose end the agent has left, None before. An agent that
    has heard a single utterance, which wants no answer, has a part that ends as it begins.
    `heard_by` are other agents that were near enough to hear its end, `told` the numbers of the
    agent's memories of the news that it has told.
    """

    inheritance: ClassVar = Inheritance(
        begins="from_tick",
        set_later={"to_tick": {"why": "''", "heard_by": "'[]'::jsonb", "told": "'[]'::jsonb"}},
    )

    conversation = models.CharField(max_length=140, db_collation="C")
    other = models.CharField(max_length=120, db_collation="C")
    why = models.TextField(blank=True, default="")
    by_phone = models.BooleanField(default=False)
    heard_by = models.JSONField(default=list)
    told = models.JSONField(default=list)

    class Meta:
        """Unique by agent and conversation."""

        verbose_name = "talk"
        constraints: ClassVar = [unique("talk_identity", "agent", "conversation")]
        indexes: ClassVar = [
            index("talk_of_agent", "agent", "from_tick"),
            index_of_copies("talk_copies"),
        ]


class OverheardRow(RowOfAgent):
    """Utterances that `agent` overheard in a conversation of others at `tick`.

    `utterances` are the ids of their events; with `is_over` it hears no more of it.
    """

    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    utterances = models.JSONField()
    is_over = models.BooleanField()
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by event; those of conversations that go on are read in every turn."""

        verbose_name = "overheard conversation"
        constraints: ClassVar = [unique("overheard_identity", "event")]
        indexes: ClassVar = [index("overheard_of_agent", "agent", "tick")]


class CommitmentRow(CopiedOnWrite, RowOfAgent):
    """An activity that an agent agreed to, declined or cancelled in a conversation.

    `superseded_tick` is the tick in which the agent changed or cancelled it, None before;
    `ended_tick` is the tick in which its end was recorded, None before; `outcome` is as in
    AgreementEnded.
    """

    inheritance: ClassVar = Inheritance(
        begins="tick", set_later={"superseded_tick": {}, "ended_tick": {"outcome": "''"}}
    )

    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    other = models.CharField(max_length=120, db_collation="C")
    activity = models.TextField()
    declined = models.BooleanField()
    place = models.TextField(blank=True, default="")
    node = models.TextField(blank=True, default="")
    day = models.CharField(max_length=10, blank=True, default="")
    from_minute = models.IntegerField(null=True)
    to_minute = models.IntegerField(null=True)
    cancelled = models.BooleanField(default=False)
    besides = models.JSONField(default=list)
    superseded_tick = models.IntegerField(null=True)
    ended_tick = models.IntegerField(null=True)
    outcome = models.CharField(max_length=20, blank=True, default="")
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by event."""

        verbose_name = "commitment"
        constraints: ClassVar = [unique("commitment_identity", "event")]
        indexes: ClassVar = [
            index("commitment_of_agent", "agent", "tick"),
            index_of_copies("commitment_copies"),
        ]

    def outcome_at(self, tick: int) -> str:
        """Return what became of it by the end of the tick; "open" for nothing yet.

        That is "declined", "cancelled", "changed", or an outcome of AgreementEnded.
        """
        if self.declined or self.cancelled:
            return "declined" if self.declined else "cancelled"
        if self.ended_tick is not None and self.ended_tick <= tick:
            return self.outcome
        is_changed = self.superseded_tick is not None and self.superseded_tick <= tick
        return "changed" if is_changed else "open"


class PromiseRow(CopiedOnWrite, RowOfAgent):
    """A promise of `agent` to `other` to pass something on to `to`, which is as in Promised.

    `ended_tick` is the tick in which it was kept or dropped, None before; `outcome` is as in
    PromiseEnded.
    """

    inheritance: ClassVar = Inheritance(
        begins="tick", set_later={"ended_tick": {"outcome": "''"}}
    )

    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    other = models.CharField(max_length=120, db_collation="C")
    what = models.TextField()
    to = models.CharField(
        max_length=ADDRESSEE_CHARACTERS_MAX, blank=True, default="", db_collation="C"
    )
    memory = models.IntegerField()
    ended_tick = models.IntegerField(null=True)
    outcome = models.CharField(max_length=20, blank=True, default="")
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by event; the open ones of an agent are read in every turn."""

        verbose_name = "promise"
        constraints: ClassVar = [unique("promise_identity", "event")]
        indexes: ClassVar = [
            index("promise_of_agent", "agent", "tick"),
            index_of_copies("promise_copies"),
        ]


def _said(event: Said, recorded: Recorded) -> None:
    insert(UtteranceRow, recorded)
    # An agent is in a conversation from its first utterance on.
    _part(recorded, event.conversation).copy_inherited()
    part = row_of(TalkRow, recorded, event, other=event.to)
    TalkRow.objects.bulk_create([part], ignore_conflicts=True)


def _ended(event: TalkEnded, recorded: Recorded) -> None:
    ended = {"to_tick": recorded.tick, "why": event.why, "heard_by": list(event.heard_by)}
    if not _part(recorded, event.conversation).update(**ended):
        # An agent that has only listened gets its row now.
        insert(TalkRow, recorded, to_tick=recorded.tick)


def _told(event: Told, recorded: Recorded) -> None:
    _part(recorded, event.conversation).update(told=list(event.memories))


def _part(recorded: Recorded, conversation: str) -> HistoryQuerySet[TalkRow]:
    """Return the row of the agent's part in a conversation, if there is one."""
    return TalkRow.objects.get_queryset().filter(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        conversation=conversation,
    )


def _agreed(event: Agreed, recorded: Recorded) -> None:
    insert(CommitmentRow, recorded, declined=False)
    if event.replaces:
        replaced = agent_rows(
            CommitmentRow, recorded, event=event.replaces, superseded_tick=None
        )
        replaced.update(superseded_tick=recorded.tick)


def _declined(_event: Declined, recorded: Recorded) -> None:
    insert(CommitmentRow, recorded, declined=True)


def _agreement_ended(event: AgreementEnded, recorded: Recorded) -> None:
    _end(CommitmentRow, recorded, event.agreements, event.outcome)


def _promise_ended(event: PromiseEnded, recorded: Recorded) -> None:
    _end(PromiseRow, recorded, [event.promise], event.outcome)


def _end(
    model: type[CommitmentRow] | type[PromiseRow],
    recorded: Recorded,
    events: Sequence[str],
    outcome: StrEnum,
) -> None:
    """Record the end of the agent's rows of the earlier events."""
    rows = agent_rows(model, recorded, event__in=events, ended_tick=None)
    rows.update(ended_tick=recorded.tick, outcome=outcome.value)


CONVERSATIONS = Projection(
    models=(UtteranceRow, TalkRow, OverheardRow, CommitmentRow, PromiseRow),
    handlers={
        Said: _said,
        TalkEnded: _ended,
        Overheard: inserting(OverheardRow),
        Agreed: _agreed,
        Declined: _declined,
        AgreementEnded: _agreement_ended,
        Promised: inserting(PromiseRow),
        PromiseEnded: _promise_ended,
        Told: _told,
    },
)
