"""The rows of memory streams: what is remembered, and when it was last retrieved."""

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField


class MemoryManager(models.Manager["MemoryRow"]):
    """Leaves the vector in the database: nobody reads it outside of the scoring."""

    def get_queryset(self) -> models.QuerySet["MemoryRow"]:
        """Return the rows without their vectors."""
        return super().get_queryset().defer("embedding")


class MemoryRow(models.Model):
    """One memory of one person; it never changes (M1).

    The vector has no fixed dimension, because each simulation has its own, and is stored
    plain: fetching it from a side table would cost more than the scoring. `ordinal` is the
    place of its event within the turn.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    number = models.IntegerField()
    kind = models.CharField(max_length=20)
    description = models.TextField()
    importance = models.SmallIntegerField()
    evidence = models.JSONField(default=list)
    subject = models.CharField(max_length=300, blank=True, default="")
    perceived = models.BooleanField(default=False)
    origin = models.CharField(max_length=30, blank=True, default="")
    scheduled = models.JSONField(null=True)
    formed_tick = models.IntegerField()
    ordinal = models.IntegerField()
    embedding = HalfVectorField()

    # Annotated by the queries: when it was last retrieved as of their tick, None for never.
    last_retrieved_tick: int | None

    objects: ClassVar[MemoryManager] = MemoryManager()

    class Meta:
        """Unique by number within a person's stream."""

        verbose_name = "memory"
        verbose_name_plural = "memories"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "number"], name="memory_identity"
            ),
            models.CheckConstraint(
                condition=models.Q(importance__gte=1, importance__lte=10),
                name="memory_importance_in_bounds",
            ),
        ]
        indexes: ClassVar = [
            # Whether a reflection is due is asked at every turn: the index alone answers.
            models.Index(
                fields=["simulation_id", "agent", "formed_tick"],
                include=["importance"],
                condition=models.Q(perceived=True),
                name="memory_perceived",
            )
        ]

    def __str__(self) -> str:
        """Return what is remembered."""
        return f"{self.agent} {self.number}: {self.description}"

    @property
    def event_id(self) -> str:
        """The identity of the event that formed it: "2490/isabella-rodriguez/3"."""
        return f"{self.formed_tick}/{self.agent}/{self.ordinal}"


class RecallRow(models.Model):
    """That a memory was last retrieved at `from_tick`, as it stood until `to_tick`.

    A memory that was never retrieved has none; of a memory that was, one is open.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    number = models.IntegerField()
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """One row a memory and tick."""

        verbose_name = "retrieval of a memory"
        verbose_name_plural = "retrievals of memories"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "number", "from_tick"],
                name="recall_identity",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "to_tick", "from_tick"], name="recall_valid"
            )
        ]

    def __str__(self) -> str:
        """Return which memory it is and since when it holds."""
        return f"{self.agent} {self.number} at {self.from_tick}"
