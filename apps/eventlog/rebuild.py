"""Rebuilds the rows of a simulation from its log, and checks that they are equal (V1)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import models, transaction

from apps.eventlog.event import COMMANDS_STREAM, Recorded
from apps.eventlog.models import EventRow
from apps.eventlog.store import EventStore, acquire_append_lock, log_sha256
from apps.lineage.branches import branches_of, parents_of
from apps.lineage.history_rows import own_rows
from apps.lineage.statements import copy_current_rows

_DIFFERENCES_SHOWN_MAX = 10


class Order(StrEnum):
    """The order in which a rebuild reads the log; every order must give the same rows."""

    CANONICAL = "canonical"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCheck:
    """The result of `check`: without problems, rows and log are equal."""

    events: int
    rows: int
    log_sha256: str
    problems: tuple[str, ...]


def rebuild(store: EventStore, simulation_id: UUID, *, order: Order = Order.CANONICAL) -> int:
    """Drop the simulation's rows and write them from the log; return the number of events.

    Copies of its rows in branches name their keys, which change: the branches are rebuilt, too.
    """
    applied = 0
    with transaction.atomic():
        for simulation in (simulation_id, *branches_of(simulation_id)):
            acquire_append_lock(simulation)
            _drop_rows(store, simulation)
        for simulation in (simulation_id, *branches_of(simulation_id)):
            if parent := parents_of([simulation]).get(simulation):
                copy_current_rows(simulation, parent.simulation_id, parent.until_tick)
            for recorded in _read(store, simulation, order):
                store.projector.apply(recorded)
                applied += 1
    return applied


def _drop_rows(store: EventStore, simulation_id: UUID) -> None:
    """Drop the rows of the simulation itself, not those that it inherits."""
    for model in store.projector.models:
        own_rows(model, simulation_id).delete()


def check(store: EventStore, simulation_id: UUID) -> LogCheck:
    """Check that the log is complete and that the rows equal a rebuild; change nothing."""
    problems = list(_log_problems(simulation_id))
    with transaction.atomic():
        acquire_append_lock(simulation_id)
        before = _rows_as_text(store, simulation_id)
        rebuild(store, simulation_id)
        after = _rows_as_text(store, simulation_id)
        transaction.set_rollback(True)
    problems.extend(_differences(before, after))
    return LogCheck(
        events=EventRow.objects.filter(simulation_id=simulation_id).count(),
        rows=sum(len(rows) for rows in before.values()),
        log_sha256=log_sha256(simulation_id),
        problems=tuple(problems),
    )


def _read(store: EventStore, simulation_id: UUID, order: Order) -> Iterable[Recorded]:
    events = store.read(simulation_id, is_own=True)
    if order is Order.COMMIT:
        return sorted(events, key=lambda recorded: recorded.position)
    return events


def _log_problems(simulation_id: UUID) -> Iterator[str]:
    """Yield gaps in a turn's ordinals and turns that were not written in order of ticks."""
    rows = EventRow.objects.filter(simulation_id=simulation_id).order_by("position")
    ordinals: Counter[tuple[str, int]] = Counter()
    last_ticks: dict[str, int] = {}
    for tick, stream, ordinal in rows.values_list("tick", "stream", "ordinal").iterator():
        expected = ordinals[stream, tick]
        if ordinal != expected:
            yield f"{tick}/{stream}: ordinal {expected} is missing before {ordinal}"
        ordinals[stream, tick] = ordinal + 1
        before = last_ticks.get(stream, 0)
        # A command takes effect at the clock of its agent: an earlier tick may come later.
        if tick < before and stream != COMMANDS_STREAM:
            yield f"{tick}/{stream}/{ordinal} was committed after tick {before}"
        last_ticks[stream] = tick
    if not last_ticks:
        yield "the log has no events of this simulation"


def _rows_as_text(store: EventStore, simulation_id: UUID) -> dict[str, list[str]]:
    """Return the rows of each projection as text, without primary keys."""
    return {
        model._meta.label: [
            repr(row)
            for row in model._default_manager.filter(simulation_id=simulation_id)
            .values_list(*_comparable_fields(model))
            .iterator()
        ]
        for model in store.projector.models
    }


def _comparable_fields(model: type[models.Model]) -> list[str]:
    # A generated key depends on the order in which rows were written.
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not field.primary_key and field.attname != "copied_from"
    ]


def _differences(before: dict[str, list[str]], after: dict[str, list[str]]) -> Iterator[str]:
    for label, rows in before.items():
        surplus = _minus(rows, after[label])
        missing = _minus(after[label], rows)
        for row in surplus[:_DIFFERENCES_SHOWN_MAX]:
            yield f"{label}: the log does not imply {row}"
        for row in missing[:_DIFFERENCES_SHOWN_MAX]:
            yield f"{label}: the log implies {row}, which is missing"


def _minus(rows: list[str], others: list[str]) -> list[str]:
    return sorted((Counter(rows) - Counter(others)).elements())
