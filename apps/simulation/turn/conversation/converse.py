"""Converse: speak, listen and part, as one of the agents of a conversation (D1, D2, D3)."""

from collections.abc import Sequence

from apps.dialogue.events import Said
from apps.dialogue.utterances import Ending, Spoken, Talk, conversation_id, gives_way
from apps.memory.events import ScheduledActivity
from apps.planning.inputs import ActivitiesAgreed, LeaveTaken, RevisionReason
from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context.outcome import (
    PERFORMED,
    SILENT,
    FollowPlan,
    RevisePlan,
    SpeakTo,
    Turn,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.departure import depart, has_taken_leave
from apps.simulation.turn.conversation.listening import end_listening, keep_listening
from apps.simulation.turn.conversation.part import end_talk, part, take_away, why_over
from apps.simulation.turn.conversation.speak import (
    company,
    listen_on,
    speak,
    stand_talking,
    utter,
    wait_on,
)
from apps.simulation.turn.remember.conversation_memories import (
    remember_unheard,
    remember_utterance,
)


def converse(turn: Turn) -> Turn:
    """Take up an address, go on with the conversation, or leave it.

    What others say to an agent in a conversation is a part of what it hears there; those that
    wait for an answer get it afterwards (`doors`). Without an address and a
    conversation the intention stays as it is, unless the agent has just listened to one in
    which something was agreed for today.
    """
    heard = turn.utterances.heard()
    turn, agreed = end_listening(turn, heard)
    turn = _converse(turn, heard)
    return _revise_for(turn, agreed) if agreed and turn.intention is None else turn


def _converse(turn: Turn, heard: Sequence[Spoken]) -> Turn:
    for said in turn.utterances.cut_off():
        turn = remember_unheard(turn, said)
    talk = turn.talk
    if talk is None:
        return _listen(turn, heard)
    crossing = next((said for said in heard if yields_to(turn, talk, said)), None)
    if crossing is not None:
        return answer(end_talk(turn, talk, Ending.GAVE_WAY), crossing)
    for said in heard:
        is_opening = said.number == 1 and said.to == turn.identity.slug
        if said.conversation != talk.conversation and not is_opening:
            turn = remember_utterance(turn, said)
    return _go_on(turn, talk, [one for one in heard if one.conversation == talk.conversation])


def _listen(turn: Turn, heard: Sequence[Spoken]) -> Turn:
    """Answer an address; without one, or if nobody waits any more, keep what is said."""
    to_answer = [
        said for said in heard if turn.utterances.is_open_to_answer(said) and not said.ends
    ]
    answerable = [said for said in to_answer if turn.conversations.may_be_answered(said)]
    address = address_to_answer(turn.constants, answerable)
    for said in heard:
        is_to_others = said.to != turn.identity.slug and (address or not said.ends)
        is_too_late = said in to_answer and said not in answerable
        if said is address or not (said.number > 1 or is_to_others or is_too_late):
            continue
        if said.participants and not turn.utterances.has_spoken_in(said.conversation):
            turn = keep_listening(turn, said)
        else:
            turn = remember_utterance(turn, said)
    if address is not None:
        return answer(turn, address)
    agreed: tuple[ScheduledActivity, ...] = ()
    for said in heard:
        if said.number == 1 and said.ends:
            turn, of_remark = take_away(
                turn, said.conversation, said.agent, [said], Ending.SAID_ALL
            )
            agreed += of_remark
    return _revise_for(turn, agreed) if agreed else turn


def answer(turn: Turn, address: Spoken) -> Turn:
    """Answer the words that are said to the agent, in their conversation."""
    answered = SpeakTo(other=address.agent, intent="", cause=address.event)
    return speak(turn, answered, conversation=address.conversation)


def open_conversation(turn: Turn) -> Turn:
    """Say the first words to the agent that this one is about to speak to.

    SILENT is the intention if it has nothing to say to it.

    :raises OutOfView: if that one is not in view; the lookahead relies on it.
    """
    assert isinstance(turn.intention, SpeakTo), "the pipeline opens no other conversation"
    opening = turn.intention
    if not opening.words:
        return speak(turn, opening, conversation=conversation_id(turn.tick, turn.identity.slug))
    conversation, number, participants = conversation_of(turn, opening.other)
    if opening.besides and not participants:
        participants = tuple(sorted((opening.other, *opening.besides)))
    utterances_max = turn.settings.talk_utterances_max
    said = Said(
        conversation=conversation,
        to=opening.to if opening.to in participants else opening.other,
        number=number,
        text=opening.words,
        ends=opening.ends or number >= utterances_max,
        memories=opening.memories,
        participants=participants,
        intent=opening.intent,
    )
    return utter(turn, said, cause=opening.cause)


def conversation_of(context: TurnContext, other: str) -> tuple[str, int, tuple[str, ...]]:
    """Return the conversation in which the agent speaks to another one: its own, or theirs.

    The number of the utterance and the participants follow; there are none for a new one.
    """
    theirs = context.conversations.talk_of(other)
    joinable = None if theirs is None else context.conversations.joinable(theirs.conversation)
    if theirs is not None and joinable is not None:
        number, members = joinable
        if number < context.settings.talk_utterances_max:
            return theirs.conversation, number, members
    return conversation_id(context.tick, context.identity.slug), 1, ()


def _go_on(turn: Turn, talk: Talk, heard: Sequence[Spoken]) -> Turn:
    """Answer what was heard, wait, or part."""
    why = why_over(turn, talk, heard)
    if why is not None:
        return _part_and_carry_on(turn, talk, why)
    if heard:
        return _answer_or_listen(turn, talk, heard)
    if turn.is_action_over:
        return wait_on(turn, talk)
    action, beside = turn.action, turn.utterances.heard()
    if action is None or not beside:
        return turn.intending(PERFORMED)
    # A turn that somebody's words have made due writes an event: the agent talks on.
    until, cause = action.until_tick, beside[0].event
    others = company(turn, talk)
    return stand_talking(turn, others, until=until, cause=cause)


def _answer_or_listen(turn: Turn, talk: Talk, heard: Sequence[Spoken]) -> Turn:
    """Answer the utterance; among several the one that it is to answers, unless it speaks.

    Who has spoken just before words that want no answer need not speak again. Among several
    an agent with nothing to say listens on as long as two others are there.
    """
    conversation, answered = talk.conversation, heard[-1]
    other = talk.other
    is_of_several = turn.utterances.is_of_several(conversation)
    if is_of_several:
        to_agent = [said for said in heard if said.to == turn.identity.slug]
        has_to_answer = to_agent and not _has_just_spoken(turn, to_agent[-1])
        if not has_to_answer or turn.utterances.is_speaking_in(conversation):
            return listen_on(turn, talk, answered)
        answered = to_agent[-1]
        other = answered.agent
    turn = speak(
        turn,
        SpeakTo(other=other, intent="", cause=answered.event),
        conversation=conversation,
    )
    if turn.intention is not SILENT:
        return turn
    if is_of_several and len(turn.conversations.others_in(conversation)) > 1:
        return listen_on(turn, talk, answered)  # the others may go on
    return _part_and_carry_on(turn, talk, Ending.SAID_ALL)


def _has_just_spoken(context: TurnContext, said: Spoken) -> bool:
    """Return whether the words, which want no answer, follow words of the agent itself.

    Once the speaker leaves, the others may go on.
    """
    before = [
        one
        for one in context.utterances.heard_in(said.conversation)
        if one.number < said.number
    ]
    return (
        said.ends
        and not said.leaves
        and bool(before)
        and before[-1].agent == context.identity.slug
    )


def _part_and_carry_on(turn: Turn, talk: Talk, why: Ending) -> Turn:
    turn, agreed = part(turn, talk, why)
    leaves = has_taken_leave(turn, talk)
    if agreed:
        left = (LeaveTaken(other=turn.name_of(talk.other)),) if leaves else ()
        return _revise_for(turn, agreed, *left)
    if leaves:
        return depart(turn, talk.other)
    return turn.intending(FollowPlan())


def _revise_for(
    turn: Turn, agreed: tuple[ScheduledActivity, ...], *besides: RevisionReason
) -> Turn:
    reasons = (ActivitiesAgreed(activities=agreed), *besides)
    return turn.intending(RevisePlan(reasons=reasons))


def yields_to(context: TurnContext, talk: Talk, address: Spoken) -> bool:
    """Return whether the two addressed each other in one tick and the agent gives way."""
    return (
        (address.agent, address.to) == (talk.other, context.identity.slug)
        and address.number == 1
        and not address.ends
        and address.conversation != talk.conversation
        and address.tick == talk.from_tick
        and gives_way(context.seed, address.tick, context.identity.slug, talk.other)
    )
