"""Bases of the rows of agents in simulations."""

from typing import ClassVar

from django.db import models

from apps.lineage.history_rows import CopiedOnWrite, HistoryRow
from apps.lineage.inheritance import Inheritance


class RowOfAgent(HistoryRow):
    """A row of one agent of one simulation."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")

    class Meta:
        """A base without a table."""

        abstract = True


class ValidRowOfAgent(CopiedOnWrite, RowOfAgent):
    """A row that is valid in [from_tick, to_tick), without an end while it is current."""

    inheritance: ClassVar = Inheritance(
        begins="from_tick", set_later={"to_tick": {}}, ends="to_tick"
    )

    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """A base without a table."""

        abstract = True

    def __str__(self) -> str:
        """Return the agent and the ticks."""
        return f"{self.agent} from {self.from_tick} to {self.to_tick}"
