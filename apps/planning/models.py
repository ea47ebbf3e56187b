"""Rows about plans: what people plan to do when, and how long each plan has held.

A row holds from `valid_from_tick` to `valid_to_tick` (null: still). A plan that a later
one replaced was still carried out up to `kept_to_tick`: what is past stays as it was.
"""

from typing import ClassVar

from django.db import models


class PlanItemRow(models.Model):
    """A chunk of a day, an hour of it, or an action of a few minutes."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
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
    valid_from_tick = models.IntegerField()
    valid_to_tick = models.IntegerField(null=True)
    kept_to_tick = models.IntegerField(null=True)
    continues = models.IntegerField(default=0)

    class Meta:
        """Numbered per person; read by person, level and time."""

        verbose_name = "plan item"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "number"], name="plan_item_number"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "level", "from_tick"],
                name="plan_item_of_agent",
            ),
            models.Index(fields=["simulation_id", "agent", "day"], name="plan_item_of_day"),
        ]

    def __str__(self) -> str:
        """Return whose item it is and what it says."""
        return f"{self.agent} {self.number}: {self.description}"
