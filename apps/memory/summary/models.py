"""The row of a summary description."""

from typing import ClassVar

from django.db import models

from apps.lineage.history_rows import ValidRowOfAgent, index_of_copies


class SelfSummaryRow(ValidRowOfAgent):
    """A summary description, valid in [from_tick, to_tick), None while it is current (S1)."""

    core = models.TextField()
    occupation = models.TextField()
    feeling = models.TextField()
    text = models.TextField()
    due_tick = models.IntegerField()

    class Meta:
        """One row for each agent and tick."""

        verbose_name = "self-summary"
        verbose_name_plural = "self-summaries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "from_tick"], name="self_summary_identity"
            )
        ]
        indexes: ClassVar = [index_of_copies("self_summary_copies")]
