"""Read the dealings of an agent with all others, from its own stream (R2)."""

from uuid import UUID

from apps.agents import queries as agent_queries
from apps.kernel.game_time import GameCalendar
from apps.lineage.statements import history_rows
from apps.reflection.dealings import Dealings

# The latest talks and hours of each pair that are read.
COUNTED_MAX = 200

# A conversation counts if both have spoken in it, for each agent that has spoken to this one.
_TALKS = """
SELECT said.agent, talk.to_tick
FROM dialogue_talkrow AS talk
JOIN dialogue_utterancerow AS said
    ON said.simulation_id = talk.simulation_id AND said.conversation = talk.conversation
    AND said.agent <> talk.agent AND said.tick < talk.to_tick
    AND (said."to" = talk.agent OR said.participants @> to_jsonb(talk.agent::text))
WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
    AND talk.to_tick <= %(tick)s
    AND EXISTS (
        SELECT FROM dialogue_utterancerow AS own
        WHERE own.simulation_id = talk.simulation_id AND own.agent = talk.agent
            AND own.conversation = talk.conversation
    )
GROUP BY said.agent, talk.conversation, talk.to_tick
ORDER BY talk.to_tick DESC, said.agent
"""
_HOURS = """
SELECT subject, min(from_tick)
FROM agents_seenagentrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND from_tick <= %(tick)s
GROUP BY subject, from_tick / %(ticks_per_hour)s
ORDER BY 2 DESC, subject
"""


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
    for found, statement in ((talks, _TALKS), (hours, _HOURS)):
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
