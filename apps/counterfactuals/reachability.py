"""Which agents an intervention can reach in a history, and since when: temporal reachability.

An agent is reached at a tick if its turn names what an agent that was reached before has done:
an event, the agent itself (in view, speaking, a partner of an agreement), or an object that it
has used or left in a state. These are the names that lead from a difference back to its cause
(`apps.comparisons.chains`), followed forward.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps import history
from apps.comparisons.named_texts import event_parts, texts_in
from apps.history import COMMANDS_STREAM, SIMULATION_STREAM


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """What an event of an agent's turn names: its cause, and its data with the ids in it."""

    tick: int
    agent: str
    cause: str
    data: Mapping[str, Any]


def events_after(simulation_id: UUID, *, after_tick: int, until_tick: int) -> list[TurnEvent]:
    """Return the events of all agents in the ticks (after_tick, until_tick], in order."""
    rows = history.events_of(simulation_id, until_tick=until_tick).filter(tick__gt=after_tick)
    of_agents = rows.exclude(stream__in=[COMMANDS_STREAM, SIMULATION_STREAM])
    return [
        TurnEvent(*values)
        for values in of_agents.values_list("tick", "stream", "cause", "data").iterator()
    ]


def reached_agents(
    events: Sequence[TurnEvent],
    *,
    agents: Collection[str],
    objects: Collection[str],
    from_tick: int,
) -> dict[str, int]:
    """Return the agents that can be reached with the first ticks at which they are.

    `agents` and `objects` are those that the interventions are about, from `from_tick` on.
    """
    reached = dict.fromkeys(agents, from_tick)
    touched = dict.fromkeys(objects, from_tick)
    for event in events:
        since = reached.get(event.agent)
        if since is None and _names_reached(event, reached, touched):
            reached[event.agent] = since = event.tick
        if since is not None:
            for thing in _things(event):
                touched.setdefault(thing, event.tick)
    return reached


def _names_reached(
    event: TurnEvent, reached: Mapping[str, int], touched: Mapping[str, int]
) -> bool:
    """Return whether the event names what was reached before its tick."""
    for text in _named(event):
        parts = event_parts(text)
        if parts is not None:
            tick, stream = parts
            if stream in reached and tick >= reached[stream]:
                return True
            continue
        since = reached.get(text, touched.get(text))
        # A turn reads the world as of the end of the tick before.
        if since is not None and since < event.tick:
            return True
    return False


def _named(event: TurnEvent) -> Iterator[str]:
    yield event.cause
    yield from texts_in(event.data)


def _things(event: TurnEvent) -> Iterable[str]:
    """Return the object that the event uses, or whose state it changes."""
    thing = event.data.get("object", "")
    return (thing,) if thing else ()
