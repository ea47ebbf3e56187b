"""The context of planning: the agent, its knowledge of the world, and its memories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from apps.agents.status import AgentStatus, Agreement, PlannedTime, PromiseToTell
from apps.agents.summary import AgentSummary, Identity
from apps.kernel.game_time import GameCalendar
from apps.memory.items import MemoryItem, without_outlined
from apps.planning.inputs import HourSlot, IntendedTalk
from apps.planning.rules import PlanningSettings
from apps.planning.surroundings import AreaOption, PlaceOption, known_areas, known_places
from apps.planning.tiling import Span
from apps.world.tree import WorldTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An area of the home of another agent, to which the agent will be admitted.

    An agreement with a resident, which ends at `ends`, names it; from `starts` on the agent
    may come.
    """

    area: str
    starts: datetime
    ends: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningContext:
    """The context in which an agent plans.

    `memories` are within the token budget, best first; `agreements` are open, in order of
    time, and `promises` to pass something on; `outline` is the plan of the day in broad
    strokes; `put_off` are the talks that were left for later; `known` are the paths of known
    nodes; `here` is where the agent is, in words; `status` is what it really does;
    `invitations` are those of open agreements;
    `walks` are minutes on foot from here by area, and
    `walks_from` returns those from the area of a path.
    """

    identity: Identity
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    agreements: tuple[Agreement, ...] = ()
    promises: tuple[PromiseToTell, ...] = ()
    outline: tuple[PlannedTime, ...] = ()
    put_off: tuple[IntendedTalk, ...] = ()
    known: frozenset[str]
    tree: WorldTree
    calendar: GameCalendar
    settings: PlanningSettings
    here: str = ""
    status: AgentStatus | None = None
    invitations: tuple[Invitation, ...] = ()
    walks: Mapping[str, int] = field(default_factory=dict)
    walks_from: Callable[[str], Mapping[str, int]] = lambda _area: {}

    @property
    def home_place(self) -> str:
        """The path of the place of the home."""
        return self.tree.place_of(self.identity.home)

    @property
    def sleeping_area(self) -> str:
        """The path of the area of the bed."""
        return self.tree.area_of(self.identity.bed)

    def inputs(self, day: date) -> dict[str, Any]:
        """Return what the inputs of all tasks have in common (`PlanInput`).

        The memories are without what was once planned for the day of the outline.
        """
        return {
            "agent_name": self.identity.name,
            "summary": self.summary,
            "memories": without_outlined(self.memories, self.outline),
            "agreements": self.agreements,
            "promises": self.promises,
            "outline": self.outline,
            "put_off": self.put_off,
            "date": day,
        }

    def places(self) -> tuple[PlaceOption, ...]:
        """Return the candidate places of hours, with the walks to them."""
        offered = known_places(
            self.tree,
            self.known,
            person=self.identity.name,
            home=self.identity.home,
            invited={one.area for one in self.invitations},
        )
        return tuple(replace(one, walk_minutes=self.walk_to(one.path)) for one in offered)

    def walk_to(self, path: str) -> int | None:
        """Return the minutes to the nearest area of a place, None if they are not known."""
        inside = (
            minutes
            for area, minutes in self.walks.items()
            if area == path or area.startswith(f"{path}: ")
        )
        return min(inside, default=None)

    def areas(self, place: str, during: Span | None = None) -> tuple[AreaOption, ...]:
        """Return the candidate areas of actions at the place of the path.

        An area of an invitation is among them if it holds in the span.
        """
        return known_areas(
            self.tree,
            self.known,
            place=self.tree.place_of(place),
            person=self.identity.name,
            home=self.identity.home,
            invited={
                one.area
                for one in self.invitations
                if during is not None
                and self.calendar.tick_at(one.starts) < during.to_tick
                and self.calendar.tick_at(one.ends) > during.from_tick
            },
        )

    def agreed_ticks(self) -> tuple[int, ...]:
        """Return the ticks at which agreements begin and end."""
        return tuple(
            self.calendar.tick_at(time)
            for agreement in self.agreements
            for time in (agreement.starts, agreement.ends)
        )

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

    def tick(self, minute: int, day: str) -> int:
        """Return the tick of the minute since the midnight of the day."""
        return self.calendar.tick_at(datetime.fromisoformat(day) + timedelta(minutes=minute))
