"""Records in the prompts of conversations besides retrieved memories, with their evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from apps.dialogue.events import Agreed, AgreementEnded, Promised, PromiseEnded, Said
from apps.history import MemoryOrigin, Recorded
from apps.memory.events import (
    SUMMARY_PURPOSES,
    FactEstablished,
    FactRevised,
    MemoriesRetrieved,
    MemoryFormed,
    SelfSummarised,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRecord:
    """The text of a record of an agent, and the numbers of the memories that it rests on."""

    text: str
    evidence: tuple[int, ...]


def records_in_prompt(stream: Iterable[Recorded], said: Recorded) -> list[PromptRecord]:
    """Return the records from the speaker's stream that the prompt of an utterance has.

    These are its summary description, its relationships with its listeners, its promises to
    tell them something, and its agreements, each unless it has ended before.
    """
    event = said.event
    assert isinstance(event, Said)
    listeners = {event.to, *event.participants}
    before = list(takewhile(lambda one: one.place != said.place, stream))
    return [
        *_summary(before),
        *_facts(before, listeners),
        *_promises(before, listeners),
        *_agreements(before),
    ]


def _summary(stream: Sequence[Recorded]) -> Iterable[PromptRecord]:
    """Yield the summary description; it rests on retrieved memories and the agent's facts."""
    places = [at for at, one in enumerate(stream) if isinstance(one.event, SelfSummarised)]
    if not places:
        return
    *before, renewed = stream[: places[-1] + 1]
    assert isinstance(renewed.event, SelfSummarised)
    retrieved = {
        one.event.purpose: one.event.numbers
        for one in before
        if isinstance(one.event, MemoriesRetrieved) and one.event.purpose in SUMMARY_PURPOSES
    }
    evidence = chain(*retrieved.values(), *(fact.evidence for fact in _facts(before, {""})))
    yield _record(renewed.event.text, evidence=tuple(evidence))


def _facts(stream: Iterable[Recorded], listeners: set[str]) -> Iterable[PromptRecord]:
    found: dict[int, PromptRecord] = {}
    for recorded in stream:
        match recorded.event:
            case FactEstablished(other=other) as fact if other in listeners:
                found[fact.number] = _record(*fact.statements, evidence=fact.evidence)
            case FactRevised(ended=True) as fact:
                found.pop(fact.number, None)
            case FactRevised() as fact if fact.number in found:
                # Statements that remain rest on what they rested on before.
                evidence = (*found[fact.number].evidence, *fact.evidence)
                found[fact.number] = _record(*fact.statements, fact.opinion, evidence=evidence)
    return found.values()


def _promises(stream: Iterable[Recorded], listeners: set[str]) -> Iterable[PromptRecord]:
    found: dict[str, PromptRecord] = {}
    for recorded in stream:
        match recorded.event:
            case Promised() as made if made.to in listeners or _is_for_some(made, listeners):
                found[str(recorded.place)] = _record(made.what, evidence=(made.memory,))
            case PromiseEnded(promise=made_by):
                found.pop(made_by, None)
    return found.values()


def _agreements(stream: Iterable[Recorded]) -> Iterable[PromptRecord]:
    found: dict[str, PromptRecord] = {}
    for recorded in stream:
        match recorded.event:
            case Agreed(activity=activity, place=place) as agreed:
                found.pop(agreed.replaces, None)
                if not agreed.cancelled:
                    found[str(recorded.place)] = _record(activity, place, evidence=())
            case MemoryFormed(origin=MemoryOrigin.AGREED) as memory if recorded.cause in found:
                text = found[recorded.cause].text
                found[recorded.cause] = _record(text, evidence=(memory.number,))
            case AgreementEnded(agreements=ended):
                for agreement in ended:
                    found.pop(agreement, None)
    return found.values()


def _is_for_some(made: Promised, listeners: set[str]) -> bool:
    """Return whether it is a promise to tell anybody, and not all listeners have told it."""
    return not made.to and bool(listeners - {made.other})


def _record(*texts: str, evidence: tuple[int, ...]) -> PromptRecord:
    return PromptRecord(text=". ".join(filter(None, texts)), evidence=evidence)
