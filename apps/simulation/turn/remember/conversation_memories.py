"""The memories that conversations leave: utterances, agreements, opinions (D3).

Each sentence of a memory is built in a function of its own at the end of the module.
"""

from collections.abc import Sequence
from dataclasses import replace

from apps.agents.phrases import NO_ANSWER
from apps.dialogue.commitments import OpenCommitment
from apps.dialogue.decisions import Digest, SourcedSentence, scheduled_activity
from apps.dialogue.events import Agreed, Declined
from apps.dialogue.inputs import EarlierAgreement
from apps.dialogue.utterances import Ending, Spoken, Talk
from apps.kernel.game_time import format_clock, format_day
from apps.kernel.language import phrase
from apps.memory.events import (
    FactChange,
    FactKind,
    FactSource,
    MemoryOrigin,
    MemorySuperseded,
    ScheduledActivity,
)
from apps.memory.facts import secret_learnt
from apps.memory.items import is_over
from apps.memory.rules import REMARK_IMPORTANCE
from apps.simulation.turn.context.named_places import place_meant
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.fact_changes import change_fact, facts_now, next_fact
from apps.simulation.turn.remember.remember import (
    learn_place,
    remember_numbered,
    remember_or_count,
)

# The key of an earlier agreement in a prompt is this and the number of its memory.
KEY_OF_AGREEMENT = "A"


def remember_utterance(turn: Turn, said: Spoken) -> Turn:
    """Remember an utterance that the agent heard and did not answer."""
    return remember_or_count(
        turn,
        utterance_text(turn, said),
        cause=said.event,
        subject=said.agent,
        origin=MemoryOrigin.UTTERANCE,
    )


def remember_remark(turn: Turn, said: Spoken, *, cause: str) -> Turn:
    """Remember words that were said without an answer, and from which nothing follows."""
    is_own = said.agent == turn.identity.slug
    return remember_or_count(
        turn,
        utterance_text(turn, said),
        cause=cause,
        subject=said.to if is_own else said.agent,
        origin=MemoryOrigin.OWN_UTTERANCE if is_own else MemoryOrigin.UTTERANCE,
        importance=REMARK_IMPORTANCE,
    )


def remember_unheard(turn: Turn, said: Spoken) -> Turn:
    """Remember that another agent, now out of view, had begun to say something."""
    return remember_or_count(
        turn,
        _unheard(turn.name_of(said.agent), turn.identity.name),
        cause=said.event,
        subject=said.agent,
        origin=MemoryOrigin.UNHEARD,
    )


def remember_own_utterance(turn: Turn, talk: Talk, said: Spoken, *, why: Ending) -> Turn:
    """Remember that own words had no answer or, if nobody was free to hear them, the words.

    The last event of the turn is the end of the conversation.
    """
    name, other = turn.identity.name, turn.name_of(talk.other)
    is_busy = why is Ending.BUSY
    unanswered = phrase(NO_ANSWER, name=other) if talk.by_phone else _unanswered(name, other)
    return remember_or_count(
        turn,
        utterance_text(turn, said) if is_busy else unanswered,
        cause=turn.last_event,
        subject=talk.other,
        origin=MemoryOrigin.OWN_UTTERANCE,
    )


def earlier_agreements(context: TurnContext) -> tuple[EarlierAgreement, ...]:
    """Return the agreements that a conversation may change or cancel, with their keys."""
    return tuple(
        EarlierAgreement(
            key=f"{KEY_OF_AGREEMENT}{memory.number}",
            text=memory.description,
            activity="" if memory.scheduled is None else memory.scheduled.activity,
            starts=None if memory.scheduled is None else memory.scheduled.starts,
        )
        for memory in context.items(context.retrieval.agreements(context.now))
    )


def cancelled_agreements(
    context: TurnContext, conversation: str, kept: Digest
) -> tuple[Agreed, ...]:
    """Return the cancellations of the agreements that a conversation has superseded."""
    return tuple(
        Agreed(
            conversation=conversation,
            other=one.other,
            activity=one.activity,
            place=one.place,
            day=one.day,
            from_minute=one.from_minute,
            to_minute=one.to_minute,
            node=one.node,
            replaces=one.event,
            cancelled=True,
        )
        for one in commitments_of_keys(context, kept.superseded)
    )


