"""Rows of embodiments: who acts for whom, what was asked, and what came of it."""

from typing import ClassVar

from django.db import models


class EmbodimentRow(models.Model):
    """A user acts for a person in the ticks [from_tick, to_tick); written by the commands."""

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
        """Numbered in each simulation; read by person."""

        verbose_name = "embodiment"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "number"], name="embodiment_identity"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "from_tick"], name="embodiment_of_agent"
            )
        ]

    def __str__(self) -> str:
        """Return who acts for whom and since when."""
        return f"{self.by} as {self.agent} from {self.from_tick} to {self.to_tick}"


class CallRow(models.Model):
    """Something asked of a person whom a user acts for; written by the commands.

    `event` is its identity in the log, `ordinal` the last part of that.
    """

    simulation_id = models.UUIDField()
    event = models.CharField(max_length=160, db_collation="C")
    tick = models.IntegerField()
    ordinal = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    embodiment = models.IntegerField()
    kind = models.CharField(max_length=8)
    body = models.JSONField()
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")

    class Meta:
        """One an event; read by person in the order that they take effect."""

        verbose_name = "call"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "event"], name="call_identity")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "tick", "ordinal"], name="call_of_agent"
            )
        ]

    def __str__(self) -> str:
        """Return what was asked of whom."""
        return f"{self.agent} at {self.tick}: {self.kind}"


class AnswerRow(models.Model):
    """What a person made of a call at a tick; written by their own stream."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    call = models.CharField(max_length=160, db_collation="C")
    tick = models.IntegerField()
    outcome = models.CharField(max_length=8)
    code = models.CharField(max_length=40, blank=True, default="")
    why = models.TextField(blank=True, default="")

    class Meta:
        """One a call and outcome."""

        verbose_name = "answer to a call"
        verbose_name_plural = "answers to calls"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "call", "outcome"], name="answer_identity"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "agent", "tick"], name="answer_of_agent")
        ]

    def __str__(self) -> str:
        """Return what came of which call."""
        return f"{self.call}: {self.outcome}"
