"""Projections: rows derived from the log, written in the transaction of the events.

Handlers are assignments: insert, update by key. They contain no decision, call nothing outside
the database and read no rows of other streams, so that the order between streams does not
matter (a live run writes in commit order, a rebuild in canonical order). Most of them insert
rows of which a column has the value of the event's field of its name.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

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


_Row = TypeVar("_Row", bound=models.Model)


def insert(model: type[models.Model], recorded: Recorded, **values: Any) -> None:
    """Insert the row of an event."""
    row_of(model, recorded, recorded.event, **values).save(force_insert=True)


def inserting(model: type[models.Model]) -> Handler:
    """Return the handler that inserts the row of an event."""

    def handle(_event: Event, recorded: Recorded) -> None:
        insert(model, recorded)

    return handle


def row_of(model: type[_Row], recorded: Recorded, source: Any, **values: Any) -> _Row:
    """Return the row of an event, or of a part of it, without inserting it.

    A column is one of `values`, else the field of `source` of its name, else the tick, the
    stream, the ordinal or the id of the event.
    """
    found = _of_record(recorded) | fields_of(source) | values
    return model(**{name: found[name] for name in _columns(model) if name in found})


def agent_rows(model: type[_Row], recorded: Recorded, **of: Any) -> models.QuerySet[_Row]:
    """Return the rows of the agent whose event it is, under these conditions."""
    return model._default_manager.filter(
        simulation_id=recorded.simulation_id, agent=recorded.stream, **of
    )


def close(model: type[models.Model], recorded: Recorded, **of: Any) -> None:
    """End the current rows of the agent at the tick of the event."""
    agent_rows(model, recorded, to_tick=None, **of).update(to_tick=recorded.tick)


def fields_of(source: Any) -> dict[str, Any]:
    """Return the fields of a dataclass as columns have them: words, lists and mappings."""
    return {field.name: _plain(getattr(source, field.name)) for field in fields(source)}


def _of_record(recorded: Recorded) -> dict[str, Any]:
    return {
        "simulation_id": recorded.simulation_id,
        "agent": recorded.stream,
        "tick": recorded.tick,
        "from_tick": recorded.tick,
        "ordinal": recorded.place.ordinal,
        "event": str(recorded.place),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return fields_of(value) if is_dataclass(value) else value


@cache
def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)
