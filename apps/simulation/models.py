"""Rows of the machinery: what is to be run, by whom, how far it has come.

None of this is canonical history: it says how the log is being written, not what happened.
"""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models


class Status(models.TextChoices):
    """What a simulation is doing."""

    PAUSED = "paused"
    RUNNING = "running"
    PAUSING = "pausing"


class SimulationRow(models.Model):
    """A simulation: whose it is, what it is to do, how far it has come.

    `until_tick` is the last tick to settle (None: no end). `pace` is game seconds per real
    second (None: as fast as possible), counted from `paced_at`, when `paced_from_tick` was
    settled. `settled_tick` is a cache: it can be recomputed from the log. A scheduler holds
    the lease while it works. `is_preparing` asks for the seed memories that a remote model
    has yet to rate, before any run is requested.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True)
    world = models.CharField(max_length=120)
    seed = models.BigIntegerField()
    model = models.JSONField()
    status = models.CharField(max_length=12, choices=Status, default=Status.PAUSED)
    reason = models.TextField(blank=True, default="")
    until_tick = models.IntegerField(null=True)
    pace = models.FloatField(null=True)
    paced_from_tick = models.IntegerField(default=0)
    paced_at = models.DateTimeField(null=True)
    settled_tick = models.IntegerField(default=0)
    is_preparing = models.BooleanField(default=False)
    lease_holder = models.CharField(max_length=120, blank=True, default="")
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Found by owner, and by status when a scheduler looks for what is due."""

        verbose_name = "simulation"
        indexes: ClassVar = [
            models.Index(fields=["owner", "created_at"], name="simulation_of_owner"),
            models.Index(fields=["status"], name="simulation_of_status"),
        ]

    def __str__(self) -> str:
        """Return the simulation's name."""
        return self.name


class CommandRow(models.Model):
    """Something that a user asks of a simulation, and what has become of it.

    The scheduler accepts it into the log: from then on `effective_tick` is known. `at_tick`
    is the tick that it is asked for, None for as soon as possible.
    """

    class State(models.TextChoices):
        """How far the command has come."""

        PENDING = "pending"
        ACCEPTED = "accepted"
        DONE = "done"
        REFUSED = "refused"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    simulation_id = models.UUIDField()
    kind = models.CharField(max_length=40)
    agent = models.CharField(max_length=120)
    body = models.JSONField()
    by = models.CharField(max_length=150)
    reason = models.TextField(blank=True, default="")
    at_tick = models.IntegerField(null=True)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    effective_tick = models.IntegerField(null=True)
    refusal = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Read by simulation in the order that they came."""

        verbose_name = "command"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "state", "created_at"], name="command_to_do")
        ]

    def __str__(self) -> str:
        """Return what is asked of whom, and what has become of it."""
        return f"{self.kind} {self.agent}: {self.state}"


class ClockRow(models.Model):
    """The first tick of a person that is not settled, as the scheduler last kept it.

    A lower bound is enough: ticks without a turn are settled again without a trace.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    clock = models.IntegerField()

    class Meta:
        """One clock a person."""

        verbose_name = "clock"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "agent"], name="clock_identity")
        ]

    def __str__(self) -> str:
        """Return whose clock it is and where it stands."""
        return f"{self.agent} at {self.clock}"


class TurnRow(models.Model):
    """A turn in work. The database is the truth of what is to be done, the broker a doorbell.

    Whoever takes it keeps `heartbeat_at` fresh; a lapsed one is sent again. A failure that
    the scheduler has collected is kept for its `attempts`.
    """

    class State(models.TextChoices):
        """How far the turn has come."""

        SENT = "sent"
        TAKEN = "taken"
        DONE = "done"
        FAILED = "failed"
        TOLD = "told"

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    tick = models.IntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.SENT)
    attempts = models.IntegerField(default=0)
    worker = models.CharField(max_length=120, blank=True, default="")
    error = models.TextField(blank=True, default="")
    fatal = models.BooleanField(default=False)
    sent_at = models.DateTimeField(auto_now_add=True)
    heartbeat_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A person has at most one turn in work."""

        verbose_name = "turn in work"
        verbose_name_plural = "turns in work"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "agent"], name="turn_identity")
        ]
        indexes: ClassVar = [models.Index(fields=["state", "sent_at"], name="turn_by_state")]

    def __str__(self) -> str:
        """Return whose turn it is, at which tick, and how far it has come."""
        return f"{self.agent} at {self.tick}: {self.state}"


class ProcessRow(models.Model):
    """A scheduler or worker process, and when it was last alive.

    The process updates `seen_at` every few seconds; a process that was killed leaves its row
    behind with an old `seen_at`. `threads` is the number of turns that a worker executes at
    once; 0 for a scheduler.
    """

    class Kind(models.TextChoices):
        """What the process does."""

        SCHEDULER = "scheduler"
        WORKER = "worker"

    name = models.CharField(max_length=160, primary_key=True)
    kind = models.CharField(max_length=9, choices=Kind)
    threads = models.IntegerField(default=0)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        """Read by kind, the latest first."""

        verbose_name = "process"
        verbose_name_plural = "processes"
        indexes: ClassVar = [models.Index(fields=["kind", "seen_at"], name="process_by_kind")]

    def __str__(self) -> str:
        """Return the kind and the name of the process."""
        return f"{self.kind} {self.name}"
