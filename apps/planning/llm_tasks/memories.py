"""What comes to the mind of an agent that plans: talks that it has put off, and memories."""

from collections.abc import Iterable

from apps.kernel.language import phrase
from apps.llm.prompts.values import Data, data_list
from apps.memory.prompt_lines import memory_texts
from apps.planning.inputs import PlanInput


def memories_in_plans(inputs: PlanInput, *, besides: Iterable[str] = ()) -> Data:
    """Return the talks that were left for later, and the memories, as data.

    `besides` are other texts of the prompt, which are not printed a second time.
    """
    put_off = (
        phrase(
            "{name} wants to talk to {other} later: {what}",
            name=inputs.agent_name,
            other=talk.other,
            what=talk.what,
        )
        for talk in inputs.put_off
    )
    memories = memory_texts(inputs.memories, besides=(inputs.summary.text, *besides))
    return data_list([*put_off, *memories])
