"""Every type of event that the log has ever held can still be read, and reads the same."""

import json
from pathlib import Path

import pytest

from apps import wiring
from apps.eventlog.codec import EventRegistry, UnknownEventType, UnreadableEvent

GOLDEN = Path(__file__).parent / "golden"
PAYLOADS = sorted(GOLDEN.glob("*.json"))
REGISTRY = EventRegistry(wiring.EVENTS, wiring.UPCASTERS)


class TestGoldenPayloads:
    def test_are_there_for_every_type(self) -> None:
        assert {path.stem for path in PAYLOADS} >= set(REGISTRY.type_names)

    @pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
    def test_are_read_and_written_the_same(self, path: Path) -> None:
        payload = json.loads(path.read_text())
        event = REGISTRY.decode(path.stem, payload)
        written = REGISTRY.encode(event)
        # Fields that came later have defaults, so that older payloads stay readable.
        assert contains(written, payload)
        assert REGISTRY.decode(path.stem, written) == event


def contains(written: object, payload: object) -> bool:
    """Return whether the data has all fields of the older data, at every level."""
    if isinstance(written, dict) and isinstance(payload, dict):
        return all(
            field in written and contains(written[field], value)
            for field, value in payload.items()
        )
    if isinstance(written, list) and isinstance(payload, list):
        return len(written) == len(payload) and all(map(contains, written, payload))
    return written == payload


class TestEventRegistry:
    def test_refuses_a_type_that_it_does_not_know(self) -> None:
        with pytest.raises(UnknownEventType, match="run the version"):
            REGISTRY.decode("agents.vanished.v1", {})

    def test_refuses_data_that_does_not_fit(self) -> None:
        with pytest.raises(UnreadableEvent, match=r"agents\.places-learnt"):
            REGISTRY.decode("agents.places-learnt.v1", {"nodes": 3})
