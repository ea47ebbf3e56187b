"""Rows about people: what the log says of who they are, where they are and what they do.

Whatever can be asked "as of" a tick keeps its validity, [from_tick, to_tick); an open row
has no `to_tick`. A row is written by one stream only, its person's.
"""

from typing import ClassVar

from django.db import models

from apps.agents.events import ActionKind


class AgentRow(models.Model):
    """A person of a simulation, as they joined it.

    `left_tick` is None for as long as they are in town, also when they have come back.
    """

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    name = models.CharField(max_length=120)
    age = models.IntegerField()
    traits = models.JSONField()
    wake_minute = models.IntegerField()
    sleep_minute = models.IntegerField()
    dinner_minute = models.IntegerField(null=True)
    home = models.CharField(max_length=300)
    bed = models.CharField(max_length=300)
    workplace = models.CharField(max_length=300, null=True)  # noqa: DJ001 (no workplace is not "")
    description = models.TextField()
    joined_tick = models.IntegerField()
    left_tick = models.IntegerField(null=True)

    class Meta:
        """One row a person."""

        verbose_name = "person"
        verbose_name_plural = "people"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation_id", "agent"], name="agent_identity")
        ]

    def __str__(self) -> str:
        """Return the person's name."""
        return self.name


class StayRow(models.Model):
    """A person was in town in the ticks [from_tick, to_tick): visitors come more than once."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """One an arrival."""

        verbose_name = "stay"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "agent", "from_tick"], name="stay_identity"
            )
        ]

    def __str__(self) -> str:
        """Return who was in town from when to when."""
        return f"{self.agent} from {self.from_tick} to {self.to_tick}"


class _ValidRow(models.Model):
    """What every row with a validity has."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """Not a table of its own."""

        abstract = True

    def __str__(self) -> str:
        """Return whose row it is and since when it holds."""
        return f"{self.agent} from {self.from_tick} to {self.to_tick}"


class ActionRow(_ValidRow):
    """What a person does, and where: one step a tick from `from_tick` on, then on the last.

    Walking somewhere is an action too, `towards` its destination. Who has left town does
    nothing and is nowhere: their last row has no steps.
    """

    steps = models.JSONField()
    description = models.TextField()
    emoji = models.CharField(max_length=40)
    area = models.CharField(max_length=300)
    object = models.CharField(max_length=300)
    object_state = models.TextField()
    asleep = models.BooleanField()
    towards = models.CharField(max_length=300)
    until_tick = models.IntegerField()
    plan_item = models.IntegerField()
    event = models.CharField(max_length=160)
    kind = models.CharField(max_length=20, default=ActionKind.PLANNED)

    class Meta:
        """Read by person and by validity."""

        verbose_name = "action"
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "from_tick"], name="action_of_agent"
            ),
            models.Index(fields=["simulation_id", "to_tick", "from_tick"], name="action_valid"),
        ]


class UseRow(_ValidRow):
    """An attempt to use an object or to be in an area that holds few; see `sharing`.

    `since_tick` is when the unbroken use began, `from_tick` when its present state did.
    """

    node = models.CharField(max_length=300)
    is_area = models.BooleanField()
    state = models.TextField()
    since_tick = models.IntegerField()

    class Meta:
        """Read by node and by validity."""

        verbose_name = "use"
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "node", "from_tick"], name="use_of_agent"
            ),
            models.Index(fields=["simulation_id", "to_tick", "from_tick"], name="use_valid"),
        ]


class KnownPlaceRow(_ValidRow):
    """A node that a person knows, and the state they last saw it in (W3)."""

    node = models.CharField(max_length=300)
    state = models.TextField()

    class Meta:
        """One open row a person and node."""

        verbose_name = "known place"
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "node", "from_tick"], name="known_of_agent"
            )
        ]


class SeenPersonRow(_ValidRow):
    """What a person last saw another do (X3)."""

    subject = models.CharField(max_length=120)
    description = models.TextField()
    area = models.CharField(max_length=300)

    class Meta:
        """One open row a person and subject."""

        verbose_name = "person seen"
        verbose_name_plural = "people seen"
        indexes: ClassVar = [
            models.Index(
                fields=["simulation_id", "agent", "subject", "from_tick"], name="seen_of_agent"
            )
        ]


class TurnedAwayRow(models.Model):
    """That a person could not enter an area or use an object, and why (W5)."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")
    tick = models.IntegerField()
    node = models.CharField(max_length=300)
    why = models.TextField()

    class Meta:
        """Read by person and tick."""

        verbose_name = "turned away"
        verbose_name_plural = "turned away"
        indexes: ClassVar = [
            models.Index(fields=["simulation_id", "agent", "tick"], name="turned_away_of_agent")
        ]

    def __str__(self) -> str:
        """Return who could not go where."""
        return f"{self.agent} at {self.node}: {self.why}"


class ObjectStateRow(models.Model):
    """The state of an object that a user has set: it holds until somebody rights it (U3)."""

    simulation_id = models.UUIDField()
    object = models.CharField(max_length=300, db_collation="C")
    state = models.TextField()
    is_alarming = models.BooleanField(default=False)
    event = models.CharField(max_length=160, db_collation="C")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """One an event that set it."""

        verbose_name = "set object state"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "event"], name="object_state_identity"
            )
        ]

    def __str__(self) -> str:
        """Return which object is in which state, and since when."""
        return f"{self.object}: {self.state} from {self.from_tick} to {self.to_tick}"
