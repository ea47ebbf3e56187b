"""Interviews with their answers: a record of what users did, not of the simulation."""

from typing import ClassVar
from uuid import uuid4

from django.db import models

from apps.simulation.models import SimulationRow


class InterviewRow(models.Model):
    """One question to one agent, and the answer once there is one.

    `number` counts 1, 2, 3… in the simulation; the interview's model calls are counted from
    it. `memories` are those that went into the prompt, each with its score and the query that
    retrieved it. `command_id` is the command that makes the agent remember it, if that was
    asked for. With `is_waited_for` the request that asked answers it, and no worker does.
    """

    class State(models.TextChoices):
        """How far the interview has come."""

        PENDING = "pending"
        ASKED = "asked"
        ANSWERED = "answered"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    simulation = models.ForeignKey(SimulationRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    persona = models.CharField(max_length=200)
    question = models.TextField()
    conditions = models.CharField(max_length=60)
    as_of_tick = models.IntegerField()
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    remember = models.BooleanField(default=False)
    is_waited_for = models.BooleanField(default=True)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    answer = models.TextField(blank=True, default="")
    memories = models.JSONField(default=list)
    model_calls = models.JSONField(default=list)
    command_id = models.UUIDField(null=True)
    problem_code = models.CharField(max_length=60, blank=True, default="")
    problem = models.TextField(blank=True, default="")
    asked_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        """Numbered within a simulation."""

        verbose_name = "interview"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation", "number"], name="interview_identity")
        ]
        indexes: ClassVar = [models.Index(fields=["state"], name="interview_of_state")]

    def __str__(self) -> str:
        """Return agent and question."""
        return f"{self.agent}: {self.question[:80]}"
