"""Moments in the options of commands, game times or ticks, and the agents of a moment."""

from collections.abc import Sequence
from uuid import UUID

from django.core.management.base import CommandError

from apps.agents import queries as agent_queries
from apps.kernel.game_moments import first_tick_from
from apps.kernel.names import names_there_are
from apps.simulation import queries
from apps.simulation.models import SimulationRow


def tick_of(simulation_id: UUID, text: str) -> int:
    """Return the tick of a game time such as 2023-02-13T08:00, or the tick itself.

    :raises UnusableTime: if the text is neither, or out of bounds.
    """
    return first_tick_from(text, queries.calendar_of(simulation_id))


def committed_tick_of(row: SimulationRow, text: str | None) -> int:
    """Return the tick of a game time, or the tick itself; the last committed one for None.

    :raises CommandError: if the text is neither, or the tick is not committed.
    """
    tick = row.committed_tick if text is None else tick_of(row.pk, text)
    if not 0 <= tick <= row.committed_tick:
        calendar = queries.calendar_of(row.pk)
        raise CommandError(
            f"{calendar.moment(tick)} is not committed; the last committed moment is "
            f"{calendar.moment(row.committed_tick)}"
        )
    return tick


def agents_at(
    simulation_id: UUID, *, as_of_tick: int, requested: Sequence[str] | None
) -> Sequence[str]:
    """Return the requested slugs; those of all agents in the simulation at the tick, if none.

    :raises CommandError: if a requested agent is not in the simulation at the tick.
    """
    present = agent_queries.slugs_in_simulation(simulation_id, as_of_tick=as_of_tick)
    agents = requested or present
    if unknown := [agent for agent in agents if agent not in present]:
        raise CommandError(
            f"there is no agent {unknown[0]!r} at this moment; "
            f"{names_there_are(present, unknown[0])}"
        )
    return agents
