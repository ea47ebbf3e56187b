"""The rows of lasting facts."""

from typing import ClassVar

from django.db import models

from apps.lineage.history_rows import ValidRowOfAgent, index_of_copies


class FactRow(ValidRowOfAgent):
    """A version of a lasting fact, valid in [from_tick, to_tick), None while it is current."""

    number = models.IntegerField()
    kind = models.CharField(max_length=20)
    other = models.CharField(max_length=120, db_collation="C")
    tie = models.CharField(max_length=20)
    standing = models.CharField(max_length=20)
    statements = models.JSONField()
    opinion = models.TextField()
    evidence = models.JSONField()
    source = models.CharField(max_length=20)
    until = models.CharField(max_length=19)

    class Meta:
        """One row for each fact and tick."""

        verbose_name = "lasting fact"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "number", "from_tick"], name="fact_identity"
            )
        ]
        indexes: ClassVar = [index_of_copies("fact_copies")]
