"""The row of a reflection, and its projection."""

from typing import ClassVar

from django.db import models

from apps.eventlog.projection import Projection, inserting
from apps.lineage.history_rows import RowOfAgent, unique
from apps.reflection.events import Reflected, ReflectionKind


class ReflectionRow(RowOfAgent):
    """A reflection of an agent; its insights are memories too (R3).

    `insights`, `dropped` and `kind` are as in the event; `ordinal` is that of the event in the
    turn.
    """

    tick = models.IntegerField()
    ordinal = models.IntegerField()
    importance = models.IntegerField()
    questions = models.JSONField(default=list)
    insights = models.JSONField(default=list)
    dropped = models.JSONField(default=list)
    kind = models.CharField(max_length=20, default=ReflectionKind.INSIGHTS.value)

    class Meta:
        """Unique by agent, tick and kind."""

        verbose_name = "reflection"
        constraints: ClassVar = [unique("reflection_identity", "agent", "tick", "kind")]

    @property
    def event_id(self) -> str:
        """The id of its event, such as "5120/klaus-mueller/2"."""
        return f"{self.tick}/{self.agent}/{self.ordinal}"


REFLECTIONS = Projection(
    models=(ReflectionRow,),
    handlers={Reflected: inserting(ReflectionRow)},
)
