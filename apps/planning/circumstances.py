"""What planning is given of a person, and how ticks are told as times of their day."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.agents.identity import Identity
from apps.kernel.game_time import GameCalendar
from apps.planning.offers import OfferedArea, OfferedPlace, spoken_minute
from apps.planning.rules import PlanningSettings
from apps.planning.surroundings import known_areas, known_places
from apps.planning.tiling import Span
from apps.world.tree import WorldTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Who plans, what they know of the town, and what comes to their mind.

    `memories` are descriptions, as many as fit the token budget; `known` are node paths.
    """

    identity: Identity
    summary: str
    memories: Sequence[str]
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

    def date(self, day: str) -> str:
        """Return the day as prompts say it: "Monday, February 13, 2023"."""
        began = datetime.fromisoformat(day)
        return f"{began:%A, %B} {began.day}, {began.year}"

    def plan_in_words(self, description: str, *, place: str, span: Span, day: str) -> str:
        """Return a plan memory: "<name> plans to … at … from … to … on Monday, February 13"."""
        began = datetime.fromisoformat(day)
        where = self.tree.words(place)
        told = description if where in description else f"{description} at {where}"
        start = spoken_minute(self.minute(span.from_tick, day))
        end = spoken_minute(self.minute(span.to_tick, day))
        return (
            f"{self.identity.name} plans {told} from {start} to {end} "
            f"on {began:%A, %B} {began.day}"
        )
