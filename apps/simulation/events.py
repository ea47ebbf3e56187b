"""What happens to a simulation as a whole: its founding, and the choice of its model."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event
from apps.simulation.settings import TownSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationFounded(Event):
    """A town came to be: its world, its seed, and every setting that changes history.

    `start` is the game time of tick 0 (ISO 8601); `world_sha256` pins the world's content;
    vectors of this many dimensions come from this embedding model for good.
    """

    type: ClassVar[str] = "simulation.founded.v1"
    world: str
    world_sha256: str
    seed: int
    start: str
    settings: TownSettings
    embedding_model: str
    embedding_dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAdded(Event):
    """A user had a person come to town (U5, U7); in the stream of the commands.

    `by` names the user, `reason` is theirs; the person's own stream says who they are.
    """

    type: ClassVar[str] = "simulation.person-added.v1"
    agent: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSentAway(Event):
    """A user had a person leave town (U9, U7); in the stream of the commands."""

    type: ClassVar[str] = "simulation.person-sent-away.v1"
    agent: str
    by: str
    reason: str


EVENTS = (SimulationFounded, PersonAdded, PersonSentAway)
