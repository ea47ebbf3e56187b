"""The thought and the decision of an agent after an inner voice (U2)."""

from dataclasses import dataclass

from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.planning.inputs import AdoptedThought, OwnThoughtInput
from apps.planning.llm_tasks.own_thought import MINUTES_NOW_MAX, OWN_THOUGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption:
    """An adopted thought, its importance, and the path of the place of its deed.

    The path is "" where no place is said.
    """

    thought: AdoptedThought
    place: str
    importance: int


def adopt_thought(llm: AgentLLM, inputs: OwnThoughtInput) -> Adoption:
    """Return the agent's thought and decision, after one call of the model."""
    answer = llm.ask(OWN_THOUGHT, inputs)
    deed = one_line(answer.deed)
    minutes = max(0, min(answer.minutes_now, MINUTES_NOW_MAX)) if deed else 0
    return Adoption(
        thought=AdoptedThought(
            thought=one_line(answer.thought), deed=deed, minutes_now=minutes
        ),
        place=answer.place,
        importance=answer.importance,
    )
