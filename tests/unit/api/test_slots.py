"""Slots for long responses are counted by process and by user."""

import gc

import pytest

from apps.api.http.long_responses import ConnectionSlot, ConnectionSlots
from apps.api.http.request_errors import StreamsTaken, TooManyStreams


class TestSlots:
    def test_are_counted_by_process_and_by_user_and_released_once(self) -> None:
        slots = ConnectionSlots(
            "streams", all_taken=StreamsTaken, too_many=TooManyStreams, hint="close one"
        )
        one = slots.acquire(1, slots_max=3, slots_per_user_max=2)
        two = slots.acquire(1, slots_max=3, slots_per_user_max=2)
        with pytest.raises(TooManyStreams, match="close one"):
            slots.acquire(1, slots_max=3, slots_per_user_max=2)
        other = slots.acquire(2, slots_max=3, slots_per_user_max=2)
        with pytest.raises(StreamsTaken):
            slots.acquire(3, slots_max=3, slots_per_user_max=2)
        one.release()
        one.release()
        assert slots.taken == 2
        assert isinstance(slots.acquire(3, slots_max=3, slots_per_user_max=2), ConnectionSlot)
        gc.collect()
        # A slot that nothing refers to is free again.
        assert slots.taken == 2
        del two, other
        gc.collect()
        assert slots.taken == 0
