"""Agreements whose time has passed, and promises to pass something on: how they end (D3)."""

from collections.abc import Sequence
from dataclasses import replace

from apps.agents.naming import slugs_with_words
from apps.agents.phrases import promise_text
from apps.agents.status import PromiseToTell
from apps.dialogue.commitments import (
    PROMISE_DAYS,
    PROMISES_OPEN_MAX,
    OpenPromise,
    PassedAgreement,
    absent_from,
    lapsed,
    occasions_of,
    outcome_of,
    why_dropped,
)
from apps.dialogue.decisions import Digest
from apps.dialogue.events import (
    ADDRESSEE_CHARACTERS_MAX,
    AgreementEnded,
    Promised,
    PromiseEnded,
    PromiseOutcome,
)
from apps.dialogue.inputs import EarlierPromise
from apps.dialogue.llm_tasks.takeaways import Promise
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.language import noted, phrase
from apps.kernel.names import slug_of
from apps.kernel.text import one_line, shortened
from apps.memory.events import (
    AgreementOutcome,
    MemoryOrigin,
    MemorySuperseded,
    ScheduledActivity,
)
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.conversation_memories import (
    agreement_text,
    commitments_of_keys,
    supersede_agreements,
)

# Of more agents than these a memory names the first.
NAMED_MAX = 8
_SENTENCES = {
    AgreementOutcome.KEPT: noted("{agreed}, and did so"),
    AgreementOutcome.ALONE: noted("{agreed}, and was there, but none of the others was"),
    AgreementOutcome.MISSED: noted("{agreed}, but missed it"),
    AgreementOutcome.DROPPED: noted("{agreed}, but did something else"),
}


def end_agreements(turn: Turn) -> Turn:
    """Record the outcomes of the agreements that are over, and remember them."""
    for agreement, attended in turn.records.passed:
        result = outcome_of(agreement, attended)
        turn = _end_agreement(turn, agreement, attended.seen, result, cause=agreement.events[0])
    return turn


def end_fulfilled(turn: Turn, kept: Digest, present: Sequence[str], ended: str) -> Turn:
    """Record that agreements were kept by a conversation with those present, and remember it.

    `ended` is the event that ended the conversation. The memories of the agreements are
    superseded by those of their ends.
    """
    for agreement in occasions_of(commitments_of_keys(turn, kept.fulfilled)):
        now = replace(agreement, starts=min(agreement.starts, turn.now), ends=turn.now)
        turn = _end_agreement(turn, now, present, AgreementOutcome.KEPT, cause=ended)
    return supersede_agreements(turn, kept.fulfilled, ended)


def _end_agreement(
    turn: Turn,
    agreement: PassedAgreement,
    seen: Sequence[str],
    result: AgreementOutcome,
    *,
    cause: str,
) -> Turn:
    is_kept = result is AgreementOutcome.KEPT
    ended = AgreementEnded(
        agreements=agreement.events,
        outcome=result,
        present=tuple(seen) if is_kept else (),
    )
    turn = turn.record(ended, cause=cause)
    scheduled = _scheduled(turn, agreement, seen, result)
    return turn.with_memory(
        ended_text(turn.identity.name, scheduled),
        cause=turn.last_event,
        subject=agreement.others[0],
        origin=MemoryOrigin.ENDED,
        importance=_importance_of(turn, agreement),
        scheduled=scheduled,
    )


def _importance_of(context: TurnContext, agreement: PassedAgreement) -> int | None:
    """Return the importance of the memories of the agreement, None without any that holds."""
    held = context.items(context.retrieval.agreements(agreement.starts))
    return max(
        (
            memory.importance
            for memory in held
            if memory.subject in agreement.others
            and memory.scheduled is not None
            and memory.scheduled.activity == agreement.activity
        ),
        default=None,
    )


def _scheduled(
    context: TurnContext,
    agreement: PassedAgreement,
    seen: Sequence[str],
    agreement_outcome: AgreementOutcome,
) -> ScheduledActivity:
    """Return the activity with its outcome and, if the agent was there, those present."""
    is_kept = agreement_outcome is AgreementOutcome.KEPT
    absent = absent_from(agreement, seen) if is_kept else ()
    return ScheduledActivity(
        activity=agreement.activity,
        place=agreement.place,
        starts=agreement.starts,
        ends=agreement.ends,
        outcome=agreement_outcome,
        present=tuple(context.name_known(one) for one in seen) if is_kept else (),
        absent=tuple(context.name_known(one) for one in absent),
    )


# --- Sentences -------------------------------------------------------------------------------


