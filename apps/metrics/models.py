"""Totals behind the counters: one row per simulation, none of which ever falls.

A row is added to in the transaction of what it counts. Rows per simulation keep transactions
of different simulations from waiting for one another. When a simulation is deleted, its rows
are added to those of DELETED, so that sums over the table stay as they were.
"""

from typing import ClassVar
from uuid import UUID

from django.db import models

from apps.django_support.keyed_rows import KeyedRow

DELETED = UUID(int=0)
"""The id of the rows of all deleted simulations together."""


class ModelCallTotalRow(KeyedRow):
    """The calls of one task on one model with one outcome, and their use of the model."""

    simulation_id = models.UUIDField()
    server = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    task = models.CharField(max_length=80)
    outcome = models.CharField(max_length=40)
    calls = models.BigIntegerField()
    retries = models.BigIntegerField()
    prompt_tokens = models.BigIntegerField()
    cached_prompt_tokens = models.BigIntegerField()
    completion_tokens = models.BigIntegerField()
    cost = models.DecimalField(max_digits=24, decimal_places=8)

    class Meta:
        """Unique by simulation and labels."""

        verbose_name = "total of model calls"
        verbose_name_plural = "totals of model calls"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "server", "model", "task", "outcome"],
                name="model_call_total_identity",
            ),
        ]


class TurnTotalRow(KeyedRow):
    """The turns of one simulation. `committed_ticks` is set when the simulation is deleted."""

    simulation_id = models.UUIDField(primary_key=True)
    completed = models.BigIntegerField()
    failed = models.BigIntegerField()
    committed_ticks = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        """One row per simulation."""

        verbose_name = "total of turns"
        verbose_name_plural = "totals of turns"
