"""The agents that retrievals ask about (M5, ADR 61)."""

from uuid import UUID

from apps.agents.queries import fixed_facts, names_of_agents
from apps.memory.retrieval import Subject


def agent_itself(simulation_id: UUID, agent: str, *, as_of_tick: int) -> Subject:
    """Return the agent of a stream as the subject of a retrieval from it."""
    names = names_of_agents(simulation_id, as_of_tick=as_of_tick)
    others = tuple(name for slug, name in names.items() if slug != agent)
    return Subject(slug=agent, name=names.get(agent, ""), other_names=others)


def subject_of_query(
    simulation_id: UUID, agent: str, about: str, *, as_of_tick: int
) -> Subject:
    """Return the agent that a query to the stream of `agent` asks about.

    :raises AgentUnknown: if there is no such agent.
    """
    name = fixed_facts(simulation_id, about).identity.name
    if about == agent:
        return agent_itself(simulation_id, agent, as_of_tick=as_of_tick)
    return Subject(slug=about, name=name)
