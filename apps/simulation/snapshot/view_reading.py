"""Read the views of an agent: all that its turn may read of other agents (ADR 19)."""

import json
from collections import defaultdict
from dataclasses import dataclass

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind
from apps.agents.sharing import DoorOpening
from apps.agents.statements import BEFORE_TALK
from apps.dialogue.statements import SPOKEN_IN
from apps.dialogue.utterances import Spoken
from apps.lineage.statements import history_rows
from apps.simulation.ports import Constants
from apps.simulation.snapshot.conversation_view import ConversationView
from apps.simulation.snapshot.local_view import LocalView
from apps.simulation.snapshot.utterance_view import UtteranceView
from apps.simulation.snapshot.world_snapshot import WorldSnapshot, read_surroundings

# A door that was opened to an agent stays open to it for so long.
OPENED_MINUTES = 10
_AT_A_DOOR = {ActionKind.KNOCKING, ActionKind.WAITING, ActionKind.IDLE}

# The utterances of conversations in order, with the openings by and to the agent since the
# first of them, the agents that users control, and what talking agents did before.
_CONVERSATIONS = f"""
(
    SELECT 'spoken', row_to_json(spoken)::text
    FROM ({SPOKEN_IN}) AS spoken
    ORDER BY tick, agent
)
UNION ALL
SELECT 'controlled', agent FROM embodiment_embodimentrow
WHERE simulation_id = %(simulation)s AND agent = ANY(%(agents)s)
    AND from_tick <= %(tick)s AND (to_tick IS NULL OR to_tick > %(tick)s)
UNION ALL
SELECT 'before talk', json_build_object('agent', agent, 'doing', description)::text
FROM ({BEFORE_TALK}) AS latest
"""  # noqa: S608 (parts of statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """What an agent may read of agents and nodes, of utterances, and of conversations."""

    local: LocalView
    utterances: UtteranceView
    conversations: ConversationView


def read_views(constants: Constants, agent: str, *, tick: int) -> Views:
    """Read what the agent may read of others in its turn at the tick."""
    snapshot = read_surroundings(constants, agent, tick=tick - 1)
    conversations = _conversations(snapshot, agent)
    variables = {
        "simulation": constants.simulation_id,
        "tick": tick - 1,
        "agent": agent,
        "conversations": list(conversations),
        "talking": _talking(snapshot, agent, tick - 1),
        "agents": [*snapshot.tracks, *snapshot.talks.keys() - snapshot.tracks.keys()],
    }
    # An agent on its own has nothing to read, unless it was left in a conversation.
    is_needed = conversations or len(snapshot.tracks) > 1
    of = constants.simulation_id
    found = history_rows(_CONVERSATIONS, variables, of) if is_needed else []
    spoken: dict[str, list[Spoken]] = defaultdict(list)
    controlled: list[str] = []
    before_talk: dict[str, str] = {}
    for kind, values in found:
        if kind == "spoken":
            said = Spoken(**json.loads(values))
            spoken[said.conversation].append(said)
        elif kind == "controlled":
            controlled.append(values)
        else:
            before = json.loads(values)
            before_talk[before["agent"]] = before["doing"]
    doors_opened = _doors_opened(constants, snapshot, agent, tick - 1)
    local = LocalView(constants, snapshot, agent, tick=tick, doors_opened=doors_opened)
    heard = {conversation: tuple(said) for conversation, said in spoken.items()}
    utterances = UtteranceView(local, snapshot, heard)
    return Views(
        local=local,
        utterances=utterances,
        conversations=ConversationView(
            local, snapshot, utterances, frozenset(controlled), before_talk
        ),
    )


def _talking(snapshot: WorldSnapshot, agent: str, tick: int) -> list[str]:
    """Return the other agents near by whose action is a conversation."""
    actions = {other: track.action_at(tick) for other, track in snapshot.tracks.items()}
    return [
        other
        for other, action in actions.items()
        if other != agent and action is not None and action.kind is ActionKind.TALKING
    ]


def _doors_opened(
    constants: Constants, snapshot: WorldSnapshot, agent: str, tick: int
) -> tuple[DoorOpening, ...]:
    """Return the doors that were lately opened to the agent, if it may be before one."""
    action = snapshot.tracks[agent].action_at(tick)
    if action is None or action.kind not in _AT_A_DOOR:
        return ()
    since = tick - constants.calendar.ticks_of(minutes=OPENED_MINUTES)
    return agent_queries.doors_opened_to(
        constants.simulation_id, agent, from_tick=since, to_tick=tick
    )


def _conversations(snapshot: WorldSnapshot, agent: str) -> frozenset[str]:
    """Return the conversations of the agent that go on or have just ended."""
    talks = (talk for of_agent in snapshot.talks.values() for talk in of_agent)
    own = frozenset(talk.conversation for talk in talks if agent in {talk.agent, talk.other})
    return own | {said.conversation for said in snapshot.spoken_to(agent)}
