"""The row of a reflection: its questions and insights."""

from typing import ClassVar

from django.db import models


class ReflectionRow(models.Model):
    """One reflection of one agent; it never changes. Its insights are memories too (R3).

    `insights` and `dropped` are as the event has them; `ordinal` is its place within the
    turn.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    tick = models.IntegerField()
    ordinal = models.IntegerField()
    importance = models.IntegerField()
    questions = models.JSONField(default=list)
    insights = models.JSONField(default=list)
    dropped = models.JSONField(default=list)

    class Meta:
        """One for each agent and tick; the index finds the latest reflection."""

        verbose_name = "reflection"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "tick"], name="reflection_identity"
            )
        ]

    def __str__(self) -> str:
        """Return agent and tick."""
        return f"{self.agent} at {self.tick}"

    @property
    def event_id(self) -> str:
        """The identity of the event that says it: "5120/klaus-mueller/2"."""
        return f"{self.tick}/{self.agent}/{self.ordinal}"