def commitments_of_keys(
    context: TurnContext, keys: Sequence[str]
) -> tuple[OpenCommitment, ...]:
    """Return the open commitments of the agreements that have the keys, in order."""
    if not keys:
        return ()
    numbers = set(map(number_of, keys))
    meant = [
        (memory.subject, scheduled.starts, scheduled.activity)
        for memory in context.items(context.retrieval.agreements(context.now))
        if memory.number in numbers and (scheduled := memory.scheduled) is not None
    ]
    return tuple(
        one
        for one in context.records.commitments
        if (one.other, one.starts, one.activity) in meant
    )


def _stands_already(context: TurnContext, agreed: Agreed, kept: Digest) -> bool:
    """Return whether the two have agreed on something for the same time before.

    To agree on it once more, in the same words or in others, is no second agreement, unless
    this conversation has cancelled the first one.
    """
    cancelled = cancelled_agreements(context, agreed.conversation, kept)
    replaced = {one.replaces for one in cancelled}
    return any(
        agreed.other in one.others
        and one.event not in replaced
        and (one.day, one.from_minute) == (agreed.day, agreed.from_minute)
        for one in context.records.commitments
    )


def number_of(key: str) -> int:
    """Return the number of the memory of the agreement that has the key."""
    return int(key.removeprefix(KEY_OF_AGREEMENT))


def supersede_agreements(turn: Turn, keys: Sequence[str], ended: str) -> Turn:
    """End the memories of the agreements that have the keys, and the gists that tell of them.

    `ended` is the event that ended the conversation by which they are over.
    """
    agreements = list(map(number_of, keys))
    gists = turn.retrieval.gists_with(agreements) if agreements else ()
    for number in (*agreements, *gists):
        superseded = MemorySuperseded(number=number, event=ended)
        turn = turn.record(superseded, cause=ended)
    return turn


def remember_digest(turn: Turn, other: str, kept: Digest, ended: str) -> Turn:
    """Remember what a conversation was about and what came of it.

    `ended` is the event that ended it. Opinions and plan note rest on what was heard.
    """
    heard = []
    for one, origin in (
        (kept.gist, MemoryOrigin.CONVERSATION),
        *((learned, MemoryOrigin.LEARNED) for learned in kept.learned),
    ):
        turn, number = _remember_heard(turn, one, ended, origin)
        heard.append(number)
        turn = _keep_secret(turn, one, number, ended)
    for agreed, importance in kept.agreed:
        if not _stands_already(turn, agreed, kept):
            turn = _remember_agreement(turn, other, agreed, importance, ended)
    for declined, importance in kept.declined:
        turn = _remember_refusal(turn, other, declined, importance, ended)
    turn = supersede_agreements(turn, kept.superseded, ended)
    for opinion in kept.opinions:
        turn = _remember_thought(turn, opinion.other, opinion.thought, heard, ended)
    turn = _remember_thought(
        turn, other, kept.plan_note, heard, ended, origin=MemoryOrigin.PLAN_NOTE
    )
    return _revise_relationships(turn, kept, heard[:1], ended)


def _remember_thought(
    turn: Turn,
    about: str,
    thought: SourcedSentence | None,
    heard: Sequence[int],
    ended: str,
    *,
    origin: MemoryOrigin = MemoryOrigin.OPINION,
) -> Turn:
    """Remember a thought, if there is one that is new; `heard` is its evidence."""
    if thought is None or turn.retrieval.contains(thought.sentence):
        return turn
    # A thought about what is over already, such as how it went, does not end with it.
    is_past = thought.scheduled is not None and is_over(thought.scheduled, turn.now)
    return turn.with_memory(
        thought.sentence,
        importance=thought.importance,
        cause=ended,
        subject=about,
        evidence=heard,
        origin=origin,
        scheduled=None if is_past else thought.scheduled,
    )


