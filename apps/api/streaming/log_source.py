"""Reads the log for the streams of a process, in few threads that release connections."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from uuid import UUID

import psycopg
from django.db import InterfaceError, OperationalError, connection

from apps.api.resources.events import LoggedEvent
from apps.api.streaming.feed import (
    NOTHING_PUBLISHED,
    EventFilter,
    Snapshot,
    SourceUnavailable,
    WireEvent,
    event_block,
)
from apps.eventlog.event import EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import last_event_id
from apps.eventlog.store import events_of
from apps.kernel import game_moments
from apps.kernel.game_time import GameCalendar
from apps.simulation.queries import find_simulation

THREADS_MAX = 4
"""Connections to the database that all streams of a process take at most."""
_threads = ThreadPoolExecutor(THREADS_MAX, thread_name_prefix="stream")
_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)

Inputs = ParamSpec("Inputs")
Answer = TypeVar("Answer")


async def in_thread(
    ask: Callable[Inputs, Answer], *inputs: Inputs.args, **named: Inputs.kwargs
) -> Answer:
    """Return what a function that reads the database returns, without blocking the loop.

    :raises SourceUnavailable: if the database does not answer.
    """

    def requested() -> Answer:
        try:
            return ask(*inputs, **named)
        except _AWAY as error:
            raise SourceUnavailable(str(error)) from error
        finally:
            connection.close()

    return await asyncio.get_running_loop().run_in_executor(_threads, requested)


class LogSource:
    """Reads one simulation for its feed."""

    def __init__(self, simulation_id: UUID, calendar: GameCalendar) -> None:
        self._simulation_id = simulation_id
        self._calendar = calendar

    async def snapshot(self) -> Snapshot | None:
        """Return its state, None if it was deleted."""
        return await in_thread(read_snapshot, self._simulation_id, self._calendar)

    async def events(
        self, *, after: EventId, until_tick: int, limit: int, event_filter: EventFilter
    ) -> list[WireEvent]:
        """Return the first events after a place and up to a tick."""
        return await in_thread(
            read_wire_events,
            self._simulation_id,
            self._calendar,
            after=after,
            until_tick=until_tick,
            limit=limit,
            event_filter=event_filter,
        )

    def time_at(self, tick: int) -> str:
        """Return the game time of a tick."""
        return game_moments.iso(self._calendar.time_at(tick))


def read_snapshot(simulation_id: UUID, calendar: GameCalendar) -> Snapshot | None:
    """Return the state of the simulation, None if there is none."""
    row = find_simulation(simulation_id)
    if row is None:
        return None
    tick = published_tick(row.committed_tick)
    until = row.until_tick
    return Snapshot(
        tick=tick,
        last=last_event_id(simulation_id, until_tick=tick),
        status={
            "status": row.status,
            "reason": row.reason,
            "pace": row.pace,
            "end_at": None if until is None else game_moments.iso(calendar.time_at(until)),
            "end_tick": until,
        },
    )


def published_tick(committed_tick: int) -> int:
    """Return the last tick that may be published.

    Agents can be added to tick 0 of a simulation that has not run: it is published with tick 1.
    """
    return committed_tick if committed_tick > 0 else NOTHING_PUBLISHED


def read_wire_events(
    simulation_id: UUID,
    calendar: GameCalendar,
    *,
    after: EventId,
    until_tick: int,
    limit: int,
    event_filter: EventFilter,
) -> list[WireEvent]:
    """Return the first events after a place and up to a tick, with their blocks."""
    streams = [] if event_filter.stream is None else [event_filter.stream]
    rows = events_of(simulation_id, after=after, until_tick=until_tick, streams=streams)
    if event_filter.types is not None:
        rows = rows.filter(type__in=event_filter.types)
    # One for all of them: making its fields costs more than representing an event.
    serializer = LoggedEvent(context={"calendar": calendar})
    return [_wire_event(row, serializer) for row in rows[:limit]]


def _wire_event(row: EventRow, serializer: LoggedEvent) -> WireEvent:
    place = row.place
    document = serializer.to_representation(row)
    return WireEvent(place=place, type=row.type, block=event_block(str(place), document))
