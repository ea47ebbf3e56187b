"""Measures of a history as of a tick, for two histories side by side."""

from dataclasses import dataclass
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.dialogue import history
from apps.eventlog.store import events_of
from apps.llm import queries as llm_queries
from apps.memory.facts.queries import related_pairs
from apps.memory.memories_about import density, memories_about_others
from apps.memory.queries import list_all_memories
from apps.planning import queries as plan_queries
from apps.simulation.acquaintance_kinds import pairs_by_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a history amounts to by the end of a tick; densities are shares of all pairs."""

    agents: int
    events: int
    conversations: int
    utterances: int
    memories: int
    planned_hours: int
    knowing_density: float
    sighted_density: float
    met_density: float
    talked_density: float
    related_density: float
    model_calls: int
    tokens: int


def measures_of(simulation_id: UUID, *, as_of_tick: int) -> Measures:
    """Return the measures of the history as of the end of the tick."""
    tick = as_of_tick
    agents = agent_queries.list_agents(simulation_id, as_of_tick=tick)
    names = {row.agent: row.name for row in agents}
    facts = related_pairs(simulation_id, names, as_of_tick=tick)
    pairs = {
        "knowing": memories_about_others(simulation_id, names, as_of_tick=tick).keys(),
        **pairs_by_kind(simulation_id, names, facts, as_of_tick=tick),
    }
    costs = llm_queries.costs(simulation_id, as_of_tick=tick)
    return Measures(
        agents=len(names),
        events=events_of(simulation_id, until_tick=tick).count(),
        conversations=history.list_conversations(simulation_id, as_of_tick=tick).count(),
        utterances=history.list_utterances(simulation_id, as_of_tick=tick).count(),
        memories=list_all_memories(simulation_id, as_of_tick=tick).count(),
        planned_hours=plan_queries.hour_counts(simulation_id, as_of_tick=tick).planned,
        **{f"{kind}_density": density(found, len(names)) for kind, found in pairs.items()},
        model_calls=sum(line.calls for line in costs),
        tokens=sum(line.prompt_tokens + line.completion_tokens for line in costs),
    )
