"""The memories that records in the prompts of conversations rest on, besides retrieved ones."""

from collections.abc import Iterable, Sequence
from itertools import chain, takewhile

from apps.dialogue.events import Agreed, AgreementEnded, Promised, PromiseEnded, Said
from apps.history import Recorded
from apps.memory.events import (
    SUMMARY_PURPOSES,
    FactEstablished,
    FactRevised,
    MemoriesRetrieved,
    MemoryFormed,
    MemoryOrigin,
    SelfSummarised,
)


def evidence_in_prompt(stream: Iterable[Recorded], said: Recorded) -> set[int]:
    """Return the numbers of the memories that records in the prompt of an utterance rest on.

    The records are those from the speaker's stream: its summary description, its relationships
    with its listeners, its promises to tell them something, and its agreements, each unless it
    has ended before.
    """
    event = said.event
    assert isinstance(event, Said)
    listeners = {event.to, *event.participants}
    before = list(takewhile(lambda one: one.place != said.place, stream))
    return {
        *_of_summary(before),
        *_of_facts(before, listeners),
        *_of_promises(before, listeners),
        *_of_agreements(before),
    }


def _of_summary(stream: Sequence[Recorded]) -> Iterable[int]:
    """Return those of the summary description: retrieved memories, and the agent's facts."""
    places = [at for at, one in enumerate(stream) if isinstance(one.event, SelfSummarised)]
    if not places:
        return ()
    before = stream[: places[-1]]
    retrieved = {
        one.event.purpose: one.event.numbers
        for one in before
        if isinstance(one.event, MemoriesRetrieved) and one.event.purpose in SUMMARY_PURPOSES
    }
    return chain(*retrieved.values(), _of_facts(before, {""}))


def _of_facts(stream: Iterable[Recorded], listeners: set[str]) -> Iterable[int]:
    found: dict[int, tuple[int, ...]] = {}
    for recorded in stream:
        match recorded.event:
            case FactEstablished(other=other) as fact if other in listeners:
                found[fact.number] = fact.evidence
            case FactRevised(ended=True) as fact:
                found.pop(fact.number, None)
            case FactRevised() as fact if fact.number in found:
                # Statements that remain rest on what they rested on before.
                found[fact.number] += fact.evidence
    return chain(*found.values())


def _of_promises(stream: Iterable[Recorded], listeners: set[str]) -> Iterable[int]:
    found: dict[str, int] = {}
    for recorded in stream:
        match recorded.event:
            case Promised(to="") as made if listeners - {made.other}:  # to tell anybody
                found[str(recorded.place)] = made.memory
            case Promised() as made if made.to in listeners:
                found[str(recorded.place)] = made.memory
            case PromiseEnded(promise=made_by):
                found.pop(made_by, None)
    return found.values()


def _of_agreements(stream: Iterable[Recorded]) -> Iterable[int]:
    found: dict[str, tuple[int, ...]] = {}
    for recorded in stream:
        match recorded.event:
            case Agreed() as agreed:
                found.pop(agreed.replaces, None)
                if not agreed.cancelled:
                    found[str(recorded.place)] = ()
            case MemoryFormed(origin=MemoryOrigin.AGREED) as memory if recorded.cause in found:
                found[recorded.cause] = (memory.number,)
            case AgreementEnded(agreements=ended):
                for agreement in ended:
                    found.pop(agreement, None)
    return chain(*found.values())
