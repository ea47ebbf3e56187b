"""The rows of memory streams: memories, their repetitions and their retrievals."""

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from apps.lineage.history_rows import (
    CopiedOnWrite,
    HistoryManager,
    HistoryQuerySet,
    RowOfAgent,
    ValidRowOfAgent,
    index,
    index_of_copies,
    unique,
)
from apps.lineage.views import Inheritance
from apps.memory.passing_on import TERMS_CHARACTERS_MAX
from apps.memory.rules import UNRATED_IMPORTANCE


class MemoryManager(HistoryManager["MemoryRow"]):
    """Does not fetch the vectors, which only the scoring statement reads."""

    def get_queryset(self) -> "HistoryQuerySet[MemoryRow]":
        """Return the rows without their vectors."""
        return super().get_queryset().defer("embedding")


class MemoryRow(CopiedOnWrite, RowOfAgent):
    """A memory of an agent; its rating and its end may come later than the memory (M1, M3).

    `rating` is its importance from `rated_tick` on; before that tick, and while `rated_tick`
    is None, the importance is UNRATED_IMPORTANCE. `superseded_tick` is None while the memory
    holds.

    The length of the vector depends on the simulation. It is stored plain: fetching it from a
    side table would cost more than the scoring. `ordinal` is that of its event in the turn.
    """

    inheritance: ClassVar = Inheritance(
        begins="formed_tick",
        set_later={"rated_tick": {"rating": f"{UNRATED_IMPORTANCE}::smallint"}}
        | {"superseded_tick": {}},
    )

    number = models.IntegerField()
    kind = models.CharField(max_length=20)
    description = models.TextField()
    rating = models.SmallIntegerField()
    rated_tick = models.IntegerField(null=True)
    evidence = models.JSONField(default=list)
    subject = models.CharField(max_length=300, blank=True, default="")
    perceived = models.BooleanField(default=False)
    origin = models.CharField(max_length=30, blank=True, default="")
    scheduled = models.JSONField(null=True)
    action = models.CharField(max_length=20, blank=True, default="")
    activity = models.TextField(blank=True, default="")
    passing_on = models.CharField(max_length=TERMS_CHARACTERS_MAX, blank=True, default="")
    superseded_tick = models.IntegerField(null=True)
    formed_tick = models.IntegerField()
    ordinal = models.IntegerField()
    embedding = HalfVectorField()

    # Annotated by the queries, as of their tick: the importance, whether it is rated, the tick
    # in which the memory was superseded, those of the latest repetition and of the latest
    # retrieval, None without one, and how often the memory was perceived.
    importance: int
    rated: bool
    superseded: int | None
    times: int
    last_repeated_tick: int | None
    last_retrieved_tick: int | None

    objects: ClassVar[MemoryManager] = MemoryManager()

    class Meta:
        """Unique by number within the stream of an agent."""

        verbose_name = "memory"
        verbose_name_plural = "memories"
        constraints: ClassVar = [
            unique("memory_identity", "agent", "number"),
            models.CheckConstraint(
                condition=models.Q(rating__gte=1, rating__lte=10),
                name="memory_importance_in_bounds",
            ),
        ]
        indexes: ClassVar = [
            # Every turn sums the importance since the last reflection: an index-only scan.
            models.Index(
                fields=["simulation_id", "agent", "formed_tick"],
                include=["rating", "rated_tick"],
                condition=models.Q(perceived=True),
                name="memory_perceived",
            ),
            # Every turn reads what is not rated yet.
            models.Index(
                fields=["simulation_id", "agent", "formed_tick"],
                condition=models.Q(rated_tick=None)
                | models.Q(rated_tick__gt=models.F("formed_tick")),
                name="memory_rated_later",
            ),
            # Every new observation is looked for among those about its subject.
            index("memory_of_subject", "agent", "subject"),
            index_of_copies("memory_copies"),
        ]

    @property
    def event_id(self) -> str:
        """The id of its event, such as "2490/isabella-rodriguez/3"."""
        return f"{self.formed_tick}/{self.agent}/{self.ordinal}"


class RepetitionRow(ValidRowOfAgent):
    """A repetition of a memory at `from_tick`, its latest one until `to_tick` (M1).

    `times` counts the forming and the repetitions up to this one.
    """

    number = models.IntegerField()
    times = models.IntegerField()

    class Meta:
        """One row for each memory and tick."""

        verbose_name = "repetition of a memory"
        verbose_name_plural = "repetitions of memories"
        constraints: ClassVar = [unique("repetition_identity", "agent", "number", "from_tick")]
        indexes: ClassVar = [
            index("repetition_of_agent", "agent", "from_tick"),
            index_of_copies("repetition_copies"),
        ]


class RetrievalRow(ValidRowOfAgent):
    """A retrieval of a memory at `from_tick`, its latest one until `to_tick`.

    `to_tick` is None for the latest retrieval of all.
    """

    number = models.IntegerField()

    class Meta:
        """One row for each memory and tick."""

        verbose_name = "retrieval of a memory"
        verbose_name_plural = "retrievals of memories"
        constraints: ClassVar = [unique("retrieval_identity", "agent", "number", "from_tick")]
        indexes: ClassVar = [
            index("retrieval_valid", "agent", "to_tick", "from_tick"),
            index_of_copies("retrieval_copies"),
        ]


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
    passing_on = models.CharField(max_length=TERMS_CHARACTERS_MAX)

    class Meta:
        """One row for each fact and tick."""

        verbose_name = "lasting fact"
        constraints: ClassVar = [unique("fact_identity", "agent", "number", "from_tick")]
        indexes: ClassVar = [index_of_copies("fact_copies")]


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
        constraints: ClassVar = [unique("self_summary_identity", "agent", "from_tick")]
        indexes: ClassVar = [index_of_copies("self_summary_copies")]
