"""Rows of conversations: what was said, and who was in which conversation when."""

from typing import ClassVar

from django.db import models


class UtteranceRow(models.Model):
    """Something that `agent` said to `to` at `tick`; `event` is its identity in the log."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    number = models.IntegerField()
    to = models.CharField(max_length=120, db_collation="C")
    text = models.TextField()
    ends = models.BooleanField()
    memories = models.JSONField()
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """One a speaker and tick; read by conversation, and by tick when people listen."""

        verbose_name = "utterance"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "tick"], name="utterance_identity"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "conversation", "tick"], name="utterance_in_talk"
            ),
            models.Index(fields=["simulation_id", "tick"], name="utterance_by_tick"),
        ]

    def __str__(self) -> str:
        """Return who said what to whom."""
        return f"{self.agent} to {self.to}: {self.text}"


class TalkRow(models.Model):
    """A person was in a conversation from their first word until it was over for them.

    `to_tick` is the first tick at whose end they are in it no more, None while they are.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    conversation = models.CharField(max_length=140, db_collation="C")
    other = models.CharField(max_length=120, db_collation="C")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)
    why = models.TextField(blank=True, default="")

    class Meta:
        """One a person and conversation."""

        verbose_name = "talk"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "conversation"], name="talk_identity"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "agent", "from_tick"], name="talk_of_agent")
        ]

    def __str__(self) -> str:
        """Return who talks with whom and since when."""
        return f"{self.agent} with {self.other} from {self.from_tick} to {self.to_tick}"


class CommitmentRow(models.Model):
    """Something that a person agreed to do, or declined (`declined`), in a conversation."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    tick = models.IntegerField()
    conversation = models.CharField(max_length=140, db_collation="C")
    other = models.CharField(max_length=120, db_collation="C")
    activity = models.TextField()
    declined = models.BooleanField()
    place = models.TextField(blank=True, default="")
    day = models.CharField(max_length=10, blank=True, default="")
    from_minute = models.IntegerField(null=True)
    to_minute = models.IntegerField(null=True)
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """One an event."""

        verbose_name = "commitment"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "event"], name="commitment_identity"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "agent", "tick"], name="commitment_of_agent")
        ]

    def __str__(self) -> str:
        """Return who agreed to what, or declined it."""
        return f"{self.agent} {'declined' if self.declined else 'agreed'}: {self.activity}"