def ended_text(name: str, ended: ScheduledActivity) -> str:
    """Return the memory of the end of an agreement, with its place, date and times."""
    assert ended.outcome is not None, "the agreement is over"
    parts = [phrase(_SENTENCES[ended.outcome], agreed=agreement_text(name, ended))]
    if ended.present:
        parts.append(phrase("also there: {names}", names=_named(ended.present)))
    if ended.absent:
        parts.append(phrase("not there: {names}", names=_named(ended.absent)))
    return "; ".join(parts)


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED_MAX])


# The key of a promise in a prompt is this and its place among the open ones, from 1.
KEY_OF_PROMISE = "P"


def earlier_promises(context: TurnContext) -> tuple[EarlierPromise, ...]:
    """Return the open promises with their keys."""
    return tuple(
        EarlierPromise(key=key, promise=_to_tell(context, one))
        for key, one in _keyed(context).items()
    )


def open_promises(context: TurnContext) -> tuple[PromiseToTell, ...]:
    """Return the latest open promises, as prompts have them."""
    return tuple(_to_tell(context, one) for one in _latest(context))


def promises_for(
    context: TurnContext, other: str, *, since: int = -1
) -> tuple[PromiseToTell, ...]:
    """Return the open promises, given after the tick, that the other agent is to be told.

    Each has what the two have talked about since it was given.
    """
    last = context.records.last_talks.get(other)
    return tuple(
        replace(
            _to_tell(context, one),
            since=last.gist if last is not None and last.to_tick > one.tick else "",
        )
        for one in _latest(context)
        if one.tick > since and one.is_for(other)
    )


def settle_promises(
    turn: Turn, other: str, conversation: str, kept: Digest, ended: str
) -> Turn:
    """End the promises that a conversation has settled, and record the new ones.

    `ended` is the event that ended the conversation.
    """
    known = _keyed(turn)
    for settled in kept.settled:
        promise = known.pop(settled.key, None)
        if promise is not None:
            promise_outcome = PromiseOutcome(settled.why)
            turn = _end(turn, promise, promise_outcome, cause=ended)
    for promised in kept.promised:
        turn = _promise(turn, other, conversation, promised, ended)
    return turn


def drop_promises(turn: Turn) -> Turn:
    """Drop the promises that were not kept in PROMISE_DAYS."""
    since = turn.tick - turn.ticks_of(minutes=PROMISE_DAYS * MINUTES_PER_DAY)
    for promise in lapsed(turn.records.promises, since_tick=since):
        turn = _end(turn, promise, why_dropped(promise), cause=promise.event)
    return turn


def _latest(context: TurnContext) -> tuple[OpenPromise, ...]:
    return context.records.promises[-PROMISES_OPEN_MAX:]


def _keyed(context: TurnContext) -> dict[str, OpenPromise]:
    return {
        f"{KEY_OF_PROMISE}{number}": one for number, one in enumerate(_latest(context), start=1)
    }


def _to_tell(context: TurnContext, promise: OpenPromise) -> PromiseToTell:
    return PromiseToTell(
        what=promise.what,
        to=context.name_known(promise.to),
        other=context.name_known(promise.other),
    )


def _promise(turn: Turn, other: str, conversation: str, promised: Promise, ended: str) -> Turn:
    """Record a promise; one for a person outside the simulation is kept for that person."""
    what, to = one_line(promised.what), _addressee(turn, promised.to)
    made = Promised(
        conversation=conversation, other=other, what=what, to=to, memory=turn.next_memory
    )
    turn = turn.record(made, cause=ended)
    to_tell = PromiseToTell(what=what, to=turn.name_known(to), other=turn.name_of(other))
    return turn.with_memory(
        phrase("{name} {promised}", name=turn.identity.name, promised=promise_text(to_tell)),
        importance=promised.importance,
        cause=turn.last_event,
        subject=other,
        origin=MemoryOrigin.PROMISED,
    )


def _addressee(context: TurnContext, words: str) -> str:
    """Return the agent of a name, or the only known one of a part of it.

    Anybody else keeps the name, such as "my mother"; "" is for a promise to tell anybody.
    """
    slug = slug_of(words)
    if not slug or context.name_of(slug) or slug in context.world.names:
        return slug
    known = {*context.acquainted.agents, *(one.other for one in context.records.facts)}
    found = [one for one in slugs_with_words(slug, known) if context.name_of(one)]
    return found[0] if len(found) == 1 else shortened(one_line(words), ADDRESSEE_CHARACTERS_MAX)


def _end(
    turn: Turn, promise: OpenPromise, promise_outcome: PromiseOutcome, *, cause: str
) -> Turn:
    """Record the end of a promise; its memory no longer holds."""
    ended = PromiseEnded(promise=promise.event, outcome=promise_outcome)
    turn = turn.record(ended, cause=cause)
    superseded = MemorySuperseded(number=promise.memory, event=turn.last_event)
    return turn.record(superseded, cause=turn.last_event)
