"""Moments in the options of commands: a game time or a tick."""

from datetime import datetime
from uuid import UUID

from django.core.management.base import CommandError

from apps.simulation import queries


def tick_of(simulation_id: UUID, text: str) -> int:
    """Return the tick of a game time such as 2023-02-13T08:00, or the tick itself.

    :raises CommandError: if the text is neither.
    """
    if text.isdecimal():
        return int(text)
    try:
        return queries.calendar_of(simulation_id).tick_at(datetime.fromisoformat(text))
    except ValueError as error:
        raise CommandError(f"{text!r} is neither a game time nor a tick") from error
