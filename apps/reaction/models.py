"""The rows of decisions about reactions."""

from typing import ClassVar

from django.db import models

from apps.lineage.history_rows import RowOfAgent, index, unique


class WeighedRow(RowOfAgent):
    """A decision of an agent about a subject; `choice` as in its event.

    `decisive` marks the subject of the reaction; `event` is the id of the event.
    """

    subject = models.TextField(db_collation="C")
    tick = models.IntegerField()
    choice = models.CharField(max_length=8)
    decisive = models.BooleanField()
    what = models.TextField(blank=True, default="")
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by agent, subject and event."""

        verbose_name = "weighed perception"
        constraints: ClassVar = [unique("weighed_identity", "agent", "subject", "event")]
        indexes: ClassVar = [index("weighed_of_agent", "agent", "tick")]

    def __str__(self) -> str:
        """Return agent, tick, choice and subject."""
        return f"{self.agent} at {self.tick}: {self.choice} ({self.subject})"
