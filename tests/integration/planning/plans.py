"""Plans written through the log, for tests that need rows."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from uuid import UUID, uuid4

from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import Event
from apps.eventlog.projection import Projector
from apps.eventlog.store import EventStore, NewEvent
from apps.kernel.game_time import GameCalendar
from apps.planning.events import (
    EVENTS,
    ActionsPlanned,
    DayOutlined,
    HoursPlanned,
    PlannedAction,
    PlannedItem,
)
from apps.planning.projections import PROJECTIONS

HOUR = 360  # in ticks of 10 seconds
AGENT = "klaus-mueller"
CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)
MONDAY, TUESDAY = "2023-02-13", "2023-02-14"


def store() -> EventStore:
    return EventStore(EventRegistry(EVENTS), Projector(PROJECTIONS))


class Planner:
    """One person's plans of one simulation; hours are hours since the founding."""

    def __init__(self, simulation_id: UUID | None = None, agent: str = AGENT) -> None:
        self.simulation_id = simulation_id or uuid4()
        self.agent = agent
        self.store = store()
        self._number = 0

    def append(self, at_hour: float, *events: Event) -> None:
        self.store.append(
            simulation_id=self.simulation_id,
            tick=round(at_hour * HOUR),
            stream=self.agent,
            events=[NewEvent(event=event) for event in events],
        )

    def items(
        self, *edges: float, parent: int = 0, of: str = "chunk"
    ) -> tuple[PlannedItem, ...]:
        """Return items between the hours, "chunk 1", "chunk 2", …, the last one asleep."""
        spans = list(pairwise(edges))
        return tuple(
            PlannedItem(
                number=self._next(),
                parent=parent,
                description=f"{of} {index}",
                place="Oak Hill College: library",
                from_tick=round(start * HOUR),
                to_tick=round(end * HOUR),
                asleep=index == len(spans),
            )
            for index, (start, end) in enumerate(spans, start=1)
        )

    def day(self, *edges: float, day: str = MONDAY, of: str = "chunk") -> Sequence[Event]:
        """Return a day of chunks between the hours, each planned as one hour."""
        chunks = self.items(*edges, of=of)
        hours = tuple(
            PlannedItem(
                number=self._next(),
                parent=chunk.number,
                description=f"hour of {chunk.description}",
                place=chunk.place,
                from_tick=chunk.from_tick,
                to_tick=chunk.to_tick,
                asleep=chunk.asleep,
            )
            for chunk in chunks
        )
        return DayOutlined(day=day, items=chunks), HoursPlanned(day=day, items=hours)

    def actions(self, hour: PlannedItem, *edges: float, of: str = "action") -> ActionsPlanned:
        spans = list(pairwise(edges))
        return ActionsPlanned(
            parent=hour.number,
            items=tuple(
                PlannedAction(
                    number=self._next(),
                    parent=hour.number,
                    description=f"{of} {index}",
                    area="Oak Hill College: library",
                    object="Oak Hill College: library: tables",
                    object_state="in use for writing",
                    emoji="📝",
                    from_tick=round(start * HOUR),
                    to_tick=round(end * HOUR),
                    asleep=False,
                )
                for index, (start, end) in enumerate(spans, start=1)
            ),
        )

    def _next(self) -> int:
        self._number += 1
        return self._number
