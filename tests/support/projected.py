"""A log whose events are written into the rows of some projections."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import uuid4

from django.db import models

from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import COMMANDS_STREAM, CommandEvent, Event
from apps.eventlog.projection import Projection, Projector
from apps.eventlog.rebuild import Order, check, rebuild
from apps.eventlog.store import EventStore, NewEvent

_KEYS = {"id", "simulation_id", "copied_from"}


class ProjectedLog:
    """The log of one simulation."""

    def __init__(
        self, events: Sequence[type[Event]], projections: Sequence[Projection]
    ) -> None:
        self.simulation_id = uuid4()
        self.store = EventStore(EventRegistry(events), Projector(projections))

    def append(self, tick: int, agent: str, *events: Event) -> None:
        """Append the events of one turn or, of commands, to the stream of commands."""
        are_commands = isinstance(events[0], CommandEvent)
        self.store.append(
            simulation_id=self.simulation_id,
            tick=tick,
            stream=COMMANDS_STREAM if are_commands else agent,
            events=[NewEvent(event=event) for event in events],
            allow_same_tick=are_commands,
        )

    def rows(
        self, model: type[models.Model], *fields: str, **conditions: Any
    ) -> list[tuple[Any, ...]]:
        """Return these fields of the rows of the simulation, in order."""
        found = model._default_manager.filter(simulation_id=self.simulation_id, **conditions)
        return sorted(found.values_list(*fields), key=repr)

    def row(self, model: type[models.Model], **conditions: Any) -> dict[str, Any]:
        """Return the fields of the only row, without its keys."""
        found = model._default_manager.filter(simulation_id=self.simulation_id, **conditions)
        [row] = found.values()
        return {name: row[name] for name in row if name not in _KEYS}

    def snapshot(
        self, projected: Iterable[type[models.Model]], **conditions: Any
    ) -> list[list[dict[str, Any]]]:
        """Return these rows of the simulation with all their columns, keys included."""
        return [
            list(
                model._default_manager.filter(simulation_id=self.simulation_id, **conditions)
                .order_by("pk")
                .values()
            )
            for model in projected
        ]

    def problems(self) -> tuple[str, ...]:
        """Return where the rows differ from those of a rebuild, in both orders."""
        canonical = check(self.store, self.simulation_id).problems
        rebuild(self.store, self.simulation_id, order=Order.COMMIT)
        return canonical + check(self.store, self.simulation_id).problems
