"""The ports of the engine, as wiring composes them, and the constants of one simulation."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from uuid import UUID

from apps.dialogue.utterances import RING_MINUTES, Spoken, speaking_ticks, speaking_ticks_max
from apps.eventlog.store import EventStore
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.memory.selection import RetrievalSettings
from apps.simulation import queries
from apps.simulation.settings import Attention, SimulationSettings
from apps.world.folders import WorldFolders
from apps.world.loading import world_named
from apps.world.norms import hours_of, may_enter
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The log, the models and the worlds, as wiring composes them."""

    store: EventStore
    worlds: WorldFolders
    open_models: Callable[[ModelSpec, int], Models]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The constants of a simulation: its world, seed, calendar and settings."""

    simulation_id: UUID
    world: World
    seed: int
    calendar: GameCalendar
    settings: SimulationSettings

    @property
    def attention(self) -> Attention:
        """The limits of perception."""
        return Attention(
            vision=self.settings.vision,
            bandwidth=self.settings.attention_bandwidth,
            retention_ticks=self.calendar.ticks_of(minutes=self.settings.retention_hours * 60),
            across_rooms=self.settings.noticed_across_rooms,
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
        """The number of ticks after which every utterance has been said in full."""
        return 1 + speaking_ticks_max(
            words_per_minute=self.settings.words_per_minute,
            tick_seconds=self.settings.tick_seconds,
        )

    @property
    def ring_ticks(self) -> int:
        """The number of ticks after which the other agent can answer a call."""
        return self.calendar.ticks_of(minutes=RING_MINUTES)

    @property
    def voice_ticks(self) -> int:
        """The number of ticks after which every utterance, also of a call, has been heard."""
        return self.hearing_ticks + (self.ring_ticks if self.world.phones else 0)

    def said_in_full_tick(self, said: Spoken) -> int:
        """Return the tick at which the addressee can have heard all of an utterance.

        The words that open a call are said when the other agent answers it.
        """
        ring_ticks = self.ring_ticks if said.rings else 0
        return said.tick + ring_ticks + self.speaking_ticks(said.text)

    @property
    def conversation_ticks(self) -> int:
        """The number of ticks in which the longest conversation is held."""
        return self.settings.talk_utterances_max * self.hearing_ticks

    @property
    def users_patience_ticks(self) -> int:
        """The number of ticks that agents wait for an utterance of an embodied agent."""
        return self.calendar.ticks_of(minutes=self.settings.users_patience_minutes)

    @property
    def reach(self) -> int:
        """The distance in tiles from an agent at which effects of its actions are visible.

        The effects of a use are visible at the whole of a large object, or of a room of
        limited capacity.
        """
        return 1 + self.world.widest_shared

    @property
    def knock_distance(self) -> int:
        """The distance in tiles at which a knock is heard; the lookahead guarantees no more."""
        return self.settings.vision + self.reach

    def minute_of_day(self, tick: int) -> int:
        """Return the game time at which the tick begins, in minutes after midnight."""
        time = self.calendar.time_at(tick)
        return time.hour * 60 + time.minute

    def is_closed_to(self, person: str, area: str, tick: int) -> str | None:
        """Return why the agent may not be in the area at the tick, None if it may (W5)."""
        if not area or hours_of(self.world.tree, area) is None:
            return None
        minute = self.minute_of_day(tick)
        return may_enter(self.world.tree, person=person, area=area, minute=minute)

    def closes_now(self, person: str, area: str, tick: int) -> bool:
        """Return whether the tick is the first at which the area is closed to the agent."""
        is_closed = self.is_closed_to(person, area, tick) is not None
        return is_closed and self.is_closed_to(person, area, tick - 1) is None

    def closing_tick(self, area: str, tick: int) -> int | None:
        """Return the first later tick at which the area closes, None if it never does."""
        hours = hours_of(self.world.tree, area) if area else None
        return None if hours is None else self._next_tick_at(hours[1], tick)

    def opening_tick(self, area: str, tick: int) -> int:
        """Return the first later tick at which the area opens.

        :raises ValueError: if the area has no hours.
        """
        hours = hours_of(self.world.tree, area)
        if hours is None:
            raise ValueError(f"{area!r} has no hours")
        return self._next_tick_at(hours[0], tick)

    def _next_tick_at(self, minute: int, tick: int) -> int:
        """Return the first tick after this one at so many minutes after midnight."""
        ahead = (minute - self.minute_of_day(tick)) % MINUTES_PER_DAY or MINUTES_PER_DAY
        now = self.calendar.time_at(tick).replace(second=0, microsecond=0)
        return self.calendar.tick_at(now + timedelta(minutes=ahead))

    @property
    def retrieval(self) -> RetrievalSettings:
        """The parameters of memory scores (M4)."""
        return self.settings.retrieval


def constants_at(simulation_id: UUID, worlds: WorldFolders, tick: int) -> Constants:
    """Return the constants by which a tick was lived; a branch may have changed them since.

    :raises WorldChanged: if the world's files are no longer those of its creation.
    """
    created = queries.get_creation(simulation_id, at_tick=tick)
    now = constants_of(simulation_id, worlds)
    return replace(now, seed=created.seed, settings=created.settings)


@lru_cache(maxsize=256)
def constants_of(simulation_id: UUID, worlds: WorldFolders) -> Constants:
    """Return the constants of the simulation; read once by each process.

    :raises WorldChanged: if the world's files are no longer those of its creation.
    """
    created = queries.get_creation(simulation_id)
    world = world_named(created.world, worlds)
    queries.ensure_world_unchanged(created, world.digest)
    return Constants(
        simulation_id=simulation_id,
        world=world,
        seed=created.seed,
        calendar=created.calendar,
        settings=created.settings,
    )
