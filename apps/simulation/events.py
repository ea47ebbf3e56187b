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


EVENTS = (SimulationFounded,)
