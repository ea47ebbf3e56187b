"""The rows of simulations, commands, clocks, turns and processes.

They control how the log is written and are no part of the history.
"""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from apps.django_support.keyed_rows import KeyedRow


class Status(models.TextChoices):
    """The status of a simulation."""

    PAUSED = "paused"
    RUNNING = "running"
    PAUSING = "pausing"


class PresentSimulations(models.Manager["SimulationRow"]):
    """The simulations that were not deleted."""

    def get_queryset(self) -> models.QuerySet["SimulationRow"]:
        """Return the rows without those that only branches still need."""
        return super().get_queryset().filter(is_deleted=False)


class SimulationRow(models.Model):
    """A simulation: its owner, the requested run, and the committed tick.

    `until_tick` is the last tick to commit (None: no end). `pace` is game seconds per real
    second (None: as fast as possible), counted from `paced_at`, when `paced_from_tick` was
    due. `committed_tick`, the committed tick, is a cache: it can be recomputed from the log. A
    scheduler holds the lease while it works. `is_preparing` requests the seed memories that a
    remote model has yet to rate, before any run is requested. A simulation that `is_deleted`
    is kept until its last branch is deleted, and is read by them only. `numbers_taken` has the
    latest number of each kind that `take_numbers` has given.
    """

    Status = Status

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
    committed_tick = models.IntegerField(default=0)
    is_preparing = models.BooleanField(default=False)
    lease_holder = models.CharField(max_length=120, blank=True, default="")
    lease_until = models.DateTimeField(null=True)
    is_deleted = models.BooleanField(default=False, db_default=False)
    numbers_taken = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[PresentSimulations] = PresentSimulations()
    with_deleted: ClassVar[models.Manager["SimulationRow"]] = models.Manager()

    class Meta:
        """Indexed by owner, and by status for the schedulers."""

        verbose_name = "simulation"
        indexes: ClassVar = [
            models.Index(fields=["owner", "created_at"], name="simulation_of_owner"),
            models.Index(fields=["status"], name="simulation_of_status"),
        ]

    def __str__(self) -> str:
        return self.name


class CommandRow(KeyedRow):
    """A command of a user to a simulation, and its state.

    The scheduler accepts it into the log: from then on `effective_tick` is known. `at_tick`
    is the requested tick, None for as soon as possible.
    """

    class State(models.TextChoices):
        """The state of the command."""

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
        """Read by simulation in the order of creation."""

        verbose_name = "command"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "state", "created_at"], name="command_to_do")
        ]


class ClockRow(KeyedRow):
    """The first uncommitted tick of an agent, as the scheduler last stored it.

    A lower bound suffices: ticks without a turn leave no trace.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    clock = models.IntegerField()

    class Meta:
        """One clock for each agent."""

        verbose_name = "clock"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "agent"], name="clock_identity")
        ]


class TurnRow(KeyedRow):
    """A turn in work: the rows say what is to be executed, messages only wake the workers.

    The worker that takes the turn renews `heartbeat_at`; a lapsed turn is sent again. A failure
    that the scheduler has collected is kept for its `attempts`.
    """

    class State(models.TextChoices):
        """The state of the turn."""

        SENT = "sent"
        TAKEN = "taken"
        DONE = "done"
        FAILED = "failed"
        COLLECTED = "told", "Told"

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
        """One turn in work for each agent at most."""

        verbose_name = "turn in work"
        verbose_name_plural = "turns in work"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "agent"], name="turn_identity")
        ]
        indexes: ClassVar = [models.Index(fields=["state", "sent_at"], name="turn_by_state")]


class ProcessRow(KeyedRow):
    """A scheduler or worker process, and when it was last alive.

    The process updates `seen_at` every few seconds; a process that was killed leaves its row
    behind with an old `seen_at`. `threads` is the number of turns that a worker executes at
    once; 0 for a scheduler.
    """

    class Kind(models.TextChoices):
        """The kind of process."""

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
