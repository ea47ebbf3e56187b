"""Overhear conversations of others, and remember each of them once when it is over (D2)."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from apps.dialogue.events import Overheard
from apps.dialogue.utterances import Spoken
from apps.kernel.language import phrase
from apps.kernel.text import join_and, shortened
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.conversation_memories import utterance_text
from apps.simulation.turn.remember.remember import remember_or_count

OVERHEARD_IMPORTANCE = 2
# A memory has the longest utterances that fit, each cut to a part; all are on the log.
WORDS_CHARACTERS_MAX, LINE_CHARACTERS_MAX = 400, 120


def overhear(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Record the utterances to others that the agent overhears.

    A conversation becomes a memory when the agent hears no more of it (ADR 57).
    """
    heard = _by_conversation(context.utterances.overheard())
    before = _by_conversation(context.records.overheard)
    for conversation in dict.fromkeys((*before, *heard)):
        new = heard.get(conversation, [])
        spoken = [*before.get(conversation, []), *new]
        is_over = not _goes_on(context, conversation, spoken)
        if not new and not is_over:
            continue
        event = Overheard(
            conversation=conversation,
            utterances=tuple(said.event for said in new),
            is_over=is_over,
        )
        outcome = record(context, outcome, event, cause=new[-1].event if new else "")
        if is_over:
            outcome = _remember(context, outcome, spoken)
    return outcome


def _by_conversation(spoken: Sequence[Spoken]) -> dict[str, list[Spoken]]:
    """Return the utterances of each conversation in order."""
    ordered = sorted(spoken, key=attrgetter("conversation", "order"))
    return {one: list(said) for one, said in groupby(ordered, attrgetter("conversation"))}


def _goes_on(context: TurnContext, conversation: str, spoken: Sequence[Spoken]) -> bool:
    """Return whether a member of the conversation, in view, is in it and the agent is not."""
    own = context.view.own_talk
    if own is not None and own.conversation == conversation:
        return False
    members = {one for said in spoken for one in (said.agent, *said.hearers)}
    talks = (
        context.conversations.talk_of(other)
        for _distance, other in context.view.agents_in_view()
        if other in members
    )
    return any(talk is not None and talk.conversation == conversation for talk in talks)


def _remember(
    context: TurnContext, outcome: TurnOutcome, spoken: Sequence[Spoken]
) -> TurnOutcome:
    return remember_or_count(
        context,
        outcome,
        MemoryKind.DIALOGUE,
        _text(context, spoken),
        importance=OVERHEARD_IMPORTANCE,
        cause=outcome.last_event,
        subject=spoken[0].agent,
        perceived=True,
        origin=MemoryOrigin.OVERHEARD,
    )


def _text(context: TurnContext, spoken: Sequence[Spoken]) -> str:
    """Return who said what, without the shortest utterances of a long conversation."""
    if len(spoken) == 1:
        return utterance_text(context, spoken[0])
    members = dict.fromkeys(one for said in spoken for one in (said.agent, *said.hearers))
    words = {said.event: shortened(said.text, LINE_CHARACTERS_MAX) for said in spoken}
    lines = [
        phrase(
            '{speaker}: "{words}"',
            speaker=context.name_of(said.agent),
            words=words[said.event],
        )
        for said in spoken
        if said.event in _fitting(words)
    ]
    return phrase(
        "{name} overheard {others} talking. {lines}",
        name=context.identity.name,
        others=join_and([context.name_of(one) for one in members]),
        lines=" ".join(lines),
    )


def _fitting(words: Mapping[str, str]) -> set[str]:
    """Return the keys of the longest words that fit into a memory."""
    left, found = WORDS_CHARACTERS_MAX, set()
    for key in sorted(words, key=lambda one: (-len(words[one]), one)):
        left -= len(words[key])
        if left >= 0:
            found.add(key)
    return found
