"""Queries of decisions about reactions, as of the end of any tick."""

from uuid import UUID

from apps.reaction.models import WeighedRow


def weighed_since(
    simulation_id: UUID, agent: str, *, since_tick: int, as_of_tick: int
) -> frozenset[str]:
    """Return the subjects of the agent's decisions in the ticks (X3)."""
    rows = WeighedRow.objects.filter(
        simulation_id=simulation_id, agent=agent, tick__gte=since_tick, tick__lte=as_of_tick
    )
    return frozenset(rows.values_list("subject", flat=True))


def has_acted_on(
    simulation_id: UUID, agent: str, *, subject: str, since_tick: int, as_of_tick: int
) -> bool:
    """Return whether the agent decided in the ticks to act on the subject."""
    return WeighedRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        subject=subject,
        choice="act",
        decisive=True,
        tick__gte=since_tick,
        tick__lte=as_of_tick,
    ).exists()
