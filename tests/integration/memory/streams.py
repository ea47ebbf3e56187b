"""A memory stream written by the real projection, for tests that need one."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

from apps.eventlog.event import Event, EventId, Recorded
from apps.eventlog.projection import Projector
from apps.kernel.game_time import GameCalendar
from apps.llm.embeddings import text_key
from apps.llm.models import EmbeddingRow
from apps.memory.events import (
    MemoriesRetrieved,
    MemoryFormed,
    MemoryKind,
    MemoryOrigin,
    ScheduledActivity,
    Weights,
)
from apps.memory.projections import MEMORY_STREAM

EMBEDDED_BY = "by-hand"
RECORDED_AT = datetime(2023, 2, 13, tzinfo=UTC)
CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)


class Stream:
    """One person's stream of one simulation."""

    def __init__(self, simulation_id: UUID | None = None, agent: str = "maria-lopez") -> None:
        self.simulation_id = simulation_id or uuid4()
        self.agent = agent
        self.memories: list[MemoryFormed] = []
        self.formed_ticks: dict[int, int] = {}
        self.retrievals: list[tuple[int, tuple[int, ...]]] = []
        self.events: list[Recorded] = []
        self._projector = Projector([MEMORY_STREAM])
        self._ordinals: dict[int, int] = {}

    def remember(
        self,
        tick: int,
        vector: Sequence[float],
        *,
        description: str | None = None,
        importance: int = 5,
        kind: MemoryKind = MemoryKind.OBSERVATION,
        perceived: bool = False,
        rated: bool = True,
        origin: MemoryOrigin = MemoryOrigin.UNKNOWN,
        scheduled: ScheduledActivity | None = None,
        subject: str = "",
        evidence: tuple[int, ...] = (),
    ) -> int:
        """Form a memory whose description has the vector; return its number."""
        number = len(self.memories) + 1
        event = MemoryFormed(
            number=number,
            kind=kind,
            description=description or f"{self.agent} remembers {list(vector)} as {number}",
            importance=importance,
            perceived=perceived,
            rated=rated,
            origin=origin,
            subject=subject,
            scheduled=scheduled,
            evidence=evidence,
            embedded_by=EMBEDDED_BY,
            dimensions=len(vector),
        )
        EmbeddingRow.objects.get_or_create(
            model=EMBEDDED_BY,
            dimensions=len(vector),
            text_sha256=text_key(event.description),
            defaults={"vector": list(vector)},
        )
        self.apply(tick, event)
        self.memories.append(event)
        self.formed_ticks[number] = tick
        return number

    def retrieve(self, tick: int, numbers: Iterable[int]) -> None:
        """Let memories be retrieved, as at a turn's end."""
        event = MemoriesRetrieved(
            purpose="test", query="?", weights=Weights(), decay=0.995, numbers=tuple(numbers)
        )
        self.apply(tick, event)
        self.retrievals.append((tick, event.numbers))

    def apply(self, tick: int, event: Event) -> None:
        """Write the event's rows, as an append would."""
        ordinal = self._ordinals.get(tick, 0)
        self._ordinals[tick] = ordinal + 1
        recorded = Recorded(
            simulation_id=self.simulation_id,
            place=EventId(tick, self.agent, ordinal),
            event=event,
            cause="",
            model_calls=(),
            position=len(self.events) + 1,
            recorded_at=RECORDED_AT,
        )
        self._projector.apply(recorded)
        self.events.append(recorded)

    def last_retrieved(self, number: int, as_of_tick: int) -> int | None:
        """Return what `last_retrieved_tick` must be, from what was done."""
        ticks = [
            tick
            for tick, numbers in self.retrievals
            if number in numbers and tick <= as_of_tick
        ]
        return max(ticks, default=None)
