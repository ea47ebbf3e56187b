"""Rows of the gateway: what was asked and answered, and vectors by content.

They are facts, not projections: a rebuild leaves them alone. A trigger refuses UPDATE.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField


class ModelCallRow(models.Model):
    """One call with its answer, all attempts and their cost: the audit record (L3).

    `messages` are those of the first attempt; `attempts` hold what came back each time
    and what was wrong with it, without raw text where it says exactly the answer.
    """

    simulation_id = models.UUIDField()
    tick = models.IntegerField()
    stream = models.CharField(max_length=120, db_collation="C")
    chain = models.CharField(max_length=80)
    ordinal = models.IntegerField()
    call_id = models.CharField(max_length=240)
    request_sha256 = models.CharField(max_length=64)
    wording_version = models.CharField(max_length=12)
    server = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    messages = models.JSONField()
    answer = models.JSONField()
    outcome = models.CharField(max_length=12)
    fallback = models.CharField(max_length=80, blank=True, default="")
    attempts = models.JSONField()
    prompt_tokens = models.IntegerField()
    completion_tokens = models.IntegerField()
    latency_ms = models.IntegerField()
    cost = models.DecimalField(max_digits=16, decimal_places=8)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        """A completed call is kept once; every key starts with the simulation."""

        verbose_name = "model call"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "call_id", "request_sha256"], name="model_call_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "tick", "stream", "id"], name="model_call_of_turn"
            ),
        ]

    def __str__(self) -> str:
        """Return the call's identity."""
        return self.call_id


class ModelFailureRow(models.Model):
    """A call that ended without an answer: a record of the machinery, not of the town."""

    simulation_id = models.UUIDField()
    tick = models.IntegerField()
    stream = models.CharField(max_length=120, db_collation="C")
    chain = models.CharField(max_length=80)
    call_id = models.CharField(max_length=240)
    server = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    code = models.CharField(max_length=40)
    detail = models.TextField()
    attempts = models.JSONField()
    prompt_tokens = models.IntegerField()
    completion_tokens = models.IntegerField()
    latency_ms = models.IntegerField()
    cost = models.DecimalField(max_digits=16, decimal_places=8)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        """A call may fail many times."""

        verbose_name = "model failure"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "id"], name="model_failure_of_simulation"),
        ]

    def __str__(self) -> str:
        """Return the call's identity and how it failed."""
        return f"{self.call_id} {self.code}"


class EmbeddingCallRow(models.Model):
    """One request for vectors to a remote model: whose, how much, what it cost (L3).

    What was embedded is in the simulation's log, and the vectors are in EmbeddingRow.
    """

    simulation_id = models.UUIDField()
    tick = models.IntegerField()
    stream = models.CharField(max_length=120, db_collation="C")
    server = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    texts = models.IntegerField()
    characters = models.IntegerField()
    prompt_tokens = models.IntegerField()
    latency_ms = models.IntegerField()
    cost = models.DecimalField(max_digits=16, decimal_places=8)
    setbacks = models.JSONField()
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Every key starts with the simulation."""

        verbose_name = "embedding call"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "tick", "id"], name="embedding_call_of_turn"),
        ]

    def __str__(self) -> str:
        """Return whose texts were embedded, and how many."""
        return f"{self.tick}/{self.stream}: {self.texts} texts"


class BudgetRow(models.Model):
    """What a simulation may use, and what it has used: a record of the machinery.

    Only simulations with a budget have one. `tokens` and `money` are added to in the
    transaction of each call's record, so that asking costs one row, not a sum.
    """

    simulation_id = models.UUIDField(primary_key=True)
    tokens_max = models.BigIntegerField(null=True, blank=True)
    money_max = models.DecimalField(max_digits=16, decimal_places=8, null=True, blank=True)
    tokens = models.BigIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=8, default=0)

    class Meta:
        """One budget a simulation."""

        verbose_name = "budget"

    def __str__(self) -> str:
        """Return what is used of what there is."""
        return f"{self.tokens} of {self.tokens_max} tokens, {self.money} of {self.money_max}"


class EmbeddingRow(models.Model):
    """The vector of one text under one embedding model, found by the text's sha256."""

    model = models.CharField(max_length=200)
    dimensions = models.IntegerField()
    text_sha256 = models.CharField(max_length=64)
    # Without fixed dimensions: simulations with different models share the table.
    vector = HalfVectorField()

    class Meta:
        """One vector for each text and model; shared by all simulations."""

        verbose_name = "embedding"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["model", "dimensions", "text_sha256"], name="embedding_once"
            ),
        ]

    def __str__(self) -> str:
        """Return the model and the beginning of the text's sha256."""
        return f"{self.model} {self.text_sha256[:12]}"
