"""When words have been said in full, who hears them and what is answered; knocks (D2, W5)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from apps.agents.events import ActionKind
from apps.dialogue.utterances import Spoken, first_to_answer
from apps.simulation.ports import Constants
from apps.simulation.snapshot.perception import agents_in_view
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import chebyshev


def utterance_ends(constants: Constants, snapshot: WorldSnapshot, agent: str) -> Iterator[int]:
    """Yield the ticks at which the utterances to the agent have been said in full."""
    return map(constants.said_in_full_tick, snapshot.spoken_to(agent))


def said_in_full_at(
    constants: Constants, snapshot: WorldSnapshot, agent: str, tick: int
) -> list[Spoken]:
    """Return the utterances to an agent that end at the tick, in order of tick and speaker.

    A turn is due at their end, whether or not the agent could hear them to the end. Those that
    others in view say in its conversation are among them: they may not know yet that the agent
    has joined.
    """
    said_to = [
        said
        for said in snapshot.spoken_to(agent)
        if not said.rings or is_answered(snapshot, agent, said, tick)
    ]
    found = [*said_to, *_said_beside_joining(constants, snapshot, agent, tick)]
    return sorted(
        (one for one in found if one.tick < tick and constants.said_in_full_tick(one) == tick),
        key=attrgetter("order"),
    )


def _said_beside_joining(
    constants: Constants, snapshot: WorldSnapshot, agent: str, tick: int
) -> list[Spoken]:
    """Return what others in view say to each other in the conversation of the agent."""
    talk = snapshot.talk_of(agent, tick - 1)
    if talk is None or talk.by_phone:
        return []
    return [
        said
        for _distance, speaker in agents_in_view(
            snapshot, agent, tick - 1, vision=constants.attention.vision
        )
        for said in snapshot.spoken.get(speaker, ())
        if said.conversation == talk.conversation and agent not in said.hearers
    ]


def is_answered(snapshot: WorldSnapshot, agent: str, said: Spoken, tick: int) -> bool:
    """Return whether the agent answers, at the tick, the call that the words open.

    It is awake and in no conversation, and the other agent has not hung up.
    """
    action = snapshot.tracks[agent].action_at(tick - 1)
    is_asleep = action is not None and action.asleep
    call = snapshot.talk_of(said.agent, tick - 1)
    is_calling = call is not None and call.conversation == said.conversation
    return is_calling and not is_asleep and snapshot.talk_of(agent, tick - 1) is None


def overheard_at(
    constants: Constants, snapshot: WorldSnapshot, agent: str, tick: int
) -> list[Spoken]:
    """Return the utterances to others that end at the tick and that the agent overhears.

    They are in order of tick and speaker. The speaker is in view within the hearing distance;
    an agent that sleeps or is in a conversation overhears nothing. Of a call the side of the
    speaker is overheard, from the first answer on.
    """
    distance = min(constants.settings.hearing_distance, constants.attention.vision)
    action = snapshot.tracks[agent].action_at(tick - 1)
    is_asleep = action is not None and action.asleep
    if not distance or is_asleep or snapshot.talk_of(agent, tick - 1) is not None:
        return []
    near = agents_in_view(snapshot, agent, tick - 1, vision=distance)
    found = [
        said
        for _distance, speaker in near
        for said in snapshot.spoken.get(speaker, ())
        if agent not in said.hearers
        and not said.rings
        and said.tick < tick
        and constants.said_in_full_tick(said) == tick
    ]
    return sorted(found, key=attrgetter("order"))


def is_heard(constants: Constants, snapshot: WorldSnapshot, agent: str, said: Spoken) -> bool:
    """Return whether the speaker is in the view of an agent when the utterance to it ends.

    What is said in a call that the agent has answered is heard wherever the speaker is.

    :param snapshot: holds the tracks of both at the end of the tick before that, and their
        parts in conversations.
    """
    if said.rings:
        return is_answered(snapshot, agent, said, constants.said_in_full_tick(said))
    if said.by_phone:
        talks = snapshot.talks.get(agent, ())
        return any(talk.conversation == said.conversation for talk in talks)
    seen_at = constants.said_in_full_tick(said) - 1
    in_view = agents_in_view(snapshot, agent, seen_at, vision=constants.attention.vision)
    return any(slug == said.agent for _distance, slug in in_view)


def address_to_answer(constants: Constants, heard: Iterable[Spoken]) -> Spoken | None:
    """Return the utterance that the agent answers, of those to it heard at the same time.

    It is an opening, or is said in a conversation of several to one that has only listened.
    """
    openings = {
        said.agent: said
        for said in heard
        if (said.number == 1 or said.participants) and not said.ends
    }
    if not openings:
        return None
    tick = max(said.tick for said in openings.values())
    return openings[first_to_answer(constants.seed, tick, sorted(openings))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """A knock of an agent at the door of a node; `event` is the id of its event."""

    agent: str
    node: str
    event: str


def knocks_heard(
    snapshot: WorldSnapshot, agent: str, tick: int, *, distance: int
) -> list[Knock]:
    """Return the knocks of the tick that the agent hears, in the order of slugs.

    It is awake and in the home or private area, at most the distance in tiles from the agent
    that knocks. Walls are ignored.
    """
    tile, own = snapshot.tile_of(agent, tick), snapshot.tracks[agent].action_at(tick)
    area = "" if tile is None else snapshot.world.map.area_at(tile)
    if tile is None or not area or (own is not None and own.asleep):
        return []
    found = []
    for track in snapshot.tracks_near(tile, distance):
        action = track.action_at(tick)
        if action is None or action.kind is not ActionKind.KNOCKING:
            continue
        its_tile = track.tile_at(tick)
        is_near = its_tile is not None and chebyshev(tile, its_tile) <= distance
        is_at_own_door = action.towards in {area, snapshot.world.tree.place_of(area)}
        if action.from_tick == tick and is_near and is_at_own_door:
            found.append(Knock(agent=track.agent, node=action.towards, event=action.event))
    return found
