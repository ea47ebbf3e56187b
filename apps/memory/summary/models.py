"""The row of a summary description."""

from typing import ClassVar

from django.db import models


class SelfSummaryRow(models.Model):
    """A summary description, valid in [from_tick, to_tick), None while it is current (S1)."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    core = models.TextField()
    occupation = models.TextField()
    feeling = models.TextField()
    text = models.TextField()
    due_tick = models.IntegerField()
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """One row for each agent and tick."""

        verbose_name = "self-summary"
        verbose_name_plural = "self-summaries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "from_tick"], name="self_summary_identity"
            )
        ]

    def __str__(self) -> str:
        """Return the agent and the ticks."""
        return f"{self.agent} from {self.from_tick} to {self.to_tick}"
