"""Conversations of an agent that a user controls: the user gives the utterances (U4)."""

from collections.abc import Sequence
from typing import ClassVar

from apps.dialogue.events import Said
from apps.dialogue.rules import Ending, conversation_id
from apps.dialogue.voices import Spoken, Talk
from apps.kernel.errors import DomainError
from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context import Turn
from apps.simulation.turn.conversation_memories import remember_unheard, remember_utterance
from apps.simulation.turn.converse import (
    end_talk,
    part,
    patience_with,
    stand_talking,
    yields_to,
)
from apps.simulation.turn.relationships import name_of


class NobodyAddressed(DomainError):
    """The utterance names no listener, and no agent waits for one."""

    code: ClassVar[str] = "nobody-addressed"


class NotInView(DomainError):
    """The listener of the utterance is not in view."""

    code: ClassVar[str] = "not-in-view"


def listen(turn: Turn) -> bool:
    """Hear what others say; return whether that ended the conversation of the agent.

    Nothing is answered: the user does that.
    """
    heard = turn.view.heard()
    for said in turn.view.cut_off():
        remember_unheard(turn, said)
    talk = turn.talk
    for said in heard:
        if talk is None or said.conversation != talk.conversation:
            remember_utterance(turn, said)
    if talk is None:
        return False
    address = address_to_answer(turn.constants, heard)
    if address is not None and yields_to(turn, talk, address):
        end_talk(turn, talk, Ending.GAVE_WAY)
        return True
    in_talk = [said for said in heard if said.conversation == talk.conversation]
    why = _why_over(turn, talk, in_talk)
    if why is not None:
        part(turn, talk, why)
    elif in_talk:
        # The other one waits so long, and has ended the conversation a tick later.
        constants = turn.constants
        patience = constants.hearing_ticks + constants.users_patience_ticks + 1
        cause = in_talk[-1].event
        stand_talking(turn, talk.other, until=turn.tick + patience, cause=cause)
    return why is not None


def _why_over(turn: Turn, talk: Talk, heard: Sequence[Spoken]) -> Ending | None:
    """Return why the conversation is over for the agent, None if it is not."""
    if not turn.view.is_in_view(talk.other):
        return Ending.GONE
    if heard:
        return Ending.SAID_ALL if heard[-1].ends else None
    if turn.view.has_left(talk):
        return Ending.LEFT
    if not turn.is_over:
        return None
    last = turn.view.heard_in(talk.conversation)[-1]
    return Ending.SAID_ALL if last.ends else Ending.NO_ANSWER


def say(turn: Turn, text: str, *, to: str, ends: bool, cause: str) -> None:
    """Say the user's words, in the conversation with the listener or in a new one.

    :raises NobodyAddressed: if there is no listener.
    :raises NotInView: if the listener is not in view.
    """
    other = to or (turn.talk.other if turn.talk is not None else _who_waits(turn))
    if not other:
        raise NobodyAddressed("no agent waits for an answer; name the listener in `to`")
    if not turn.view.is_in_view(other):
        raise NotInView(f"{name_of(turn, other)} is not in view; walk there first")
    if turn.talk is not None and turn.talk.other != other:
        part(turn, turn.talk, Ending.INTERRUPTED)
    conversation = _conversation_with(turn, other)
    number = turn.view.next_number_in(conversation)
    said = Said(
        conversation=conversation,
        to=other,
        number=number,
        text=text,
        ends=ends or number >= turn.constants.settings.talk_utterances_max,
        memories=(),
    )
    event = turn.say(said, cause=cause)
    stand_talking(turn, other, until=turn.tick + patience_with(turn, said), cause=event)


def _who_waits(turn: Turn) -> str:
    """Return the nearest agent that talks with this one, "" if none does."""
    in_view = turn.view.agents_in_view()
    return next((slug for _distance, slug in in_view if _talks_with_me(turn, slug)), "")


def _talks_with_me(turn: Turn, other: str) -> bool:
    theirs = turn.view.talk_of(other)
    return theirs is not None and theirs.other == turn.identity.slug


def _conversation_with(turn: Turn, other: str) -> str:
    if turn.talk is not None:
        return turn.talk.conversation
    theirs = turn.view.talk_of(other)
    if theirs is not None and theirs.other == turn.identity.slug:
        return theirs.conversation
    return conversation_id(turn.tick, turn.identity.slug)
