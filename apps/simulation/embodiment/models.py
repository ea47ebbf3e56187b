"""The rows of embodiments, action requests and outcomes, and their projection.

An action request is a row of `CallRow`, an outcome one of `AnswerRow`; the tables have the
names of the event types in the log.
"""

from typing import ClassVar

from django.db import models

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, insert, inserting
from apps.lineage.history_rows import CopiedOnWrite, HistoryRow, index, index_of_copies, unique
from apps.lineage.views import Inheritance
from apps.simulation.embodiment.events import (
    ActionRequestAnswered,
    ActionRequested,
    EmbodimentBegan,
    EmbodimentEnded,
)

BEGIN, END = "begin", "end"


class EmbodimentRow(CopiedOnWrite, HistoryRow):
    """A user controls an agent in the ticks [from_tick, to_tick); written by the commands."""

    inheritance: ClassVar = Inheritance(
        begins="from_tick",
        set_later={"to_tick": {"ended_by": "''", "ended_reason": "''"}},
    )

    simulation_id = models.UUIDField()
    number = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    is_visitor = models.BooleanField()
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)
    ended_by = models.CharField(max_length=150, blank=True, default="")
    ended_reason = models.TextField(blank=True, default="")

    class Meta:
        """Unique by number in a simulation; read by agent."""

        verbose_name = "embodiment"
        constraints: ClassVar = [unique("embodiment_identity", "number")]
        indexes: ClassVar = [
            index("embodiment_of_agent", "agent", "from_tick"),
            index_of_copies("embodiment_copies"),
        ]


class CallRow(HistoryRow):
    """An action request to an embodied agent; written by the commands.

    `event` is the identity of its event, `ordinal` the last part of that. `kind` is the name of
    the action, or BEGIN or END.
    """

    simulation_id = models.UUIDField()
    event = models.CharField(max_length=160, db_collation="C")
    tick = models.IntegerField()
    ordinal = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    embodiment = models.IntegerField()
    kind = models.CharField(max_length=20)
    body = models.JSONField()
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")

    class Meta:
        """Unique by event; read by agent in the order of effect."""

        verbose_name = "call"
        constraints: ClassVar = [unique("call_identity", "event")]
        indexes: ClassVar = [index("call_of_agent", "agent", "tick", "ordinal")]


class AnswerRow(HistoryRow):
    """The outcome of an action request at a tick; written by the agent's own stream."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    call = models.CharField(max_length=160, db_collation="C")
    tick = models.IntegerField()
    outcome = models.CharField(max_length=8)
    code = models.CharField(max_length=40, blank=True, default="")
    why = models.TextField(blank=True, default="")

    class Meta:
        """Unique by request and outcome."""

        verbose_name = "answer to a call"
        verbose_name_plural = "answers to calls"
        constraints: ClassVar = [unique("answer_identity", "call", "outcome")]
        indexes: ClassVar = [index("answer_of_agent", "agent", "tick")]


def _begin(event: EmbodimentBegan, recorded: Recorded) -> None:
    insert(EmbodimentRow, recorded, number=event.embodiment)
    insert(CallRow, recorded, kind=BEGIN, body={})


def _end(event: EmbodimentEnded, recorded: Recorded) -> None:
    EmbodimentRow.objects.filter(
        simulation_id=recorded.simulation_id, number=event.embodiment
    ).update(to_tick=recorded.tick, ended_by=event.by, ended_reason=event.reason)
    insert(CallRow, recorded, kind=END, body={})


EMBODIMENTS = Projection(
    models=(EmbodimentRow, CallRow, AnswerRow),
    handlers={
        EmbodimentBegan: _begin,
        EmbodimentEnded: _end,
        ActionRequested: inserting(CallRow),
        ActionRequestAnswered: inserting(AnswerRow),
    },
)
