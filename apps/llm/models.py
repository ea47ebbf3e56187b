"""Rows of model calls, budgets and vectors.

Calls and vectors are facts, not projections: a rebuild does not touch them, and a trigger
refuses their UPDATE.
"""

from dataclasses import fields
from typing import ClassVar
from uuid import UUID, uuid4

from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from apps.django_support.keyed_rows import KeyedRow
from apps.lineage.history_rows import HistoryRow
from apps.lineage.views import Inheritance
from apps.llm.port import CallPurpose, Served
from apps.llm.prompts.parts import MessagesJson, read_prompts


class RecordedCall(KeyedRow):
    """What all records of calls have: the turn, the model, and what the call used."""

    simulation_id = models.UUIDField()
    tick = models.IntegerField()
    stream = models.CharField(max_length=120, db_collation="C")
    server = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    prompt_tokens = models.IntegerField()
    latency_ms = models.IntegerField()
    cost = models.DecimalField(max_digits=16, decimal_places=8)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Every key starts with the simulation."""

        abstract = True


class RecordedChatCall(RecordedCall):
    """What records of calls to a chat model have beyond those of an embedding model.

    `cached_prompt_tokens` are those of `prompt_tokens` that the server had in its cache.
    `billed_equivalent_tokens` are the tokens of input and output, with cached input weighted
    by the ratio of its price at the time of the call.
    """

    task = models.CharField(max_length=80)
    call_id = models.CharField(max_length=240)
    attempts = models.JSONField()
    cached_prompt_tokens = models.IntegerField()
    completion_tokens = models.IntegerField()
    billed_equivalent_tokens = models.IntegerField()

    class Meta:
        """Every key starts with the simulation."""

        abstract = True


ANSWERED_BY = ("server", "model", *(field.name for field in fields(Served)))
"""The fields of records of answered calls that say what answered."""


class AnsweredCall(HistoryRow):
    """What records of answered calls have: what they were made for, and what answered.

    `purpose` is a `CallPurpose`. `served_model`, `system_fingerprint` and `server_version` are
    those of `Served`: what the server says with the last reply.
    """

    inheritance: ClassVar = Inheritance(
        begins="tick", condition=f"r.purpose = '{CallPurpose.TURN}'"
    )

    purpose = models.CharField(max_length=12, default=CallPurpose.TURN.value)
    served_model = models.CharField(max_length=200, blank=True, default="")
    system_fingerprint = models.CharField(max_length=200, blank=True, default="")
    server_version = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """Every key starts with the simulation."""

        abstract = True

    @property
    def answered_by(self) -> dict[str, str]:
        """The server, the model that was asked, and the values of `Served`, by field."""
        return {name: getattr(self, name) for name in ANSWERED_BY}


class ModelCallRow(AnsweredCall, RecordedChatCall):
    """One completed call with its answer and all attempts: the audit record (L3).

    `task` is the name of the LLM task. `prompt` refers to the parts of the messages of the
    first attempt, see `prompts.parts`; `messages` has their text. `attempts` have the raw text
    of each completion (unless it equals the answer) and its error. `differences` are those
    between the last of them and the answer, as a list of {field, answered, used, reason}.
    `reused_from` is the simulation of the same family whose answer to the same request was
    used, at no cost.
    """

    ordinal = models.IntegerField()
    request_sha256 = models.CharField(max_length=64)
    wording_version = models.CharField(max_length=40)
    prompt = models.JSONField()
    answer = models.JSONField()
    outcome = models.CharField(max_length=12)
    fallback = models.CharField(max_length=80, blank=True, default="")
    differences = models.JSONField(default=list)
    reused_from = models.UUIDField(null=True, editable=False)

    fetched_messages: MessagesJson | None = None

    class Meta:
        """A completed call is stored once."""

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

    @property
    def messages(self) -> MessagesJson:
        """The messages of the first attempt, {role, content} each.

        They are read when they are needed; `fetch_messages` reads those of many calls.
        """
        if self.fetched_messages is None:
            [self.fetched_messages] = read_prompts([self.prompt])
        return self.fetched_messages


class ModelFailureRow(RecordedChatCall):
    """A call that ended without an answer. It is no part of the simulation's history."""

    code = models.CharField(max_length=40)
    detail = models.TextField()

    class Meta:
        """A call may fail many times."""

        verbose_name = "model failure"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "id"], name="model_failure_of_simulation"),
        ]


class EmbeddingCallRow(AnsweredCall, RecordedCall):
    """One request for vectors to a remote model (L3).

    The texts are in the simulation's log, and the vectors in EmbeddingRow.
    """

    texts = models.IntegerField()
    characters = models.IntegerField()
    setbacks = models.JSONField()

    class Meta:
        """Requests are listed by turn."""

        verbose_name = "embedding call"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "tick", "id"], name="embedding_call_of_turn"),
        ]


class BatchRow(KeyedRow):
    """A batch of a server that has calls of background work (ADR 91).

    The row is written before the batch is created; `id` is the key by which it is found again,
    `batch_id` the server's own id, "" while it is not known. `lines` are the ids of its lines
    that wait or have an answer, `look_at` is when its server is asked next whether it is over.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=40)
    work_id = models.UUIDField()
    server = models.CharField(max_length=80)
    batch_id = models.CharField(max_length=200, blank=True, default="")
    lines = models.JSONField()
    is_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())
    look_at = models.DateTimeField()

    class Meta:
        """Batches are read by the work that waits for them."""

        verbose_name = "batch of calls"
        indexes: ClassVar = [models.Index(fields=["work_id"], name="batch_of_work")]


class BudgetRow(KeyedRow):
    """The limits of a simulation with a budget, and what it has used.

    `tokens` and `money` are increased in the transaction of each call's record, so that a
    check reads one row and computes no sum.
    """

    simulation_id = models.UUIDField(primary_key=True)
    tokens_max = models.BigIntegerField(null=True, blank=True)
    money_max = models.DecimalField(max_digits=16, decimal_places=8, null=True, blank=True)
    tokens = models.BigIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=8, default=0)

    class Meta:
        """A simulation has one budget at most."""

        verbose_name = "budget"


SHARED = UUID(int=0)
"""The origin of the vectors that this installation has computed or requested."""


class EmbeddingRow(KeyedRow):
    """The vector of one text under one embedding model, found by the text's sha256.

    `origin` is SHARED, or the imported simulation whose archive had the vector: only that one
    and its branches read it, before a shared one.
    """

    origin = models.UUIDField(default=SHARED)
    model = models.CharField(max_length=200)
    dimensions = models.IntegerField()
    text_sha256 = models.CharField(max_length=64)
    # Without fixed dimensions: simulations with different models share the table.
    vector = HalfVectorField()

    class Meta:
        """One vector for each text, model and origin."""

        verbose_name = "embedding"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["model", "dimensions", "text_sha256", "origin"], name="embedding_once"
            ),
        ]
