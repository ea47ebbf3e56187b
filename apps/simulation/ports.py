"""What the engine is given from outside, and what it knows of one simulation for good."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from apps.dialogue.rules import speaking_ticks, speaking_ticks_max
from apps.eventlog.store import EventStore
from apps.kernel.game_time import GameCalendar
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.memory.retrieval_session import RetrievalSettings
from apps.simulation import queries
from apps.simulation.attention import Attention
from apps.simulation.settings import SimulationSettings
from apps.world.loading import world_named
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The log, the models and the worlds, as wiring composes them."""

    store: EventStore
    worlds_root: Path
    open_models: Callable[[ModelSpec, int], Models]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What never changes in a simulation: its world, seed, calendar and settings."""

    simulation_id: UUID
    world: World
    seed: int
    calendar: GameCalendar
    settings: SimulationSettings

    @property
    def attention(self) -> Attention:
        """How far people see and how much they notice."""
        return Attention(
            vision=self.settings.vision,
            bandwidth=self.settings.attention_bandwidth,
            retention_ticks=self.calendar.ticks_of(minutes=self.settings.retention_hours * 60),
        )

    def speaking_ticks(self, text: str) -> int:
        """Return how many ticks it takes to say the text."""
        return speaking_ticks(
            text,
            words_per_minute=self.settings.words_per_minute,
            tick_seconds=self.settings.tick_seconds,
        )

    @property
    def hearing_ticks(self) -> int:
        """Return for how many ticks words that were said may still have to be heard."""
        return 1 + speaking_ticks_max(
            words_per_minute=self.settings.words_per_minute,
            tick_seconds=self.settings.tick_seconds,
        )

    @property
    def users_patience_ticks(self) -> int:
        """Return for how long one waits for the words of somebody whom a user speaks for."""
        return self.calendar.ticks_of(minutes=self.settings.users_patience_minutes)

    @property
    def reach(self) -> int:
        """How far from where people stand what they do can be seen, in tiles.

        What they do to a large object, or in a room that holds few, can be seen from as far
        as the object or room reaches.
        """
        return 1 + self.world.widest_shared

    @property
    def retrieval(self) -> RetrievalSettings:
        """How memories are scored (M4)."""
        return RetrievalSettings(
            tick_seconds=self.settings.tick_seconds,
            decay=self.settings.recency_decay,
            weights=self.settings.weights,
        )


@lru_cache(maxsize=256)
def constants_of(simulation_id: UUID, worlds_root: Path) -> Constants:
    """Return what never changes in the simulation; read once a process.

    :raises WorldChanged: if the world's files are no longer those that it was founded on.
    """
    founded = queries.founding_of(simulation_id)
    world = world_named(founded.world, worlds_root)
    queries.refuse_changed_world(founded, world.digest)
    return Constants(
        simulation_id=simulation_id,
        world=world,
        seed=founded.seed,
        calendar=GameCalendar(
            start=datetime.fromisoformat(founded.start),
            tick_seconds=founded.settings.tick_seconds,
        ),
        settings=founded.settings,
    )