def _revise_relationships(
    turn: Turn, kept: Digest, evidence: Sequence[int], ended: str
) -> Turn:
    """Revise the relationships to those to whom the agent stands in another way now.

    `evidence` is the memory of what the conversation was about.
    """
    for opinion in kept.opinions:
        if opinion.standing is not None:
            turn = change_fact(
                turn,
                FactChange(
                    kind=FactKind.RELATIONSHIP, other=opinion.other, standing=opinion.standing
                ),
                sentence=(opinion.thought or kept.gist).sentence,
                evidence=tuple(evidence),
                source=FactSource.CONVERSATION,
                cause=ended,
            )
    return turn


def _remember_heard(
    turn: Turn, heard: SourcedSentence, ended: str, origin: MemoryOrigin
) -> tuple[Turn, int]:
    """Remember what was said; the same said again by the same agent is counted."""
    return remember_numbered(
        turn,
        heard.sentence,
        importance=heard.importance,
        cause=heard.event or ended,
        subject=heard.speaker,
        origin=origin,
        scheduled=heard.scheduled,
        passing_on=heard.passing_on,
    )


def _keep_secret(turn: Turn, heard: SourcedSentence, number: int, ended: str) -> Turn:
    """Return the turn with the lasting fact of what is not for everybody, if it is not."""
    if not heard.passing_on:
        return turn
    secret = secret_learnt(
        facts_now(turn).values(),
        heard.sentence,
        heard.passing_on,
        teller=heard.speaker,
        memory=number,
        next_number=next_fact(turn),
    )
    return turn if secret is None else turn.record(secret, cause=ended)


def _remember_agreement(
    turn: Turn, other: str, agreed: Agreed, importance: int, ended: str
) -> Turn:
    agreed = replace(agreed, node=_place_meant(turn, agreed))
    turn = turn.record(agreed, cause=ended)
    cause = turn.last_event
    if agreed.node:
        turn = learn_place(turn, agreed.node, cause=cause)
    scheduled = scheduled_activity(agreed)
    return turn.with_memory(
        agreement_text(turn.identity.name, scheduled),
        importance=importance,
        cause=cause,
        subject=other,
        origin=MemoryOrigin.AGREED,
        scheduled=scheduled,
    )


def _place_meant(context: TurnContext, agreed: Agreed) -> str:
    """Return the path of the agreed place, "" where it is not known.

    It is near where they talk, or where one of them lives. The homes are in one order for all
    of them, so that the same words mean the same place.
    """
    talk = context.view.own_talk
    here = () if talk is not None and talk.by_phone else (context.area,)
    agents = sorted((context.identity.slug, agreed.other, *agreed.besides))
    return place_meant(context.tree, agreed.place, near=(*here, *map(context.home_of, agents)))


def _remember_refusal(
    turn: Turn, other: str, declined: Declined, importance: int, ended: str
) -> Turn:
    turn = turn.record(declined, cause=ended)
    return turn.with_memory(
        _refusal(turn.identity.name, declined.activity),
        importance=importance,
        cause=turn.last_event,
        subject=other,
        origin=MemoryOrigin.DECLINED,
    )


# --- Sentences -------------------------------------------------------------------------------


def agreement_text(name: str, scheduled: ScheduledActivity) -> str:
    """Return the memory of an agreement, with its place, date and times."""
    starts, ends = scheduled.starts, scheduled.ends
    assert starts is not None, "an agreement has a start"
    assert ends is not None, "an agreement has an end"
    where = phrase(" at {place}", place=scheduled.place) if scheduled.place else ""
    return phrase(
        "{name} agreed to {activity} on {day}, from {start} to {end}",
        name=name,
        activity=f"{scheduled.activity}{where}",
        day=format_day(starts),
        start=format_clock(starts),
        end=format_clock(ends),
    )


def _refusal(name: str, activity: str) -> str:
    return phrase("{name} declined to {activity}", name=name, activity=activity)


def utterance_text(context: TurnContext, said: Spoken) -> str:
    """Return an utterance with the names of its speaker and its addressee."""
    return phrase(
        "{speaker} said to {other}: {words}",
        speaker=context.name_of(said.agent),
        other=context.name_of(said.to),
        words=said.text,
    )


def _unanswered(name: str, other: str) -> str:
    return phrase("{other} did not answer {name}", other=other, name=name)


def _unheard(speaker: str, name: str) -> str:
    return phrase(
        "{speaker} began to say something to {name}, but they lost sight of each other "
        "before it was said",
        speaker=speaker,
        name=name,
    )
