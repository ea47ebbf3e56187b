"""Moments in bodies: a game time or a tick, which becomes a tick of the simulation."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationInfo, WithJsonSchema

from apps.kernel.game_moments import (
    MOMENT_PATTERN,
    UnusableTime,
    first_tick_from,
    last_tick_until,
)
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.request_models import fault

_SCHEMA = WithJsonSchema(
    {
        "oneOf": [
            {"type": "string", "pattern": MOMENT_PATTERN},
            {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
        ]
    }
)


def _by(snap: Callable[[str | int, GameCalendar], int]) -> PlainValidator:
    def tick_of(value: Any, info: ValidationInfo) -> int:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise fault("write a game time or a tick")
        try:
            return snap(value, (info.context or {})["calendar"])
        except UnusableTime as error:
            raise fault(error.message, error.code) from None

    return PlainValidator(tick_of)


FirstTickFrom = Annotated[int, _by(first_tick_from), _SCHEMA]
"""The first tick that begins at or after a game time."""
LastTickUntil = Annotated[int, _by(last_tick_until), _SCHEMA]
"""The last tick that has begun by a game time."""
