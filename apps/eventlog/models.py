"""The table of the log; it is append-only: a trigger refuses UPDATE and DELETE (V1)."""

from typing import ClassVar

from django.db import models

from apps.eventlog.event import EventId
from apps.lineage.history_rows import HistoryRow


class EventRow(HistoryRow):
    """One event, identified by (simulation, tick, stream, ordinal).

    `position` is the order of commit within a simulation, for operators only.
    """

    position = models.BigAutoField(primary_key=True)
    simulation_id = models.UUIDField()
    tick = models.IntegerField()
    # The canonical order must not depend on the database's locale.
    stream = models.CharField(max_length=120, db_collation="C")
    ordinal = models.IntegerField()
    type = models.CharField(max_length=80)
    data = models.JSONField()
    cause = models.CharField(max_length=160, blank=True, default="")
    model_calls = models.JSONField(default=list)
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Unique by identity; every key starts with the simulation."""

        verbose_name = "event"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "tick", "stream", "ordinal"], name="event_identity"
            ),
            models.CheckConstraint(
                condition=models.Q(tick__gte=0, ordinal__gte=0), name="event_place_not_negative"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "stream", "tick", "ordinal"], name="event_of_stream"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.type}"

    @property
    def event_id(self) -> str:
        """The id of the event, such as "2490/isabella-rodriguez/3"."""
        return str(self.place)

    @property
    def place(self) -> EventId:
        """The id in its parts, which are ordered as the log is."""
        return EventId(self.tick, self.stream, self.ordinal)
