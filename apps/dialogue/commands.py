"""The next utterance of a conversation, and the digest of a finished one.

The functions call the model and return values, which the turn appends as events.
"""

from collections.abc import Mapping, Sequence

from apps.dialogue.decisions import Digest, digest
from apps.dialogue.events import Said
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.dialogue.llm_tasks.utterance import UTTERANCE
from apps.dialogue.utterances import Spoken
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line


def speak(
    llm: AgentLLM,
    inputs: UtteranceInput,
    *,
    conversation: str,
    others: Mapping[str, str],
    number: int,
) -> Said:
    """Return the next utterance; the last one of the bound ends the conversation (D1).

    `others` are the slugs of the other participants by name; `number` counts the utterances
    of the conversation from 1. The answer chooses which participant is to answer.
    """
    answer = llm.ask(UTTERANCE, inputs)
    return Said(
        conversation=conversation,
        to=others[answer.to or inputs.other_name],
        participants=tuple(sorted(others.values())) if len(others) > 1 else (),
        number=number,
        text=in_one_line(answer.utterance),
        ends=answer.ends or inputs.utterances_left == 1,
        memories=tuple(memory.number for memory in inputs.memories),
        by_phone=inputs.by_phone,
        intent=inputs.intent if number == 1 else "",
        leaves=answer.leaves,
    )


def digest_conversation(
    llm: AgentLLM,
    inputs: TakeawaysInput,
    *,
    agent: str,
    conversation: str,
    other: str,
    spoken: Sequence[Spoken],
) -> Digest:
    """Return the digest of a finished conversation by one of its agents (D3, R4).

    `agent` and `other` are slugs; `spoken` are the utterances of the lines of the input, in
    the same order.
    """
    answer = llm.ask(TAKEAWAYS, inputs)
    return digest(answer, agent=agent, other=other, conversation=conversation, spoken=spoken)
