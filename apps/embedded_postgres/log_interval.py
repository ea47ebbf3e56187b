"""Limits the frequency of a repeated log line."""

import time

SECONDS = 60.0


class LogInterval:
    """At most one line per interval; the first one immediately."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._next_at = 0.0

    def is_due(self) -> bool:
        """Return whether a line may be written now; if so, the next interval starts."""
        now = time.monotonic()
        if now < self._next_at:
            return False
        self._next_at = now + self._seconds
        return True

    def reset(self) -> None:
        """Allow the next line immediately, after the end of what was reported."""
        self._next_at = 0.0
