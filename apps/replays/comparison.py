"""Takes the turns of a history again from recorded answers, and compares their events (V5).

A replay writes nothing and calls no model. It checks a version of the code against an existing
history: each turn reads what it read then, gets the answers that are on the call log, and has
to lead to the events that are on the log.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from apps import history
from apps.agents.events import ActionBegan, AgentJoined, AgentLeft, AgentReturned
from apps.eventlog.models import EventRow
from apps.eventlog.queries import events_of_turn, find_event
from apps.history import STREAMS_OF_USERS, Constants, Event, EventId
from apps.kernel.errors import SmallvilleError
from apps.llm.recorded_answers import RepeatedCall
from apps.simulation.events import AgentRemoved
from apps.simulation.ports import Ports, constants_at
from apps.simulation.turn.preparation import PREPARATION_TICK
from apps.simulation.turn.repeated_turns import RepeatedTurn

# The events of the creation at tick 0, when no agent takes a turn.
_CREATION_EVENTS = frozenset({AgentJoined.type, ActionBegan.type})


@dataclass(frozen=True, slots=True, kw_only=True)
class EventVersion:
    """An event as it is on the log, or as the turn leads to it now."""

    type: str
    data: dict[str, Any]
    cause: str
    model_calls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCall:
    """A call that a turn makes again: its messages now and when it was recorded.

    `recorded` is None if there is no such call on the log. A request with other messages,
    another schema or another template `is_changed`.
    """

    call_id: str
    messages: list[dict[str, str]]
    """Of now."""
    recorded: list[dict[str, str]] | None
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """The first event that differs: both versions, and the calls of the turn.

    A version is None where the turn has no event of that number. `error` is the reason that
    the turn could not be taken again, "" if it could.
    """

    event: EventId
    logged: EventVersion | None
    """As on the log; null if it is not there."""
    replayed: EventVersion | None
    """As the turn leads to it now; null if it does not."""
    calls: tuple[ComparedCall, ...]
    error: str = ""


@dataclass(slots=True, kw_only=True)
class Replay:
    """What a replay has compared so far.

    `tick` is that of the latest turn; `changed_call` is the id of the first call with another
    request than the recorded one.
    """

    tick: int = 0
    turns: int = 0
    events: int = 0
    calls: int = 0
    changed_calls: int = 0
    changed_call: str = ""
    divergence: Divergence | None = None

    def count(self, tick: int, events: int, calls: Sequence[RepeatedCall]) -> None:
        """Add a turn, with its events and its calls."""
        changed = [call for call in calls if call.is_changed]
        self.tick = tick
        self.turns += 1
        self.events += events
        self.calls += len(calls)
        self.changed_calls += len(changed)
        if changed and not self.changed_call:
            self.changed_call = changed[0].call_id


def replay(
    ports: Ports, simulation_id: UUID, *, from_tick: int, to_tick: int
) -> Iterator[Replay]:
    """Take the turns of [from_tick, to_tick] again, in canonical order.

    Yields the same object after each turn, at last with the divergence if there is one.

    :raises SimulationUnknown: if there is no such simulation.
    :raises WorldChanged: if the files of its world have changed.
    """
    found = Replay()
    for tick, agent in list(_turns(simulation_id, from_tick, to_tick)):
        constants = constants_at(simulation_id, ports.worlds, tick)
        _compare_turn(ports, constants, found, agent=agent, tick=tick)
        yield found
        if found.divergence is not None:
            return


def _turns(simulation_id: UUID, from_tick: int, to_tick: int) -> Iterator[tuple[int, str]]:
    """Yield the ticks and agents of turns in canonical order. Every turn has an event."""
    rows = history.events_of(simulation_id, until_tick=to_tick).filter(tick__gte=from_tick)
    agents = rows.exclude(stream__in=STREAMS_OF_USERS)
    yield from agents.order_by("tick", "stream").values_list("tick", "stream").distinct()


def _compare_turn(
    ports: Ports, constants: Constants, found: Replay, *, agent: str, tick: int
) -> None:
    """Take one turn again, count it, and note the first event that differs."""
    logged = _events_of_turn(constants.simulation_id, agent, tick)
    if not logged:
        return
    turn = RepeatedTurn(ports, constants, agent=agent, tick=tick)
    try:
        events, error = turn.events(), ""
    except (SmallvilleError, ValidationError) as raised:
        events, error = [], str(raised)
    # The events on the log are those as this version of the code reads them.
    decode = ports.store.registry.decode
    then = (
        _version(ports, decode(row.type, row.data), row.cause, row.model_calls)
        for row in logged
    )
    now = (_version(ports, new.event, new.cause, new.model_calls) for new in events)
    for ordinal, (one, other) in enumerate(zip_longest(then, now), start=logged[0].ordinal):
        if one != other:
            found.divergence = Divergence(
                event=EventId(tick, agent, ordinal),
                logged=one,
                replayed=other,
                calls=tuple(map(_compared, turn.gateway.repeated)),
                error=error,
            )
            break
    found.count(tick, len(logged), turn.gateway.repeated)


def _events_of_turn(simulation_id: UUID, agent: str, tick: int) -> list[EventRow]:
    """Return the events of a turn; none if a command let the agent join or leave instead."""
    rows = list(events_of_turn(simulation_id, agent, tick))
    if tick == PREPARATION_TICK:
        return [row for row in rows if row.type not in _CREATION_EVENTS]
    if rows[0].type in (AgentJoined.type, AgentReturned.type):
        return []
    if rows[0].type == AgentLeft.type:
        cause = find_event(simulation_id, EventId.parse(rows[0].cause))
        return [] if cause is not None and cause.type == AgentRemoved.type else rows
    return rows


def _version(ports: Ports, event: Event, cause: str, calls: Iterable[str]) -> EventVersion:
    data = ports.store.registry.encode(event)
    return EventVersion(type=event.type, data=data, cause=cause, model_calls=tuple(calls))


def _compared(call: RepeatedCall) -> ComparedCall:
    return ComparedCall(
        call_id=call.call_id,
        messages=call.messages,
        recorded=None if call.recorded is None else call.recorded.messages,
        is_changed=call.is_changed,
    )


def divergence_json(divergence: Divergence | None) -> dict[str, Any] | None:
    """Return the divergence in plain values, with the id of its event."""
    if divergence is None:
        return None
    return asdict(divergence) | {"event": str(divergence.event)}
