"""Says when a line that could be written very often is to be written again."""

import time

SECONDS = 60.0


class LogInterval:
    """At most one line in an interval; the first one at once."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._next_at = 0.0

    def is_due(self) -> bool:
        """Return whether a line may be written now, and begin the next interval if so."""
        now = time.monotonic()
        if now < self._next_at:
            return False
        self._next_at = now + self._seconds
        return True

    def reset(self) -> None:
        """Let the next line be written at once, as after what was reported is over."""
        self._next_at = 0.0
