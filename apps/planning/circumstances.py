"""What planning knows of an agent, and the times of its day."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.agents.identity import Identity
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import GameCalendar
from apps.memory.items import MemoryItem
from apps.planning.offers import OfferedArea, OfferedPlace
from apps.planning.rules import PlanningSettings
from apps.planning.surroundings import known_areas, known_places
from apps.world.tree import WorldTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The agent that plans, what it knows of the world, and what it remembers.

    `memories` fit the token budget, best first; `known` are node paths.
    """

    identity: Identity
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    known: frozenset[str]
    tree: WorldTree
    calendar: GameCalendar
    settings: PlanningSettings = field(default_factory=PlanningSettings)

    @property
    def home_place(self) -> str:
        """The path of the place that the home is in."""
        return self.tree.place_of(self.identity.home)

    @property
    def sleeping_area(self) -> str:
        """The path of the area that the bed is in."""
        return self.tree.area_of(self.identity.bed)

    def places(self) -> tuple[OfferedPlace, ...]:
        """Return the places that can be planned with."""
        return known_places(self.tree, self.known, person=self.identity.name)

    def areas(self, place: str) -> tuple[OfferedArea, ...]:
        """Return the areas that can be planned with at the place of the path."""
        return known_areas(
            self.tree, self.known, place=self.tree.place_of(place), person=self.identity.name
        )

    def minute(self, tick: int, day: str) -> int:
        """Return the minutes from the midnight that began the day; they may pass 1,440."""
        return (self.calendar.time_at(tick) - datetime.fromisoformat(day)) // timedelta(
            minutes=1
        )
