"""Projections: rows derived from the log, written in the transaction of the events.

Handlers are assignments: insert, update by key. They contain no decision, call nothing outside
the database and read no rows of other streams, so that the order between streams does not
matter (a live run writes in commit order, a rebuild in canonical order). `row_writing` has
what most of them do.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models

from apps.eventlog.event import Event, Recorded

Handler = Callable[[Any, Recorded], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A set of models, and the handler of each event type that changes them.

    `models` have a `simulation_id`; a rebuild drops their rows of one simulation. A handler
    takes an event of its type, and its record.
    """

    models: tuple[type[models.Model], ...]
    handlers: Mapping[type[Event], Handler]


class Projector:
    """Applies events to the rows of every projection."""

    def __init__(self, projections: Iterable[Projection]) -> None:
        self.projections = tuple(projections)
        self._handlers: dict[type[Event], list[Handler]] = {}
        for projection in self.projections:
            for event_type, handler in projection.handlers.items():
                self._handlers.setdefault(event_type, []).append(handler)

    @property
    def models(self) -> tuple[type[models.Model], ...]:
        """All models whose rows can be dropped and rebuilt."""
        return tuple(model for projection in self.projections for model in projection.models)

    def apply(self, recorded: Recorded) -> None:
        """Change the rows by the handlers of the event."""
        for handler in self._handlers.get(type(recorded.event), ()):
            handler(recorded.event, recorded)
