"""The event as the log holds it, pinned: old logs must stay readable."""

from apps.eventlog.codec import EventRegistry
from apps.memory.events import EVENTS, SelfSummarised

DATA = {
    "core": "She is kind.",
    "occupation": "She runs a cafe.",
    "feeling": "She is glad.",
    "text": "Name: Isabella Rodriguez (age: 34)",
    "due_tick": 2160,
}


class TestSelfSummarised:
    def test_is_written_and_read_as_ever(self) -> None:
        registry = EventRegistry(EVENTS)
        event = SelfSummarised(
            core="She is kind.",
            occupation="She runs a cafe.",
            feeling="She is glad.",
            text="Name: Isabella Rodriguez (age: 34)",
            due_tick=2160,
        )
        assert registry.encode(event) == DATA
        assert registry.decode("self_summary.renewed.v1", DATA) == event
