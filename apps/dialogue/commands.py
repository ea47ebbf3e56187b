"""Saying something in a conversation, and looking back on one.

Both read their arguments and the model alone; the turn appends the events.
"""

from collections.abc import Sequence

from apps.dialogue.chains.takeaways import TAKEAWAYS
from apps.dialogue.chains.utterance import UTTERANCE
from apps.dialogue.decisions import Digest, digest
from apps.dialogue.events import Said
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.voices import Spoken
from apps.llm.cleaning import in_one_line
from apps.llm.mind import Mind


def speak(
    mind: Mind, given: UtteranceInput, *, conversation: str, to: str, number: int
) -> Said:
    """Return what the agent says next; the last utterance of the bound ends it (D1).

    `to` is a slug; `number` is that of the utterance in its conversation, from 1.
    """
    answer = mind.ask(UTTERANCE, given)
    return Said(
        conversation=conversation,
        to=to,
        number=number,
        text=in_one_line(answer.utterance),
        ends=answer.ends or given.utterances_left == 1,
        memories=tuple(memory.number for memory in given.memories),
    )


def look_back(
    mind: Mind,
    given: TakeawaysInput,
    *,
    conversation: str,
    other: str,
    spoken: Sequence[Spoken],
) -> Digest:
    """Return what the agent takes from a conversation that is over (D3, R4).

    `spoken` are the utterances behind the lines of the input, in the same order.
    """
    answer = mind.ask(TAKEAWAYS, given)
    return digest(answer, other=other, conversation=conversation, spoken=spoken)
