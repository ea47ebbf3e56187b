"""The perception of an embodied agent: agents and objects in view, conversation, utterances."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from apps.agents import queries as agent_queries
from apps.agents.track import Track
from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.agents import show_action
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.utterances import Spoken, Talk
from apps.kernel.language import use_language
from apps.simulation.embodiment.requested_actions import Embodiment
from apps.simulation.snapshot.hearing import is_heard
from apps.simulation.snapshot.perception import agents_in_view, objects_perceived
from apps.simulation.snapshot.world_snapshot import WorldSnapshot

LATEST_MAX = 20


def utterances_heard(context: SimulationContext, begun: Embodiment) -> list[Spoken]:
    """Return the latest utterances that the agent has heard during the embodiment, in order."""
    until = context.as_of_tick if begun.to_tick is None else begun.to_tick
    until = min(until, context.as_of_tick)
    found = dialogue_queries.said_to(
        context.id, begun.agent, from_tick=begun.from_tick, to_tick=until, count=LATEST_MAX
    )
    overheard = dialogue_queries.overheard_by(
        context.id, begun.agent, from_tick=begun.from_tick, to_tick=until, count=LATEST_MAX
    )
    heard = [*_heard_in_full(context, begun, found, until), *overheard]
    return sorted(heard, key=attrgetter("order"))[-LATEST_MAX:]


def _heard_in_full(
    context: SimulationContext, begun: Embodiment, found: Sequence[Spoken], until: int
) -> list[Spoken]:
    """Return those of the utterances to the agent that it has heard in full."""
    constants = context.constants()
    ended = [said for said in found if constants.said_in_full_tick(said) <= until]
    if not ended:
        return []
    snapshot = WorldSnapshot(world=constants.world, seed=constants.seed)
    agents = {begun.agent, *(said.agent for said in ended)}
    ticks = {"from_tick": min(map(constants.said_in_full_tick, ended)) - 1, "to_tick": until}
    snapshot.replace_tracks(agent_queries.tracks(context.id, agents=agents, **ticks).values())
    voices = dialogue_queries.voices(context.id, agents=agents, **ticks)
    snapshot.replace_voices(voices, of=voices.agents)
    return [said for said in ended if is_heard(constants, snapshot, begun.agent, said)]


def perception_of(
    context: SimulationContext, snapshot: WorldSnapshot, agent: str
) -> dict[str, Any]:
    """Return the values of `Standing`."""
    tick, attention = context.as_of_tick, context.constants().attention
    tile, action = snapshot.tile_of(agent, tick), snapshot.tracks[agent].action_at(tick)
    assert tile is not None, "an agent of the simulation stands on a tile"
    in_view = agents_in_view(snapshot, agent, tick, vision=attention.vision)
    talks = {other: snapshot.talk_of(other, tick) for _, other in in_view}
    return {
        "position": tile,
        "place": snapshot.place_of(agent, tick),
        **show_action(action),
        "agents": [
            {
                "slug": other,
                "name": snapshot.tracks[other].name,
                "doing": _doing(context, snapshot.tracks[other], tick),
                "distance": distance,
                "talking_with": None if (talk := talks[other]) is None else talk.other,
            }
            for distance, other in in_view
        ],
        "objects": [
            {"path": path, "state": snapshot.state_of(path, tick), "distance": distance}
            for path, distance in objects_perceived(snapshot, tile, tick, attention)
        ],
        "conversation": _conversation(context, snapshot, agent, list(talks)),
    }


def _doing(context: SimulationContext, track: Track, tick: int) -> str:
    with use_language(context.constants().world.language):
        return track.doing_at(tick)


def _conversation(
    context: SimulationContext, snapshot: WorldSnapshot, agent: str, in_view: list[str]
) -> dict[str, Any] | None:
    """Return the conversation of the agent, or one that another agent has begun with it.

    That agent is in view, or on the telephone: its words have been heard.
    """
    tick = context.as_of_tick
    talk = snapshot.talk_of(agent, tick)
    if talk is not None:
        conversation, other = talk.conversation, talk.other
    else:
        talks = (snapshot.talk_of(slug, tick) for slug in snapshot.talks)
        begun = [talk for talk in talks if talk and talk.other == agent]
        talk = next((talk for talk in begun if talk.agent in in_view), None) or next(
            (talk for talk in begun if talk.by_phone and _has_rung(context, talk)), None
        )
        if talk is None:
            return None
        conversation, other = talk.conversation, talk.agent
    utterances = dialogue_queries.utterances_of(context.id, conversation, as_of_tick=tick)
    waiting = snapshot.talk_of(other, tick)
    return {
        "id": conversation,
        "other": other,
        "by_phone": talk.by_phone,
        "awaits_answer": bool(
            waiting is not None
            and waiting.conversation == conversation
            and utterances
            and utterances[-1].agent == other
            and not utterances[-1].ends
        ),
        "utterances": utterances,
    }


def _has_rung(context: SimulationContext, call: Talk) -> bool:
    """Return whether the words that open a call have been heard."""
    opening = dialogue_queries.utterances_of(
        context.id, call.conversation, as_of_tick=context.as_of_tick
    )[0]
    return context.constants().said_in_full_tick(opening) <= context.as_of_tick
