"""Measures of a history as of a tick, for two histories side by side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.dialogue import history
from apps.eventlog.store import events_of
from apps.llm.calls import queries as llm_queries
from apps.llm.usage import Usage
from apps.memory.facts.queries import related_pairs
from apps.memory.memories_about import density
from apps.memory.queries import list_all_memories
from apps.planning import queries as plan_queries
from apps.simulation.acquaintance_kinds import pairs_by_kind

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
    agents = agent_queries.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = {row.agent: row.name for row in agents}
    facts = related_pairs(simulation_id, names, as_of_tick=as_of_tick)
    return pairs_by_kind(simulation_id, names, facts, as_of_tick=as_of_tick)


def measures_of(simulation_id: UUID, pairs: Acquaintances, *, as_of_tick: int) -> Measures:
    """Return the measures of the history as of the end of the tick."""
    tick = as_of_tick
    agents = len(agent_queries.list_agents(simulation_id, as_of_tick=tick))
    used = sum(llm_queries.costs(simulation_id, as_of_tick=tick), Usage())
    return Measures(
        agents=agents,
        events=events_of(simulation_id, until_tick=tick).count(),
        conversations=history.list_conversations(simulation_id, as_of_tick=tick).count(),
        utterances=history.list_utterances(simulation_id, as_of_tick=tick).count(),
        memories=list_all_memories(simulation_id, as_of_tick=tick).count(),
        planned_hours=plan_queries.hour_counts(simulation_id, as_of_tick=tick).planned,
        known_places=sum(
            agent_queries.count_known_places(simulation_id, as_of_tick=tick).values()
        ),
        **{f"{kind}_density": density(found, agents) for kind, found in pairs.items()},
        model_calls=used.calls,
        reused_calls=llm_queries.reused_calls([simulation_id], as_of_tick=tick).get(
            simulation_id, 0
        ),
        tokens=used.tokens,
        cost=used.cost,
    )
