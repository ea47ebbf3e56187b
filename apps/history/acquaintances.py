"""The kinds of acquaintance that agents have with each other (E4)."""

from collections.abc import Collection, Mapping
from uuid import UUID

from apps.agents.models import SeenAgentRow
from apps.history.conversations import Pairs, pairs_that_met
from apps.memory.earlier_memories import memories_about_others
from apps.memory.queries import related_pairs


def acquaintances(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> dict[str, Collection[tuple[str, str]]]:
    """Return the pairs (agent, other) of the agents by the kind of acquaintance.

    `names` are those of the agents by slug.
    """
    met, talked = (
        {pair for pair in pairs if names.keys() >= set(pair)}
        for pairs in pairs_that_met(simulation_id, as_of_tick=as_of_tick)
    )
    return {
        "remembered": memories_about_others(simulation_id, names, as_of_tick=as_of_tick).keys(),
        "sighted": _sighted_pairs(simulation_id, names, as_of_tick),
        "met": met,
        "talked": talked,
        "related": related_pairs(simulation_id, names, as_of_tick=as_of_tick).keys(),
    }


def _sighted_pairs(simulation_id: UUID, agents: Collection[str], as_of_tick: int) -> Pairs:
    """Return the pairs (agent, other) in which the agent has perceived the other one."""
    rows = SeenAgentRow.objects.filter(
        simulation_id=simulation_id,
        agent__in=agents,
        subject__in=agents,
        from_tick__lte=as_of_tick,
    )
    return frozenset(rows.order_by().values_list("agent", "subject").distinct())
