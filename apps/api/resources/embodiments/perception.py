"""What an embodied agent perceives: agents and objects in view, conversation, utterances."""

from collections.abc import Iterator
from typing import Any

from apps.agents import queries as agent_queries
from apps.api.http.simulation_context import SimulationContext, clock_at
from apps.api.resources.state import place_in_words, position_of
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.voices import Spoken
from apps.simulation.embodiment.rules import Embodiment
from apps.simulation.snapshot.hearing import is_heard, said_in_full_tick
from apps.simulation.snapshot.perception import objects_in_sight, people_in_view
from apps.simulation.snapshot.world_snapshot import WorldSnapshot

LATEST_MAX = 20


def _heard(context: SimulationContext, begun: Embodiment) -> Iterator[Spoken]:
    """Yield the utterances that the agent has heard to the end since a user acts for it."""
    until = context.as_of_tick if begun.to_tick is None else begun.to_tick
    until = min(until, context.as_of_tick)
    found = dialogue_queries.said_to(
        context.id, begun.agent, from_tick=begun.from_tick, to_tick=until, count=LATEST_MAX
    )
    constants = context.constants()
    ended = [said for said in found if said_in_full_tick(constants, said) <= until]
    if not ended:
        return
    town = WorldSnapshot(world=constants.world, seed=constants.seed)
    tracks = agent_queries.tracks(
        context.id,
        from_tick=min(said_in_full_tick(constants, said) for said in ended) - 1,
        to_tick=until,
        agents={begun.agent, *(said.agent for said in ended)},
    )
    town.replace_tracks(tracks.values())
    yield from (said for said in ended if is_heard(constants, town, said))


def _standing(context: SimulationContext, town: WorldSnapshot, agent: str) -> dict[str, Any]:
    tick, constants = context.as_of_tick, context.constants()
    tile, action = town.tile_of(agent, tick), town.tracks[agent].action_at(tick)
    assert tile is not None, "an agent of the simulation stands on a tile"
    vision = constants.settings.vision
    return {
        "position": position_of(tile),
        "place": place_in_words(town, agent, tick),
        "action": action.description if action else "",
        "emoji": action.emoji if action else "",
        "agents": [
            {
                "slug": other,
                "name": town.tracks[other].name,
                "doing": town.tracks[other].doing_at(tick),
                "distance": distance,
                "talking_with": _talks_with(town, other, tick),
            }
            for distance, other in people_in_view(town, agent, tick, vision=vision)
        ],
        "objects": [
            {"path": path, "state": town.state_of(path, tick), "distance": distance}
            for path, distance in objects_in_sight(town.world, tile, vision)
        ],
        "conversation": _conversation(context, town, agent, vision),
    }


def _talks_with(town: WorldSnapshot, agent: str, tick: int) -> str | None:
    talk = town.talk_of(agent, tick)
    return None if talk is None else talk.other


def _conversation(
    context: SimulationContext, town: WorldSnapshot, agent: str, vision: int
) -> dict[str, Any] | None:
    """Return the conversation of the agent, or one that an agent in view has begun with it."""
    tick = context.as_of_tick
    talk = town.talk_of(agent, tick)
    if talk is not None:
        conversation, other = talk.conversation, talk.other
    else:
        theirs = [
            found
            for _distance, slug in people_in_view(town, agent, tick, vision=vision)
            if (found := town.talk_of(slug, tick)) is not None and found.other == agent
        ]
        if not theirs:
            return None
        conversation, other = theirs[0].conversation, theirs[0].agent
    spoken = dialogue_queries.utterances_of(context.id, conversation, as_of_tick=tick)
    waits = town.talk_of(other, tick)
    return {
        "id": conversation,
        "other": other,
        "awaits_answer": bool(
            waits is not None
            and waits.conversation == conversation
            and spoken
            and spoken[-1].agent == other
            and not spoken[-1].ends
        ),
        "utterances": [_said(context, said) for said in spoken],
    }


def _said(context: SimulationContext, said: Spoken) -> dict[str, Any]:
    return {
        "agent": said.agent,
        "to": said.to,
        "text": said.text,
        **clock_at(context.calendar, said.tick),
        "ends": said.ends,
        "conversation": said.conversation,
    }
