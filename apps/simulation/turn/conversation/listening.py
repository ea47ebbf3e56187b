"""Listen: what is said among several to an agent that says nothing, kept until it is over (D2).

The words are recorded as those that are overheard. Once the agent hears no more of them, it
takes from the conversation what one that has spoken takes.
"""

from collections.abc import Sequence

from apps.dialogue.events import Overheard
from apps.dialogue.utterances import Ending, Spoken
from apps.memory.events import ScheduledActivity
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.conversation.part import take_away
from apps.simulation.turn.perceive.observe import by_conversation, goes_on, is_listened_to


def keep_listening(turn: Turn, said: Spoken) -> Turn:
    """Record words that are said to several, of whom another one is to answer."""
    heard = Overheard(conversation=said.conversation, utterances=(said.event,), is_over=False)
    return turn.record(heard, cause=said.event)


def end_listening(
    turn: Turn, heard: Sequence[Spoken]
) -> tuple[Turn, tuple[ScheduledActivity, ...]]:
    """End the conversations in which the agent has only listened and that are over for it.

    `heard` are the utterances to it that end at this tick. Return also what it keeps of them
    for today. One in which it speaks now is kept with its own part.
    """
    agreed: tuple[ScheduledActivity, ...] = ()
    own, now = turn.view.own_talk, {said.conversation for said in heard}
    for conversation, spoken in by_conversation(turn.records.overheard).items():
        is_heard_on = conversation in now or goes_on(turn, conversation, spoken)
        if not is_listened_to(turn, spoken) or is_heard_on:
            continue
        ended = Overheard(conversation=conversation, utterances=(), is_over=True)
        turn = turn.record(ended)
        if own is None or own.conversation != conversation:
            first = next(said for said in spoken if turn.identity.slug in said.hearers)
            turn, of_talk = take_away(turn, conversation, first.agent, spoken, Ending.SAID_ALL)
            agreed += of_talk
    return turn, agreed
