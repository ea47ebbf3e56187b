"""Conversations of an agent that a user controls: the user gives the utterances (U4)."""

from collections.abc import Sequence

from apps.dialogue.events import Said
from apps.dialogue.utterances import Ending, Talk, conversation_id
from apps.kernel.errors import DomainError
from apps.simulation.embodiment.requested_actions import Say
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import conversation_of, yields_to
from apps.simulation.turn.conversation.part import end_talk, part, why_over
from apps.simulation.turn.conversation.speak import company, stand_talking, utter, wait_on
from apps.simulation.turn.decide.reaction_candidates import is_free
from apps.simulation.turn.remember.conversation_memories import (
    remember_unheard,
    remember_utterance,
)


class NobodyAddressed(DomainError):
    """The utterance names no listener, and no agent waits for one."""


class NotInView(DomainError):
    """The listener of the utterance is not in view."""


def listen(turn: Turn) -> Turn:
    """Hear what others say, and leave a conversation that is over.

    Nothing is answered: the user does that.
    """
    heard = turn.utterances.heard()
    for said in turn.utterances.cut_off():
        turn = remember_unheard(turn, said)
    talk = turn.talk
    for said in heard:
        if talk is None or said.conversation != talk.conversation:
            turn = remember_utterance(turn, said)
    if talk is None:
        return turn
    if any(yields_to(turn, talk, said) for said in heard):
        return end_talk(turn, talk, Ending.GAVE_WAY)
    in_talk = [said for said in heard if said.conversation == talk.conversation]
    why = why_over(turn, talk, in_talk)
    if why is not None:
        return part(turn, talk, why)[0]
    if not in_talk:
        return wait_on(turn, talk) if turn.is_action_over else turn
    # The other agent waits until then, and ends the conversation a tick later.
    constants = turn.constants
    until = turn.tick + constants.hearing_ticks + constants.users_patience_ticks + 1
    return stand_talking(turn, company(turn, talk), until=until, cause=in_talk[-1].event)


def say(turn: Turn, words: Say, *, cause: str) -> Turn:
    """Say the user's words, in the conversation with the listener or in a new one.

    A conversation of others in view is joined.

    :raises NobodyAddressed: if there is no listener.
    :raises NotInView: if the listener is neither in view nor on the telephone.
    """
    other = words.to or _listener(turn, words)
    if not other:
        raise NobodyAddressed("no agent waits for an answer; name the listener in `to`")
    if not (words.by_phone or _hears(turn, other)):
        raise NotInView(f"{turn.name_of(other)} is not in view; walk there first")
    if turn.talk is not None and other not in company(turn, turn.talk):
        turn, _ = part(turn, turn.talk, Ending.INTERRUPTED)
    conversation, number, members = _conversation_with(turn, other)
    others = {other, *members, *(_free_agents(turn) if words.to_all else ())}
    is_called = turn.conversations.is_on_phone_with(other)
    said = Said(
        conversation=conversation,
        to=other,
        number=number,
        text=words.text,
        ends=words.ends or number >= turn.settings.talk_utterances_max,
        memories=(),
        participants=tuple(sorted(others)) if len(others) > 1 else (),
        by_phone=is_called or not turn.view.is_in_view(other),
    )
    return utter(turn, said, cause=cause)


def _hears(context: TurnContext, other: str) -> bool:
    """Return whether the other agent is in view or on the telephone."""
    return context.view.is_in_view(other) or context.conversations.is_on_phone_with(other)


def _listener(turn: Turn, words: Say) -> str:
    """Return the listener that the user has not named, "" for none."""
    if turn.talk is not None:
        return _first_of(turn, turn.talk)
    waiting = _waiting_agent(turn)
    if waiting or not words.to_all:
        return waiting
    return next(iter(_free_agents(turn)), "")


def _free_agents(context: TurnContext) -> list[str]:
    """Return the agents in view that can be spoken to, nearest first."""
    in_view = context.view.agents_in_view()
    return [other for _distance, other in in_view if is_free(context, other)]


def _first_of(context: TurnContext, talk: Talk) -> str:
    """Return the agent of the conversation that was addressed first, if it is still there."""
    others = company(context, talk)
    return talk.other if talk.other in others else others[0]


def _waiting_agent(context: TurnContext) -> str:
    """Return the agent that calls or the nearest one that talks with this one, "" if none."""
    for call in context.conversations.calls():
        return call.agent
    in_view = context.view.agents_in_view()
    return next((other for _distance, other in in_view if _talks_with_me(context, other)), "")


def _talks_with_me(context: TurnContext, other: str) -> bool:
    theirs = context.conversations.talk_of(other)
    return theirs is not None and (
        theirs.other == context.identity.slug
        or context.utterances.is_spoken_to_in(theirs.conversation)
    )


def _their_conversation(context: TurnContext, other: str) -> str:
    theirs = context.conversations.talk_of(other)
    assert theirs is not None, "the other agent talks with the agent"
    return theirs.conversation


def _conversation_with(turn: Turn, other: str) -> tuple[str, int, Sequence[str]]:
    """Return the conversation, the number of the words in it, and who else listens."""
    if turn.talk is not None:
        conversation = turn.talk.conversation
    elif _hears(turn, other) and _talks_with_me(turn, other):
        conversation = _their_conversation(turn, other)
    elif turn.view.is_in_view(other):
        return conversation_of(turn, other)
    else:
        return conversation_id(turn.tick, turn.identity.slug), 1, ()
    is_of_several = turn.utterances.is_of_several(conversation)
    members = turn.conversations.others_in(conversation) if is_of_several else ()
    return conversation, turn.utterances.next_number_in(conversation), members
