"""The events as the log holds them, pinned: old logs must stay readable."""

from datetime import datetime

from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import Event
from apps.memory.events import (
    EVENTS,
    MemoriesRated,
    MemoriesRepeated,
    MemoriesRetrieved,
    MemoryFormed,
    MemoryKind,
    MemoryOrigin,
    MemorySuperseded,
    ScheduledActivity,
    Weights,
)

GOLDEN: dict[str, tuple[Event, dict[str, object]]] = {
    "memory.formed.v1": (
        MemoryFormed(
            number=3,
            kind=MemoryKind.REFLECTION,
            description="Klaus Mueller works too hard",
            importance=6,
            evidence=(1, 2),
            subject="klaus-mueller",
            perceived=False,
            embedded_by="hashing-v1",
            dimensions=384,
            origin=MemoryOrigin.AGREED,
            scheduled=ScheduledActivity(
                activity="come to the party", starts=datetime(2023, 2, 14, 17)
            ),
        ),
        {
            "number": 3,
            "kind": "reflection",
            "description": "Klaus Mueller works too hard",
            "importance": 6,
            "embedded_by": "hashing-v1",
            "dimensions": 384,
            "evidence": [1, 2],
            "subject": "klaus-mueller",
            "perceived": False,
            "origin": "agreed",
            "scheduled": {
                "activity": "come to the party",
                "place": "",
                "starts": "2023-02-14T17:00:00",
                "ends": None,
                "cancelled": False,
                "outcome": None,
                "present": [],
                "absent": [],
            },
            "rated": True,
            "action": None,
            "activity": "",
        },
    ),
    "memory.repeated.v1": (MemoriesRepeated(numbers=(3, 7)), {"numbers": [3, 7]}),
    "memory.rated.v1": (
        MemoriesRated(numbers=(3, 7), importances=(1, 8)),
        {"numbers": [3, 7], "importances": [1, 8]},
    ),
    "memory.superseded.v1": (
        MemorySuperseded(number=7, event="610/klaus-mueller/1"),
        {"number": 7, "event": "610/klaus-mueller/1"},
    ),
    "memory.retrieved.v1": (
        MemoriesRetrieved(
            purpose="planning.day_outline",
            query="what Klaus Mueller does on a Monday",
            weights=Weights(recency=1, importance=0.5, relevance=2),
            decay=0.995,
            numbers=(3, 1),
        ),
        {
            "purpose": "planning.day_outline",
            "query": "what Klaus Mueller does on a Monday",
            "weights": {"recency": 1, "importance": 0.5, "relevance": 2},
            "decay": 0.995,
            "numbers": [3, 1],
        },
    ),
}


class TestEvents:
    def test_are_written_and_read_as_ever(self) -> None:
        registry = EventRegistry(EVENTS)
        assert set(registry.type_names) == set(GOLDEN)
        for name, (event, data) in GOLDEN.items():
            assert registry.encode(event) == data
            assert registry.decode(name, data) == event
