"""Log lines about what many clients can cause at will: one a minute, with a count."""

import time
from typing import Any

import structlog

EVERY_SECONDS = 60.0

logger = structlog.get_logger("apps.api.server")


class RareWarning:
    """A warning that is logged at most once a minute, with the number of times it was due."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._count = 0
        self._details: dict[str, Any] = {}
        self._logged_at = -EVERY_SECONDS

    @property
    def is_pending(self) -> bool:
        """Whether something was counted that is not logged yet."""
        return self._count > 0

    def note(self, **details: Any) -> None:
        """Count one more; `details` of the latest one stand in the line."""
        self._count += 1
        self._details = details
        self.flush()

    def flush(self) -> None:
        """Log what was counted, unless a line was logged within the last minute."""
        now = time.monotonic()
        if self.is_pending and now - self._logged_at >= EVERY_SECONDS:
            logger.warning(self._event, count=self._count, **self._details)
            self._count, self._logged_at = 0, now
