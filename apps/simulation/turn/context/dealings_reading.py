"""Read the dealings of an agent with all others, from its own stream (R2)."""

from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.statements import SEEN_BY_HOUR
from apps.dialogue.statements import TALKS_ENDED
from apps.kernel.game_time import GameCalendar
from apps.lineage.statements import history_rows
from apps.reflection.dealings import Dealings

# The latest talks and hours of each pair that are read.
COUNTED_MAX = 200


def read_dealings(
    simulation_id: UUID, agent: str, *, calendar: GameCalendar, as_of_tick: int
) -> tuple[Dealings, ...]:
    """Return the dealings with all agents that the agent has talked with or seen, by slug.

    The agent has heard the utterances of others in a conversation that is over.
    """
    variables = {
        "simulation": simulation_id,
        "agent": agent,
        "tick": as_of_tick,
        "ticks_per_hour": calendar.ticks_of(minutes=60),
    }
    talks: dict[str, list[int]] = {}
    hours: dict[str, list[int]] = {}
    for found, statement in ((talks, TALKS_ENDED), (hours, SEEN_BY_HOUR)):
        for other, tick in history_rows(statement, variables, simulation_id):
            found.setdefault(other, []).append(tick)
    return tuple(
        Dealings(
            slug=other,
            name=name,
            talked_at=tuple(map(calendar.time_at, talks.get(other, [])[COUNTED_MAX::-1])),
            seen_at=tuple(map(calendar.time_at, hours.get(other, [])[COUNTED_MAX::-1])),
        )
        for other in sorted(talks.keys() | hours.keys())
        if (name := agent_queries.name_of_agent(simulation_id, other))
    )
