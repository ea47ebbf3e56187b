"""The context of planning: the agent, its knowledge of the world, and its memories."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.agents.identity import Identity
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import GameCalendar
from apps.memory.items import MemoryItem
from apps.planning.inputs import HourSlot
from apps.planning.options import AreaOption, PlaceOption
from apps.planning.rules import PlanDay, PlanningSettings
from apps.planning.surroundings import known_areas, known_places
from apps.planning.tiling import Span
from apps.world.tree import WorldTree


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningContext:
    """The context in which an agent plans.

    `memories` are within the token budget, best first; `known` are the paths of known nodes.
    """

    identity: Identity
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    known: frozenset[str]
    tree: WorldTree
    calendar: GameCalendar
    settings: PlanningSettings

    @property
    def home_place(self) -> str:
        """The path of the place of the home."""
        return self.tree.place_of(self.identity.home)

    @property
    def sleeping_area(self) -> str:
        """The path of the area of the bed."""
        return self.tree.area_of(self.identity.bed)

    def places(self) -> tuple[PlaceOption, ...]:
        """Return the candidate places of hours."""
        return known_places(
            self.tree, self.known, person=self.identity.name, home=self.identity.home
        )

    def areas(self, place: str) -> tuple[AreaOption, ...]:
        """Return the candidate areas of actions at the place of the path."""
        return known_areas(
            self.tree,
            self.known,
            place=self.tree.place_of(place),
            person=self.identity.name,
            home=self.identity.home,
        )

    def chunk_counts(self, day: PlanDay) -> tuple[int, int]:
        """Return the least and greatest number of waking chunks of the day (P1)."""
        asleep = 1 if day.asleep.ticks else 0
        bounds = (self.settings.outline_chunks_min, self.settings.outline_chunks_max)
        return max(1, bounds[0] - asleep), max(1, bounds[1] - asleep)

    def slot(self, activity: str, place: str, span: Span, day: str) -> HourSlot:
        """Return a span of the day, with its activity and place so far, as an input."""
        return HourSlot(
            from_minute=self.minute(span.from_tick, day),
            to_minute=self.minute(span.to_tick, day),
            activity=activity,
            place=place,
        )

    def minute(self, tick: int, day: str) -> int:
        """Return the minutes since the midnight of the day; they may exceed 1,440."""
        return (self.calendar.time_at(tick) - datetime.fromisoformat(day)) // timedelta(
            minutes=1
        )
