"""Measures of a history as of a tick, for two histories side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from apps import history
from apps.history import Usage

Acquaintances = Mapping[str, Collection[tuple[str, str]]]
"""The pairs (agent, other) of agents by kind of acquaintance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a history amounts to by the end of a tick.

    Densities are shares of all pairs; `known_places` is the sum over all agents. The calls of
    a branch are those that it has made itself, `reused_calls` those of them that cost nothing.
    """

    agents: int
    events: int
    conversations: int
    utterances: int
    memories: int
    planned_hours: int
    known_places: int
    remembered_density: float
    sighted_density: float
    met_density: float
    talked_density: float
    related_density: float
    model_calls: int
    """Of a branch, its own calls after the fork."""
    reused_calls: int
    tokens: int
    cost: Decimal
    """In the currency of the price list; 0 without a price."""


def acquaintances_of(simulation_id: UUID, *, as_of_tick: int) -> Acquaintances:
    """Return the pairs of acquainted agents at the end of the tick."""
    agents = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = {row.agent: row.name for row in agents}
    return history.acquaintances(simulation_id, names, as_of_tick=as_of_tick)


def measures_of(simulation_id: UUID, pairs: Acquaintances, *, as_of_tick: int) -> Measures:
    """Return the measures of the history as of the end of the tick."""
    tick = as_of_tick
    agents = len(history.list_agents(simulation_id, as_of_tick=tick))
    used = sum(history.costs(simulation_id, as_of_tick=tick), Usage())
    return Measures(
        agents=agents,
        events=history.events_of(simulation_id, until_tick=tick).count(),
        conversations=history.list_conversations(simulation_id, as_of_tick=tick).count(),
        utterances=history.list_utterances(simulation_id, as_of_tick=tick).count(),
        memories=history.list_all_memories(simulation_id, as_of_tick=tick).count(),
        planned_hours=history.hour_counts(simulation_id, as_of_tick=tick).planned,
        known_places=sum(history.count_known_places(simulation_id, as_of_tick=tick).values()),
        **{f"{kind}_density": history.density(found, agents) for kind, found in pairs.items()},
        model_calls=used.calls,
        reused_calls=history.reused_calls([simulation_id], as_of_tick=tick).get(
            simulation_id, 0
        ),
        tokens=used.tokens,
        cost=used.cost,
    )


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in the data of an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from texts_in(one)


def event_parts(text: str) -> tuple[int, str] | None:
    """Return tick and stream of the id of an event, None for another text."""
    parts = text.split("/")
    if len(parts) != 3 or not parts[0].isdecimal() or not parts[2].isdecimal():
        return None
    return int(parts[0]), parts[1]
