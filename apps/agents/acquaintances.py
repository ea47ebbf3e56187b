"""Pairs of agents of which one has perceived the other (E4)."""

from collections.abc import Collection
from uuid import UUID

from apps.agents.models import SeenAgentRow

Pairs = frozenset[tuple[str, str]]


def sighted_pairs(simulation_id: UUID, agents: Collection[str], *, as_of_tick: int) -> Pairs:
    """Return the pairs (agent, other) in which the agent has perceived the other one."""
    rows = SeenAgentRow.objects.filter(
        simulation_id=simulation_id,
        agent__in=agents,
        subject__in=agents,
        from_tick__lte=as_of_tick,
    )
    return frozenset(rows.order_by().values_list("agent", "subject").distinct())
