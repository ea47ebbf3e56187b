"""The rows of plans.

A row is valid in [valid_from_tick, valid_to_tick), without an end while it is current. The
part of a replaced item before `kept_to_tick` remains: the past does not change.
"""

from typing import ClassVar

from django.db import models

from apps.agents.acts import ActKind
from apps.lineage.history_rows import CopiedOnWrite, RowOfAgent, index, index_of_copies, unique
from apps.lineage.views import Inheritance


class PlanItemRow(CopiedOnWrite, RowOfAgent):
    """A chunk of a day, an hour of it, or an action of a few minutes.

    `planned_tick` is earlier than `valid_from_tick` where an action only begins earlier.
    """

    inheritance: ClassVar = Inheritance(
        begins="valid_from_tick", set_later={"valid_to_tick": {"kept_to_tick": "NULL"}}
    )

    number = models.IntegerField()
    parent = models.IntegerField()
    day = models.CharField(max_length=10)
    level = models.CharField(max_length=10)
    description = models.TextField()
    place = models.CharField(max_length=300)
    object = models.CharField(max_length=300)
    object_state = models.TextField()
    emoji = models.CharField(max_length=40)
    asleep = models.BooleanField()
    from_tick = models.IntegerField()
    to_tick = models.IntegerField()
    planned_tick = models.IntegerField()
    valid_from_tick = models.IntegerField()
    valid_to_tick = models.IntegerField(null=True)
    kept_to_tick = models.IntegerField(null=True)
    continues = models.IntegerField(default=0)
    importance = models.IntegerField(default=0)
    act = models.CharField(max_length=20, default=ActKind.NONE)
    other = models.CharField(max_length=120, default="", db_collation="C")
    about = models.TextField(default="")
    with_agents = models.JSONField(default=list)
    free = models.BooleanField(default=False)
    reused_from = models.CharField(max_length=160, default="", db_collation="C")

    class Meta:
        """Numbered for each agent; read by agent, level and time."""

        verbose_name = "plan item"
        constraints: ClassVar = [unique("plan_item_number", "agent", "number")]
        indexes: ClassVar = [
            index("plan_item_of_agent", "agent", "level", "from_tick"),
            index("plan_item_of_day", "agent", "day"),
            index_of_copies("plan_item_copies"),
        ]

    def is_replaced_at(self, tick: int) -> bool:
        """Return whether a plan up to the end of the tick has replaced the item."""
        return self.valid_to_tick is not None and self.valid_to_tick <= tick

    def ends_at(self, tick: int) -> int:
        """Return the end of the item as of the tick: of a replaced one, of what remains."""
        if not self.is_replaced_at(tick) or self.kept_to_tick is None:
            return self.to_tick
        return min(self.to_tick, self.kept_to_tick)
