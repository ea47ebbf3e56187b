"""What somebody hears in a tick: words reach them when they have been said (D2)."""

from collections.abc import Iterable, Iterator

from apps.dialogue.rules import first_to_answer
from apps.dialogue.voices import Spoken
from apps.simulation.ports import Constants
from apps.simulation.town import Town


def words_due(constants: Constants, town: Town, agent: str) -> Iterator[int]:
    """Yield the ticks at which what was said to somebody has been said in full."""
    for said in town.spoken_to(agent):
        yield said.tick + constants.speaking_ticks(said.text)


def heard_at(constants: Constants, town: Town, agent: str, tick: int) -> list[Spoken]:
    """Return what was said to somebody and has been said in full by the tick, in order."""
    return [
        said
        for said in town.spoken_to(agent)
        if said.tick < tick and said.tick + constants.speaking_ticks(said.text) == tick
    ]


def address_to_answer(constants: Constants, heard: Iterable[Spoken]) -> Spoken | None:
    """Return the opening words that somebody takes up, of those who speak to them at once."""
    openings = {said.agent: said for said in heard if said.number == 1 and not said.ends}
    if not openings:
        return None
    tick = max(said.tick for said in openings.values())
    return openings[first_to_answer(constants.seed, tick, list(openings))]
