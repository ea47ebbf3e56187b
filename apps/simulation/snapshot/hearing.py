"""When an utterance has been said in full, whether it is heard, and which is answered (D2)."""

from collections.abc import Iterable, Iterator

from apps.dialogue.rules import first_to_answer
from apps.dialogue.utterances import Spoken
from apps.simulation.ports import Constants
from apps.simulation.snapshot.perception import agents_in_view
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


def utterance_ends(constants: Constants, snapshot: WorldSnapshot, agent: str) -> Iterator[int]:
    """Yield the ticks at which the utterances to the agent have been said in full."""
    return (said_in_full_tick(constants, said) for said in snapshot.spoken_to(agent))


def said_in_full_tick(constants: Constants, said: Spoken) -> int:
    """Return the tick at which the addressee can have heard all of an utterance."""
    return said.tick + constants.speaking_ticks(said.text)


def said_in_full_at(
    constants: Constants, snapshot: WorldSnapshot, agent: str, tick: int
) -> list[Spoken]:
    """Return the utterances to an agent that end at the tick, in order of tick and speaker.

    A turn is due at their end, whether or not the agent could hear them to the end.
    """
    return [
        said
        for said in snapshot.spoken_to(agent)
        if said.tick < tick and said_in_full_tick(constants, said) == tick
    ]


def is_heard(constants: Constants, snapshot: WorldSnapshot, said: Spoken) -> bool:
    """Return whether the speaker is in the addressee's view when the utterance ends.

    :param snapshot: holds the tracks of both at the end of the tick before that.
    """
    seen_at = said_in_full_tick(constants, said) - 1
    in_view = agents_in_view(snapshot, said.to, seen_at, vision=constants.attention.vision)
    return any(slug == said.agent for _distance, slug in in_view)


def address_to_answer(constants: Constants, heard: Iterable[Spoken]) -> Spoken | None:
    """Return the opening utterance that the agent answers, of those heard at the same time."""
    openings = {said.agent: said for said in heard if said.number == 1 and not said.ends}
    if not openings:
        return None
    tick = max(said.tick for said in openings.values())
    return openings[first_to_answer(constants.seed, tick, sorted(openings))]
