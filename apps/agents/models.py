"""The rows of agents and objects.

Rows with a validity are valid in [from_tick, to_tick), without an end while they are current.
The row of an agent is written by the events of its own stream alone.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Coalesce

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind
from apps.agents.summary import Hours, Identity
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.words import seed_phrases
from apps.lineage.history_rows import (
    CopiedOnWrite,
    HistoryRow,
    RowOfAgent,
    ValidRowOfAgent,
    index,
    index_of_copies,
    unique,
)
from apps.lineage.views import Inheritance

# An agent may return, so that the tick at which it left is that of its latest stay.
_LEFT_TICK = """(
    SELECT stay.to_tick FROM visible_agents_stayrow AS stay
    WHERE stay.simulation_id = l.branch AND stay.agent = r.agent
        AND stay.from_tick <= l.until_tick
    ORDER BY stay.from_tick DESC LIMIT 1
)"""


class AgentRow(CopiedOnWrite, RowOfAgent):
    """An agent of a simulation; `left_tick` is None while it is present."""

    inheritance: ClassVar = Inheritance(
        begins="joined_tick", computed={"left_tick": _LEFT_TICK}
    )

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
        """Unique by agent."""

        verbose_name = "agent"
        constraints: ClassVar = [unique("agent_identity", "agent")]
        indexes: ClassVar = [index_of_copies("agent_copies")]

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def identity(self) -> Identity:
        """Who the agent is."""
        return Identity(
            slug=self.agent,
            name=self.name,
            age=self.age,
            traits=tuple(self.traits),
            hours=Hours(
                wake=self.wake_minute, sleep=self.sleep_minute, dinner=self.dinner_minute
            ),
            home=self.home,
            bed=self.bed,
            workplace=self.workplace,
        )

    @property
    def seeds(self) -> tuple[str, ...]:
        """The phrases of the description, one seed memory each."""
        return seed_phrases(self.description)


class StayRow(ValidRowOfAgent):
    """A stay of an agent in the simulation; visitors have several."""

    class Meta:
        """Unique by agent and first tick."""

        verbose_name = "stay"
        constraints: ClassVar = [unique("stay_identity", "agent", "from_tick")]
        indexes: ClassVar = [index_of_copies("stay_copies")]


class ActionRow(ValidRowOfAgent):
    """An action and its tiles: one step a tick from `from_tick` on, then the last one.

    A walk is an action with the destination `towards`. The last row of an agent that has left
    has no steps.
    """

    inheritance: ClassVar = Inheritance(
        begins="from_tick", set_later={"to_tick": {}}, ends="to_tick", is_current_copied=True
    )

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
    act = models.CharField(max_length=20, default=ActKind.NONE)
    other = models.CharField(max_length=120, default="", db_collation="C")
    activity = models.TextField(default="")

    class Meta:
        """Read by agent and by validity."""

        verbose_name = "action"
        indexes: ClassVar = [
            index("action_of_agent", "agent", "from_tick"),
            # See statements.ACTION_ENDS.
            models.Index(
                "simulation_id",
                Coalesce("to_tick", FOREVER_TICK),
                "from_tick",
                name="action_ends",
            ),
            index_of_copies("action_copies"),
        ]


class UseRow(ValidRowOfAgent):
    """An attempt to use an object or to be in an area with a capacity; see `sharing`.

    `since_tick` is the beginning of the continuous use, `from_tick` that of its state.
    """

    node = models.CharField(max_length=300)
    is_area = models.BooleanField()
    state = models.TextField()
    since_tick = models.IntegerField()

    class Meta:
        """Read by node and by validity."""

        verbose_name = "use"
        indexes: ClassVar = [
            index("use_of_agent", "agent", "node", "from_tick"),
            index("use_valid", "to_tick", "from_tick"),
            index_of_copies("use_copies"),
        ]


class DoorOpeningRow(RowOfAgent):
    """A door that the agent opened to a visitor; `event` is the id of its event."""

    tick = models.IntegerField()
    node = models.CharField(max_length=300)
    visitor = models.CharField(max_length=120, db_collation="C")
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by event; read by visitor and tick."""

        verbose_name = "opened door"
        constraints: ClassVar = [unique("door_opening_identity", "event")]
        indexes: ClassVar = [index("door_opened_to", "visitor", "tick")]


class AdmissionRow(ValidRowOfAgent):
    """The right of an agent to enter a home or private area, granted by the host."""

    node = models.CharField(max_length=300)
    host = models.CharField(max_length=120, db_collation="C")
    reason = models.CharField(max_length=20)

    class Meta:
        """Read by agent and by validity."""

        verbose_name = "admission"
        indexes: ClassVar = [
            index("admission_of_agent", "agent", "from_tick"),
            index_of_copies("admission_copies"),
        ]


class KnownPlaceRow(ValidRowOfAgent):
    """A node that an agent knows, and its state when last seen (W3)."""

    node = models.CharField(max_length=300)
    state = models.TextField()

    class Meta:
        """One current row for each agent and node."""

        verbose_name = "known place"
        indexes: ClassVar = [
            index("known_of_agent", "agent", "node", "from_tick"),
            index_of_copies("known_place_copies"),
        ]


class SeenAgentRow(ValidRowOfAgent):
    """The action of another agent when last seen (X3)."""

    subject = models.CharField(max_length=120)
    description = models.TextField()
    area = models.CharField(max_length=300)

    class Meta:
        """One current row for each agent and subject."""

        verbose_name = "seen agent"
        indexes: ClassVar = [
            index("seen_of_agent", "agent", "subject", "from_tick"),
            # Every turn counts the sights since the last reflection.
            index("seen_in_tick", "agent", "from_tick"),
            index_of_copies("seen_copies"),
        ]


class TurnedAwayRow(RowOfAgent):
    """A refused attempt to enter an area or use an object (W5)."""

    tick = models.IntegerField()
    node = models.CharField(max_length=300)
    why = models.TextField()

    class Meta:
        """Read by agent and tick."""

        verbose_name = "refused attempt"
        indexes: ClassVar = [index("turned_away_of_agent", "agent", "tick")]


class ActReportRow(RowOfAgent):
    """The outcome of an act of an agent, or of a part of it."""

    tick = models.IntegerField()
    plan_item = models.IntegerField()
    kind = models.CharField(max_length=20)
    other = models.CharField(max_length=120, db_collation="C")
    outcome = models.CharField(max_length=20)
    area = models.CharField(max_length=300)

    class Meta:
        """Read by agent and plan item."""

        verbose_name = "report of an act"
        indexes: ClassVar = [index("act_report_of_item", "agent", "plan_item")]


class ObjectStateRow(CopiedOnWrite, HistoryRow):
    """The state of an object set by a user or left by an agent, until one acts on it (U3)."""

    inheritance: ClassVar = Inheritance(begins="from_tick", set_later={"to_tick": {}})

    simulation_id = models.UUIDField()
    object = models.CharField(max_length=300, db_collation="C")
    state = models.TextField()
    is_alarming = models.BooleanField(default=False)
    event = models.CharField(max_length=160, db_collation="C")
    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """Unique by event."""

        verbose_name = "set object state"
        constraints: ClassVar = [unique("object_state_identity", "event")]
        indexes: ClassVar = [index_of_copies("object_state_copies")]
